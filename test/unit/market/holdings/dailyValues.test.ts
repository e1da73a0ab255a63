import assert from "node:assert/strict";
import { dailyValues } from "../../../../src/market/holdings/dailyValues.ts";
import type { ValueSnapshot } from "../../../../src/market/holdings/valueSnapshot.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const at = (hours: number, price: string): ValueSnapshot => ({
  at: hours * HOUR_MS,
  account: "practice",
  quote: "THB",
  balances: [{ asset: "BTC", quantity: new Decimal("1"), price: new Decimal(price) }],
  elsewhere: [],
});

/** Each day with its first value, its last one and its result. Random histories are in `valueSnapshot.test.ts`. */
const daysOf = (...snapshots: readonly ValueSnapshot[]): string[] =>
  [...dailyValues(snapshots, [], (time) => Math.floor(time / DAY_MS) * DAY_MS)].map(
    ({ day, from, value, result }) => [day / DAY_MS, ...[from, value, result].map(plainText)].join(" "),
  );

describe("the values by day", () => {
  it("share the value nearest to midnight, so that every hour belongs to a day", () => {
    assert.deepEqual(daysOf(at(22, "1"), at(23, "2"), at(24.01, "5"), at(25, "6")), ["0 1 5 4", "1 5 6 1"]);
    assert.deepEqual(daysOf(at(22, "1"), at(23.9, "2"), at(24.9, "5")), ["0 1 2 1", "1 2 5 3"]);
  });

  it("do not contain what changed in a gap around midnight, or over a day without values", () => {
    assert.deepEqual(daysOf(at(22.5, "1"), at(25.5, "5"), at(26, "6")), ["0 1 1 0", "1 5 6 1"]);
    assert.deepEqual(daysOf(at(23.9, "1"), at(48.1, "5")), ["0 1 1 0", "2 5 5 0"]);
  });
});
