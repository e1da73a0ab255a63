import assert from "node:assert/strict";
import { filled } from "../../../src/webview/words.ts";

describe("a sentence from the host", () => {
  it("has its placeholders replaced, and nothing else", () => {
    assert.equal(filled("{1} of {0}, {2}", "a", "$&"), "$& of a, {2}");
  });
});
