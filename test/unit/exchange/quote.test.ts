import assert from "node:assert/strict";
import fc from "fast-check";
import { quote } from "../../../src/exchange/quote.ts";
import { findNeedle, needlesOf, writings } from "../../support/canaries.ts";

describe("quote", () => {
  it("makes one line without control, bidi or zero-width characters", () => {
    assert.equal(quote(" a\r\nb\tc\u202ed\u200be\u0007\u2028f "), "a b cde f");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        const line = quote(text);
        assert.ok(line.length <= 200);
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        assert.ok(line.isWellFormed());
      }),
    );
  });

  it("cuts at 200 characters", () => {
    assert.equal(quote("x".repeat(200)), "x".repeat(200));
    assert.equal(quote("x".repeat(201)), `${"x".repeat(199)}…`);
  });

  it("masks a hidden text raw, in hex, in base64 and URL-encoded, in any case", () => {
    const hidden = "k3y/with+odd=chars";
    const bytes = Buffer.from(hidden);
    for (const form of [
      hidden,
      hidden.toUpperCase(),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      bytes.toString("hex").replace(/..(?!$)/g, "$& "),
      bytes.toString("hex").replace(/..(?!$)/g, "$&:"),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      encodeURIComponent(hidden),
    ]) {
      assert.equal(quote(`bad ${form}!`, [hidden]).replace(/=+/, ""), "bad [secret]!", form);
    }
  });

  it("masks a hidden text in every other way it may be written, and leaves the words around it", () => {
    const hidden = "k3y/with+odd=chars&'~\\\"<>%";
    const needles = needlesOf([hidden]);
    for (const [name, write] of Object.entries(writings)) {
      const line = quote(`bad ${write(hidden)} here`, ["another-text", hidden]);
      assert.equal(findNeedle(line, needles), undefined, `${name}: ${line}`);
      assert.match(line, /^bad .*\[secret\].* here$/, name);
      assert.equal(quote("bad key here", [hidden]), "bad key here");
    }
  });

  it("masks a hidden text that was escaped, and encoded once more with what stood around it", () => {
    const hidden = `N"e}'Lnq&FE4|-IW(<x>\\y`;
    const html = hidden.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    for (const escaped of [
      JSON.stringify(hidden).slice(1, -1),
      encodeURIComponent(hidden),
      html.replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
    ]) {
      const needles = needlesOf([hidden, escaped]);
      for (const around of ["", "a", "ab"]) {
        const echoed = Buffer.from(`${around}{"key":"${escaped}"}`);
        for (const line of [
          echoed.toString("base64"),
          echoed.toString("hex"),
          JSON.stringify(String(echoed)),
        ]) {
          assert.equal(findNeedle(quote(line, [hidden]), needles), undefined, line);
        }
      }
    }
  });

  it("masks what lies far into a text, and reads no text without end", () => {
    const hidden = "a-hidden-text";
    assert.doesNotMatch(quote(`${hidden} `.repeat(100_000), [hidden]), /hidden/);
    assert.match(quote(`${hidden}\\`.repeat(100_000), ["\\".repeat(60)]), /^a-hidden-text/);
  });

  it("masks a hidden text broken up by invisible characters or lying across the cut", () => {
    assert.equal(quote("my-\u200bke\u0000y", ["my-key"]), "[secret]");
    assert.doesNotMatch(quote(`${"x".repeat(195)}my-key`, ["my-key"]), /my/);
  });

  it("masks nothing for an empty hidden text", () => {
    assert.equal(quote("abc", [""]), "abc");
  });
});
