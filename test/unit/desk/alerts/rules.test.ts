import assert from "node:assert/strict";
import fc from "fast-check";
import { type Alert, type AlertRule, ruleFrom } from "../../../../src/market/alertRule.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { readTypedAlert, typedTextOf } from "../../../../src/market/typedAlert.ts";
import { Evaluator } from "../../../../src/desk/alerts/evaluator.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { checkProperty } from "../../../support/rounds.ts";

/** Share of a level by which the price must move away before an alert counts again. */
const AWAY = 0.005;

const priced = (last: number): Ticker => tickerOf("THB_BTC", { last });

/** Indices of the figures at which a repeating alert that was made at the first one fires. */
function firings(rule: AlertRule, [first = 0, ...figures]: readonly number[], tickerWith = priced): number[] {
  const evaluator = new Evaluator();
  let alert: Alert = testAlert({ rule: ruleFrom(rule, first), repeats: true });
  const fired: number[] = [];
  for (const [index, figure] of figures.entries()) {
    const [due] = evaluator.evaluate([alert], () => tickerWith(figure), index + 1);
    if (due?.transition === "fires") {
      fired.push(index + 1);
      alert = { ...alert, phase: "waiting" };
    } else if (due) alert = { ...alert, phase: "armed", rule: ruleFrom(alert.rule, figure) };
  }
  return fired;
}

/** Walks along the prices with the words of the rule only. */
function naiveCrossings(level: number, prices: readonly number[]): number[] {
  const fired: number[] = [];
  let from: number | undefined = prices[0] ?? 0;
  for (const [index, price] of prices.entries()) {
    if (index === 0) continue;
    if (from === undefined) {
      if (Math.abs(price - level) > level * AWAY) from = price;
      continue;
    }
    const hasCrossed = from < level ? price >= level : price <= level;
    if (!hasCrossed) continue;
    fired.push(index);
    from = undefined;
  }
  return fired;
}

function naiveReturns(low: number, high: number, prices: readonly number[]): number[] {
  const fired: number[] = [];
  let isOutside = true;
  for (const [index, price] of prices.entries()) {
    if (index === 0) continue;
    if (price >= low && price <= high) {
      if (isOutside) fired.push(index);
      isOutside = false;
    } else if (price < low - low * AWAY || price > high + high * AWAY) isOutside = true;
  }
  return fired;
}

function naiveRises(level: number, volumes: readonly number[]): number[] {
  const fired: number[] = [];
  let isBelow = true;
  for (const [index, volume] of volumes.entries()) {
    if (index === 0) continue;
    if (isBelow && volume >= level) {
      fired.push(index);
      isBelow = false;
    } else if (volume < level - level * AWAY) isBelow = true;
  }
  return fired;
}

/** Prices near 1000, in steps that meet the levels and their margins exactly. */
const series = fc.array(fc.integer({ min: 980, max: 1020 }), { minLength: 2, maxLength: 60 });

describe("a rule", () => {
  it("about a crossing fires as a naive walk along random prices does, in either direction", async () => {
    let count = 0;
    const found = await checkProperty(
      1000,
      fc.property(series, (prices) => {
        fc.pre(prices[0] !== 1000);
        const fired = firings({ kind: "crosses", price: "1000", towards: "above" }, prices);
        count += fired.length;
        assert.deepEqual(fired, naiveCrossings(1000, prices));
      }),
    );
    assert.ok(!found.failed, String(found.errorInstance));
    assert.ok(count > 0);
  });

  it("about a way back between two prices fires as a naive walk does", async () => {
    let count = 0;
    const found = await checkProperty(
      1000,
      fc.property(series, (prices) => {
        const fired = firings({ kind: "within", low: "995", high: "1005" }, [900, ...prices]);
        count += fired.length;
        assert.deepEqual(fired, naiveReturns(995, 1005, [900, ...prices]));
      }),
    );
    assert.ok(!found.failed, String(found.errorInstance));
    assert.ok(count > 0);
  });

  it("about a volume fires as a naive walk along the volumes of its asset does, whatever price and other volume are", async () => {
    let count = 0;
    const other = fc.constantFrom(1, 1000, 5000);
    const found = await checkProperty(
      1000,
      fc.property(series, other, fc.constantFrom("BTC", "THB"), (volumes, figure, asset) => {
        const names = asset === "BTC" ? ["baseVolume", "quoteVolume"] : ["quoteVolume", "baseVolume"];
        const [own = "", unrelated = ""] = names;
        const fired = firings({ kind: "volume", volume: "1000", asset }, volumes, (volume) =>
          tickerOf("THB_BTC", { last: figure, [own]: volume, [unrelated]: figure }),
        );
        count += fired.length;
        assert.deepEqual(fired, naiveRises(1000, volumes));
      }),
    );
    assert.ok(!found.failed, String(found.errorInstance));
    assert.ok(count > 0);
  });

  it("about a volume does not fire while the volume is unknown or the pair is frozen", () => {
    const rule = { kind: "volume", volume: "1000", asset: "BTC" } as const;
    for (const given of [{ baseVolume: undefined }, { frozen: true }, { last: undefined }])
      assert.deepEqual(
        firings(rule, [0, 2000], (baseVolume) => tickerOf("THB_BTC", { baseVolume, ...given })),
        [],
      );
  });

  it("about a percentage from a price is typed as both, and is an exact price", () => {
    for (const [text, rule] of [
      ["2,900,000 +5%", { kind: "above", price: "3045000" }],
      ["2900000-2.5%", { kind: "below", price: "2827500" }],
      ["0.1 + 10%", { kind: "below", price: "0.11" }],
    ] as const)
      assert.deepEqual(readTypedAlert(text, 2_900_000), { rules: [rule] }, text);
    assert.deepEqual(readTypedAlert("100 +100%", 1), { problem: "tooMuch" });
    assert.deepEqual(readTypedAlert("100 +x%", 1), { problem: "notANumber" });
  });

  it("about a way back is typed as two prices, and an edit shows the same text", () => {
    const typed = readTypedAlert("2,900,000 - 3,000,000.5", 2_800_000);
    const rule = { kind: "within", low: "2900000", high: "3000000.5" } as const;
    assert.deepEqual(typed, { rules: [rule] });
    assert.deepEqual(readTypedAlert(typedTextOf(rule), 1), typed);
    for (const wrong of ["5-3", "5-", "5-5", "0-5", "a-b"])
      assert.deepEqual(readTypedAlert(wrong, 1), { problem: "notANumber" }, wrong);
  });
});
