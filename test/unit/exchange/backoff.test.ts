import assert from "node:assert/strict";
import fc from "fast-check";
import { backoffMs } from "../../../src/exchange/backoff.ts";

describe("a backoff", () => {
  it("doubles up to a minute and stays there", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 1000].map((failures) => backoffMs(failures, 2000, () => 1));
    assert.deepEqual(pauses, [4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it("is whole ms, at most a minute, and at least half of the doubled time and the interval", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.integer({ min: 1000, max: 3_600_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, intervalMs, random) => {
          const pause = backoffMs(failures, intervalMs, () => random);
          const full = Math.min(60_000, intervalMs * 2 ** Math.min(failures, 20));
          assert.ok(Number.isInteger(pause) && pause <= 60_000);
          assert.ok(pause >= Math.floor(full / 2) && pause >= Math.min(60_000, intervalMs));
        },
      ),
    );
  });
});
