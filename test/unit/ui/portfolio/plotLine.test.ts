import assert from "node:assert/strict";
import type { TradedAmount, ValueSnapshot } from "../../../../src/market/holdings/valueSnapshot.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { plotLine } = await loadUi(() => import("../../../../src/ui/portfolio/plotLine.ts"));

const HOUR_MS = 3_600_000;

/** An account with THB, and a holding elsewhere of BTC at a price. */
function snapshot(hour: number, thb: string, btc: string, price = "100"): ValueSnapshot {
  const amount = (asset: string, quantity: string, each: string) => ({
    asset,
    quantity: new Decimal(quantity),
    price: new Decimal(each),
  });
  return {
    at: hour * HOUR_MS,
    account: "practice",
    quote: "THB",
    balances: [amount("THB", thb, "1")],
    elsewhere: [amount("BTC", btc, price)],
  };
}

/** The points in hours and THB. */
function pointsOf(
  snapshots: readonly ValueSnapshot[],
  trades: readonly TradedAmount[] = [],
): readonly (readonly (readonly [number, number])[])[] {
  const { parts, low, high, from, to } = plotLine(snapshots, trades) ?? assert.fail();
  const height = Number(plainText(high.minus(low)));
  return parts.map((part) =>
    part.map(({ x, y }) => [
      Math.round(((from + x * (to - from)) / HOUR_MS) * 1000) / 1000,
      Math.round((Number(plainText(low)) + y * height) * 1000) / 1000,
    ]),
  );
}

describe("the line of the value", () => {
  it("follows the prices", () => {
    const line = pointsOf([
      snapshot(0, "500", "5"),
      snapshot(1, "500", "5", "90"),
      snapshot(2, "500", "5", "120"),
    ]);
    assert.deepEqual(line, [
      [
        [0, 1000],
        [1, 950],
        [2, 1100],
      ],
    ]);
  });

  it("steps at a deposit, a withdrawal and a changed holding, whatever the prices do meanwhile", () => {
    const line = pointsOf([
      snapshot(0, "500", "5"),
      snapshot(1, "1500", "5", "110"),
      snapshot(2, "1500", "0", "110"),
    ]);
    assert.deepEqual(line, [
      [
        [0, 1000],
        [1, 1050],
        [1, 2050],
        [2, 2050],
        [2, 1500],
      ],
    ]);
  });

  it("has no step at a trade, whose fee is a loss", () => {
    const bought = [
      { at: HOUR_MS / 2, asset: "BTC", quantity: new Decimal("1") },
      { at: HOUR_MS / 2, asset: "THB", quantity: new Decimal("-101") },
    ];
    const line = pointsOf([snapshot(0, "500", "5"), snapshot(1, "399", "6")], bought);
    assert.deepEqual(line, [
      [
        [0, 1000],
        [1, 999],
      ],
    ]);
  });

  it("has a gap where nothing was recorded, and no step after it", () => {
    const line = pointsOf([snapshot(0, "500", "5"), snapshot(1, "500", "5"), snapshot(4, "900", "5")]);
    assert.deepEqual(line, [
      [
        [0, 1000],
        [1, 1000],
      ],
      [[4, 1400]],
    ]);
  });
});
