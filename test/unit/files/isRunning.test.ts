import assert from "node:assert/strict";
import { isRunning } from "../../../src/files/isRunning.ts";

describe("a process", () => {
  const real = process.kill;
  const answerWith = (error: unknown): void => {
    Object.assign(process, {
      kill: (_: number, signal: number) => {
        assert.equal(signal, 0, "only checked, never ended");
        throw error;
      },
    });
  };
  afterEach(() => {
    Object.assign(process, { kill: real });
  });

  it("runs if the system knows the process, also another user's process", () => {
    assert.equal(isRunning(process.pid), true);
    assert.equal(isRunning(4_100_000_000), false);
    answerWith(Object.assign(new Error("kill EPERM"), { code: "EPERM" }));
    assert.equal(isRunning(7), true);
    answerWith(Object.assign(new Error("kill ESRCH"), { code: "ESRCH" }));
    assert.equal(isRunning(7), false);
    for (const other of [new Error("EPERM"), { code: "EPERM" }, "EPERM"]) {
      answerWith(other);
      assert.equal(isRunning(7), false);
    }
  });
});
