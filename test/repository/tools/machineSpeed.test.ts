import assert from "node:assert/strict";
import { startLimit } from "../../../tools/test/machineSpeed.ts";

/** How long a limit of 40 ms lasts on a machine that is so many times slower than an idle one. */
async function lasts(slower: number): Promise<number> {
  const started = performance.now();
  await new Promise<void>((end) => void startLimit(40, end, async () => slower));
  return performance.now() - started;
}

describe("a limit of time", () => {
  it("is as much longer as the machine is slower", async () => {
    assert.ok((await lasts(1)) >= 39);
    assert.ok((await lasts(5)) >= 195);
  });

  it("never ends once it is cancelled, also not while the machine is measured", async () => {
    let ends = 0;
    let measured = (_slower: number): void => undefined;
    const cancel = startLimit(
      1,
      () => (ends += 1),
      () => new Promise((resolve) => (measured = resolve)),
    );
    await lasts(1);
    cancel();
    measured(1);
    await lasts(1);
    assert.equal(ends, 0);
  });

  it("ends on a real machine", async () => {
    await new Promise<void>((end) => void startLimit(1, end));
  });
});
