import assert from "node:assert/strict";
import { readStartOptions } from "../../../tools/startOptions.ts";

describe("The options of npm start", () => {
  it("leave the choice of editor and port open", () => {
    assert.deepEqual(readStartOptions([]), { editor: "auto", port: 0 });
  });

  it("choose an editor", () => {
    assert.deepEqual(readStartOptions(["--editor", "desktop"]), { editor: "desktop", port: 0 });
  });

  it("mean the server if they name a port", () => {
    assert.deepEqual(readStartOptions(["--port", "8080"]), { editor: "server", port: 8080 });
  });

  for (const args of [
    ["--port", "0"],
    ["--port", "65536"],
    ["--port", "80a"],
    ["--editor", "emacs"],
    ["--editor", "desktop", "--port", "80"],
  ])
    it(`are refused in one sentence: ${args.join(" ")}`, () => {
      assert.throws(() => readStartOptions(args), { name: "StartOptionsError", message: /^[^\n]+$/ });
    });
});
