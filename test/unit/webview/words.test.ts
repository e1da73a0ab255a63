import assert from "node:assert/strict";
import { filled } from "../../../src/webview/words.ts";

describe("a sentence of the host's", () => {
  it("gets what the page knows put into its places, and nothing else", () => {
    assert.equal(filled("{1} of {0}, {2}", "a", "$&"), "$& of a, {2}");
  });
});
