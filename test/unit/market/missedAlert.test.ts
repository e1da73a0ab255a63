import assert from "node:assert/strict";
import fc from "fast-check";
import type { Alert, AlertRule } from "../../../src/market/alertRule.ts";
import type { Candle } from "../../../src/market/candle.ts";
import { type CandleSeries, firstMet } from "../../../src/market/missedAlert.ts";
import { testAlert } from "../../support/builders/testAlert.ts";
import { checkProperty } from "../../support/rounds.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = 1000 * 24 * HOUR_MS;
const pair = { quote: "THB", base: "BTC" };

/** A candle from its prices in their order. */
function candleOf(time: number, prices: readonly number[], volume = 0): Candle {
  const [open = 0, close = open] = [prices[0], prices.at(-1)];
  return { time, open, close, high: Math.max(...prices), low: Math.min(...prices), volume };
}

/** Candles of whole minutes or hours from `START`, each from its prices in their order. */
function seriesOf(ms: number, ...prices: readonly (readonly number[])[]): CandleSeries {
  return { ms, pair, candles: prices.map((each, index) => candleOf(START + index * ms, each)) };
}

const met = (rule: AlertRule, series: CandleSeries, since = START, alert: Partial<Alert> = {}) =>
  firstMet(testAlert({ rule, ...alert }), series, since);

const move = (percent: number, minutes: number): AlertRule => ({
  kind: "change",
  percent: String(percent),
  minutes,
});

describe("an alert that candles show as missed", () => {
  it("passed its level in a candle after the last watched price, or closed beyond it in that price's own", () => {
    const above: AlertRule = { kind: "above", price: "110" };
    const since = START + MINUTE_MS / 2;
    assert.deepEqual(met(above, seriesOf(MINUTE_MS, [100, 120, 100], [100], [100, 111, 100]), since), {
      price: 111,
      at: START + 2 * MINUTE_MS,
    });
    assert.deepEqual(met(above, seriesOf(MINUTE_MS, [100, 120, 112], [100]), since), {
      price: 112,
      at: since,
    });
    assert.equal(met(above, seriesOf(MINUTE_MS, [120], [100]), START + MINUTE_MS), undefined);
    const armedAt = START + MINUTE_MS;
    assert.equal(met(above, seriesOf(MINUTE_MS, [120], [100]), START, { armedAt }), undefined);
  });

  it("moved by its percentage between prices whose order and distance in time are certain", () => {
    const cases: readonly [string, readonly (readonly number[])[], number, number | undefined][] = [
      ["from the open of a candle to its high", [[100, 106, 100]], 1, 106],
      ["from the low of a candle to its close", [[100, 96, 101]], 1, 101],
      ["from the low of an earlier candle", [[100, 98, 100], [100], [100, 103, 100]], 5, 103],
      ["not from a candle that may be too old", [[100, 98, 100], [100], [100, 103, 100]], 2, undefined],
      ["not from a low to a high whose order is unknown", [[100, 98, 102.5, 100]], 15, undefined],
      ["downwards too", [[100], [99, 95, 99]], 15, 95],
    ];
    for (const [name, prices, minutes, price] of cases)
      assert.equal(met(move(5, minutes), seriesOf(MINUTE_MS, ...prices))?.price, price, name);
    assert.equal(
      met(move(5, 15), seriesOf(HOUR_MS, [100, 110, 100])),
      undefined,
      "an hour is longer than it",
    );
  });

  it("moved by its percentage since it was made, even if the move began before the last watched price", () => {
    const series = seriesOf(MINUTE_MS, [100], [102], [103], [105, 105.5]);
    const since = START + 2.5 * MINUTE_MS;
    assert.equal(met(move(5, 15), series, since)?.price, 105.5);
    const armedAt = START + 1.5 * MINUTE_MS;
    assert.equal(met(move(5, 15), series, since, { armedAt }), undefined);
  });

  it("never fires for a move that random prices did not make within its minutes", async () => {
    const minute = fc.array(fc.integer({ min: 95, max: 105 }), { minLength: 1, maxLength: 4 });
    const walks = fc.array(minute, { minLength: 1, maxLength: 30 });
    let count = 0;
    const found = await checkProperty(
      1000,
      fc.property(
        walks,
        fc.integer({ min: 1, max: 12 }),
        fc.constantFrom(1, 3, 5),
        (walk, minutes, width) => {
          const trades = walk.flatMap((prices, index) =>
            prices.map((price, at) => ({ price, at: START + index * MINUTE_MS + at * 10_000 })),
          );
          const ms = width * MINUTE_MS;
          const candles = [...Map.groupBy(trades, ({ at }) => Math.floor((at - START) / ms))].map(
            ([index, of]) =>
              candleOf(
                START + index * ms,
                of.map(({ price }) => price),
              ),
          );
          const hasMoved = trades.some((later) =>
            trades.some(
              (earlier) =>
                earlier.at <= later.at &&
                later.at - earlier.at <= minutes * MINUTE_MS &&
                Math.abs(later.price / earlier.price - 1) >= 0.06 - 1e-9,
            ),
          );
          const fired = met(move(6, minutes), { candles, ms, pair });
          if (fired) count += 1;
          assert.ok(hasMoved || !fired);
        },
      ),
    );
    assert.ok(!found.failed, JSON.stringify(found));
    assert.ok(count > 0);
  });

  it("rose to its volume of 24 hours, in the quote asset at the lowest prices", () => {
    const hours = Array.from({ length: 40 }, (_, hour) =>
      candleOf(START + hour * HOUR_MS, [100, 110, 100], hour === 30 ? 6 : 1),
    );
    const series = { candles: hours, ms: HOUR_MS, pair };
    const since = START + 25 * HOUR_MS;
    const volume = (figure: string, asset = "BTC"): AlertRule => ({ kind: "volume", volume: figure, asset });
    const at = START + 30 * HOUR_MS;
    assert.deepEqual(met(volume("29"), series, since), { price: 100, at });
    assert.deepEqual(met(volume("2900", "THB"), series, since), { price: 100, at });
    assert.equal(met(volume("29.5"), series, since), undefined);
    assert.equal(met(volume("20"), series, since), undefined, "it was there before");
    assert.equal(met(volume("29", "ETH"), series, since), undefined);
  });
});
