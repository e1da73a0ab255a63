import assert from "node:assert/strict";
import fc from "fast-check";
import { TrailingRange } from "../../../src/market/trailingRange.ts";

describe("TrailingRange", () => {
  it("equals the result from a list of every sample, for any prices, pauses and spans", () => {
    const samples = fc.array(fc.record({ pause: fc.nat(5000), price: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 20_000 }), fc.nat(30_000), (given, span, back) => {
        const window = new TrailingRange(span);
        const all: { at: number; price: number }[] = [];
        let now = 1000;
        for (const { pause, price } of given) {
          now += pause;
          window.add(now, price);
          all.push({ at: now, price });
        }
        const since = now - Math.min(back, span);
        const prices = all.filter(({ at }) => at >= since).map(({ price }) => price);
        assert.deepEqual(window.since(since), {
          lowest: Math.min(...prices),
          highest: Math.max(...prices),
        });
      }),
      { numRuns: 300 },
    );
  });

  it("is unknown at a time after its newest sample", () => {
    const window = new TrailingRange(60_000);
    assert.equal(window.since(0), undefined);
    window.add(1000, 5);
    assert.equal(window.since(1001), undefined);
  });

  it("forgets samples in the future after the clock was set back", () => {
    const window = new TrailingRange(60_000);
    window.add(100_000, 1);
    window.add(50_000, 7);
    assert.deepEqual(window.since(0), { lowest: 7, highest: 7 });
  });
});
