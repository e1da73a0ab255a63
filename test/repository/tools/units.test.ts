import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { root } from "../../../tools/paths.ts";
import { stages, unitsOf } from "../../../tools/test/units.ts";

describe("A test file on the command line", () => {
  it("runs in the editor suite if the file is one of its files, and runs no editor otherwise", () => {
    const units = (file: string) =>
      unitsOf(["editor"], { files: [file] }, {}).filter(({ stage }) => stage === "editor").length;
    assert.equal(units("test/editor/privacy.test.ts"), 1);
    assert.equal(units("test/unit/market/pair.test.ts"), 0);
    assert.deepEqual(
      unitsOf(["editor"], { files: [] }, {}).map(({ name }) => name),
      ["the browser", "the editor", "package", "test/editor"],
    );
  });
});

describe("the units of a run", () => {
  it("start with what others need, then with those that took longest", () => {
    const seconds = { types: 30, lint: 5, "test/repository": 20 };
    const names = unitsOf(["lint", "types", "unit"], { files: [] }, seconds).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 2), ["package", "types"]);
    assert.ok(names.indexOf("test/repository") < names.indexOf("lint"));
  });

  it("do not wait for an editor or a browser if they have none", () => {
    const waiting = unitsOf(["types", "unit", "contract"], { files: [] }, {})
      .filter(({ after }) => after.length > 0)
      .map(({ name, after }) => [name, after]);
    assert.deepEqual(waiting, [
      ["test/repository/tools", ["package"]],
      ["test/repository", ["package"]],
    ]);
  });

  it("have each test file once", () => {
    const files = unitsOf(stages, { files: [] }, {}).flatMap((unit) => unit.files);
    const all = globSync("test/**/*.test.ts", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    assert.deepEqual(files.toSorted(), all.toSorted());
  });
});
