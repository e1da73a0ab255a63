import assert from "node:assert/strict";
import type { Figure } from "../../bench/measure.ts";
import { compareRuns } from "../../bench/runs.ts";

function figure(name: string, value: number, met = true): Figure {
  return { name, what: name, measured: "", floor: "", result: `${value} ms`, value, target: "≤ 2 ms", met };
}

describe("several runs of the bench", () => {
  it("agree if the largest result is at most 15 % above the smallest", () => {
    const runs = [1, 1.15, 1.1].map((value) => [figure("a", value), figure("b", value * value, value > 1)]);
    const [a, b] = compareRuns(runs);
    assert.deepEqual(a, {
      name: "a",
      results: ["1 ms", "1.15 ms", "1.1 ms"],
      target: "≤ 2 ms",
      met: 3,
      spread: 1.15,
      agree: true,
    });
    assert.deepEqual([b?.met, b?.agree], [2, false]);
  });

  it("agree by the ratios to the floors, where there are some, and show them", () => {
    const [slower] = compareRuns([
      [{ ...figure("slower", 100), ratio: 2 }],
      [{ ...figure("slower", 180), ratio: 2.1 }],
    ]);
    assert.deepEqual(slower?.results, ["100 ms, 2.00 ×", "180 ms, 2.10 ×"]);
    assert.deepEqual([slower.spread, slower.agree], [1.05, true]);
  });

  it("agree on a count only if the counts are equal, and have no spread if the counts are 0", () => {
    const [same, other] = compareRuns([
      [figure("same", 0), figure("other", 0)],
      [figure("same", 0), figure("other", 1)],
    ]);
    assert.deepEqual([same?.spread, same?.agree], [undefined, true]);
    assert.deepEqual([other?.spread, other?.agree], [undefined, false]);
  });
});
