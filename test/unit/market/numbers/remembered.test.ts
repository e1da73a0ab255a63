import assert from "node:assert/strict";
import { memoized } from "../../../../src/market/numbers/memoized.ts";

describe("a memoized function", () => {
  it("computes each result once, and clears its cache when full", () => {
    const computed: number[] = [];
    const double = memoized((value: number) => {
      computed.push(value);
      return 2 * value;
    }, 2);
    assert.deepEqual([double(1), double(2), double(1), double(2)], [2, 4, 2, 4]);
    assert.deepEqual(computed, [1, 2]);
    assert.deepEqual([double(3), double(3), double(1)], [6, 6, 2]);
    assert.deepEqual(computed, [1, 2, 3, 1]);
  });
});
