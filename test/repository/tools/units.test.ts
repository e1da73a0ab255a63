import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { choiceEnv, readChoice } from "../../../tools/test/suiteChoice.ts";
import { root } from "../../../tools/paths.ts";
import { stages, unitsOf } from "../../../tools/test/units.ts";

const NONE = { units: {}, files: {} };

describe("A test file on the command line", () => {
  it("runs in the editor suite if the file is one of its files, and runs no editor otherwise", () => {
    const units = (file: string) =>
      unitsOf(["editor"], { files: [file] }, NONE).filter(({ stage }) => stage === "editor").length;
    assert.equal(units("test/editor/privacy.test.ts"), 1);
    assert.equal(units("test/unit/market/pair.test.ts"), 0);
    assert.deepEqual(
      unitsOf(["editor"], { files: [] }, NONE).map(({ name }) => name),
      ["the browser", "the editor", "package", "test/editor"],
    );
  });

  it("reaches the suite in the editor; without a test file the suite runs all its built files", () => {
    const built = ["privacy.test.js", "settings.test.js", "outcomeFile.js"];
    const filesFor = (files: readonly string[]) => readChoice(choiceEnv({ files }), built).files;
    assert.deepEqual(filesFor(["test/editor/settings.test.ts"]), ["settings.test.js"]);
    assert.deepEqual(filesFor([]), ["privacy.test.js", "settings.test.js"]);
    assert.equal(readChoice(choiceEnv({ files: [], grep: "a title" }), built).grep, "a title");
  });
});

describe("the units of a run", () => {
  it("start with what others need, then with those that took longest", () => {
    const seconds = { units: { types: 30, lint: 5, "test/repository": 20 }, files: {} };
    const names = unitsOf(["lint", "types", "unit"], { files: [] }, seconds).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 2), ["package", "types"]);
    assert.ok(names.indexOf("test/repository") < names.indexOf("lint"));
  });

  it("do not wait for an editor or a browser if they have none", () => {
    const waiting = unitsOf(["types", "unit", "contract"], { files: [] }, NONE)
      .filter(({ after }) => after.length > 0)
      .map(({ name, after }) => [name, after]);
    assert.deepEqual(waiting, [
      ["test/repository/tools", ["package"]],
      ["test/repository", ["package"]],
    ]);
  });

  it("have each test file once", () => {
    const files = unitsOf(stages, { files: [] }, NONE).flatMap((unit) => unit.files);
    const all = globSync("test/**/*.test.ts", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    assert.deepEqual(files.toSorted(), all.toSorted());
  });
});
