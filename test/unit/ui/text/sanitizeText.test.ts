import assert from "node:assert/strict";
import fc from "fast-check";
import { sanitizeText } from "../../../../src/ui/text/sanitizeText.ts";

/** Texts that the editor reads as an icon, a link in a message, or an address in Markdown (GFM autolinks). */
const MARKUP = [
  /\$\([a-z0-9-]+(?:~[a-z0-9-]*)?\)/i,
  /\[[^\]]*\]\([^)]*\)/,
  /(?:https?|ftp|file|command|vscode):\/\//i,
  /www\./i,
  /[a-z0-9._+-]@/i,
];
const HOSTILE = [
  "$(trash)",
  "$(sync~spin) gone",
  "[here](https://evil.example)",
  "[here](command:bidside.placeBid)",
  "HTTPS://evil.example",
  "see www.evil.example",
  "WWW.evil.example",
  "ftp://evil.example",
  "me@evil.example",
  "THB_www.evil.example",
];

describe("untrusted text", () => {
  it("creates no icon or link and looks unchanged", () => {
    for (const text of HOSTILE) {
      const shown = sanitizeText(text);
      for (const markup of MARKUP) assert.doesNotMatch(shown, markup, text);
      assert.equal(shown.replaceAll("\u2060", ""), text);
      assert.equal(sanitizeText(shown), shown, "a second call changes nothing");
    }
  });

  it("is unchanged without markup", () => {
    for (const text of ["Insufficient balance: 1,000.50 THB", "THB_BTC", "(a) [b] $5: c/d", "ยอดไม่พอ", ""])
      assert.equal(sanitizeText(text), text);
  });

  it("is one line, with no invisible characters except those that defuse markup", () => {
    assert.equal(sanitizeText("a\r\n\tb\u202ec\u200b$\u0000(x)"), "a bc$\u2060(x)");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom(...HOSTILE), (around, hostile) => {
        const shown = sanitizeText(around + hostile + around);
        for (const markup of MARKUP) assert.doesNotMatch(shown, markup);
        assert.doesNotMatch(shown.replaceAll("\u2060", ""), /[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
