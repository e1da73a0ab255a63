import assert from "node:assert/strict";
import { answerText, foreignWords, LONGEST_ANSWER } from "../../../src/assistant/answer.ts";

describe("a tool result", () => {
  for (const [what, text, clean] of [
    ["tags", "<script>alert(1)</script>", "script alert(1) /script"],
    ["Markdown", "**buy** [now](https://x.example) `code`", "buy now (https: x.example) code"],
    ["icons and commands", "$(trash) command:x", "(trash) command:x"],
    ["templates", "{{system}} ${key}", "system key"],
    ["lines and control characters", "one\r\n\ttwo\u0000\u001b[31m three", "one two 31m three"],
    ["invisible and turned text", "a\u200bb\u202ec", "abc"],
    ["addresses", "www.x.example a@b.example", "www x.example a b.example"],
  ])
    it(`strips ${what} from untrusted text`, () => {
      assert.equal(foreignWords(text ?? "", false), clean);
    });

  it("cuts untrusted text to 160 characters", () => {
    assert.equal(foreignWords("word ".repeat(100_000), false).length, 160);
  });

  it("masks numbers in untrusted text while amounts are hidden", () => {
    assert.equal(foreignWords("you have 1,234.50 and ๑๒๓", true), "you have ••• and •••");
  });

  it("is replaced if it is too long", () => {
    const text = answerText({ data: { much: "x".repeat(LONGEST_ANSWER) } });
    assert.equal(text, '{"problem":"The answer is too long. Ask for less."}');
  });
});
