import assert from "node:assert/strict";
import { readPracticeArguments } from "../../../src/practice/cliArguments.ts";

describe("the arguments of the practice exchange", () => {
  it("have a market of the specification at normal speed by default", () => {
    assert.deepEqual(readPracticeArguments(["--port", "0"]), {
      port: 0,
      api: "spec",
      reset: false,
      speed: 1,
    });
    assert.equal(readPracticeArguments(["--help"]), "help");
  });

  it("are kept where they make sense together", () => {
    const args = [
      "--port",
      "65535",
      "--api",
      "current",
      "--data",
      "here",
      "--reset",
      "--replay",
      "file",
      "--speed",
      "60",
    ];
    assert.deepEqual(readPracticeArguments(args), {
      port: 65_535,
      api: "current",
      data: "here",
      reset: true,
      replay: "file",
      speed: 60,
    });
  });

  for (const args of [
    "",
    "--port",
    "--port x",
    "--port 65536",
    "--port -1",
    "--prot 1",
    "--port 0 --api old",
    "--port 0 --data=",
    "--port 0 extra",
    "--port 0 --reset",
    "--port 0 --speed 2",
    "--port 0 --replay file --seed 1",
    "--port 0 --replay file --speed 0",
    "--port 0 --replay file --speed 61",
    "--port 0 --replay file --speed x",
    "--port 0 --replay file --speed 0.5",
  ])
    it(`have a problem, named in one sentence: ${args}`, () => {
      const read = readPracticeArguments(args === "" ? [] : args.split(" "));
      assert.ok(read !== "help" && "problem" in read);
      assert.match(read.problem, /^[^.\n]+$/);
    });
});
