import assert from "node:assert/strict";
import { givenShare, MachineTime, parseTicks } from "../../../tools/test/machineTime.ts";
import { waitFor } from "../../support/waitFor.ts";

const stat = (worked: number, idle: number, stolen: number): string =>
  `cpu  ${worked} 0 0 ${idle} 0 0 0 ${stolen} 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu1 1 2 3 4 5 6 7 8 9 10\n`;

describe("time that the machine had", () => {
  const before = parseTicks(stat(100, 50, 10));

  it("counts idle cores as time, and time that the host took away as none", () => {
    assert.deepEqual(before, { perCore: 80, worked: 100, stolen: 10 });
    assert.equal(givenShare(before, parseTicks(stat(130, 50, 40))), 0.5);
    assert.equal(givenShare(before, parseTicks(stat(100, 500, 10))), 1);
    assert.equal(givenShare(before, parseTicks(stat(101, 500, 10))), 1);
  });

  it("goes on while the machine is idle, with any stolen time that its host reports", () => {
    assert.equal(givenShare(before, parseTicks(stat(100, 230, 30))), 0.8);
  });

  it("is the wall clock's time on a system without figures", () => {
    assert.equal(parseTicks(""), undefined);
    assert.equal(givenShare(undefined, undefined), 1);
  });

  it("goes on, and never faster than the wall clock", async () => {
    const started = performance.now();
    const time = new MachineTime();
    await waitFor("some time to pass", () => time.ms > 30);
    assert.ok(time.ms <= performance.now() - started);
  });
});
