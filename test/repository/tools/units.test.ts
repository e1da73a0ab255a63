import assert from "node:assert/strict";
import { choiceEnv, readChoice } from "../../../tools/test/suiteChoice.ts";
import { unitsOf } from "../../../tools/test/units.ts";

describe("A test file on the command line", () => {
  it("runs in the editor suite if the file is one of its files, and runs no editor otherwise", () => {
    const units = (file: string) => unitsOf(["editor"], { files: [file] }).length;
    assert.equal(units("test/editor/privacy.test.ts"), 1);
    assert.equal(units("test/unit/market/pair.test.ts"), 0);
    assert.equal(unitsOf(["editor"], { files: [] }).length, 1);
  });

  it("reaches the suite in the editor; without a test file the suite runs all its built files", () => {
    const built = ["privacy.test.js", "settings.test.js", "outcomeFile.js"];
    const filesFor = (files: readonly string[]) => readChoice(choiceEnv({ files }), built).files;
    assert.deepEqual(filesFor(["test/editor/settings.test.ts"]), ["settings.test.js"]);
    assert.deepEqual(filesFor([]), ["privacy.test.js", "settings.test.js"]);
    assert.equal(readChoice(choiceEnv({ files: [], grep: "a title" }), built).grep, "a title");
  });
});
