import assert from "node:assert/strict";
import { atOnce, type Steps, withPauses } from "../../../src/storage/steps.ts";

describe("work in steps", () => {
  let done: string[];

  beforeEach(() => {
    done = [];
  });

  function* work(): Steps<string> {
    done.push("step 1");
    yield;
    done.push("step 2");
    yield;
    done.push("step 3");
    return "result";
  }

  it("is done without a pause if it must be", () => {
    setImmediate(() => done.push("something else"));
    assert.equal(atOnce(work()), "result");
    assert.deepEqual(done, ["step 1", "step 2", "step 3"]);
  });

  it("leaves time for everything else at each pause", async () => {
    const other = (): void => {
      done.push("something else");
      if (!done.includes("step 3")) setImmediate(other);
    };
    setImmediate(other);
    assert.equal(await withPauses(work()), "result");
    assert.deepEqual(done, ["step 1", "something else", "step 2", "something else", "step 3"]);
  });

  it("ends with the error of a step", async () => {
    function* failing(): Steps<void> {
      yield;
      throw new Error("full disk");
    }
    assert.throws(() => atOnce(failing()), /full disk/);
    await assert.rejects(withPauses(failing()), /full disk/);
  });
});
