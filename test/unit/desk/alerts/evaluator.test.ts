import assert from "node:assert/strict";
import { Evaluator } from "../../../../src/desk/alerts/evaluator.ts";
import type { Alert, AlertRule } from "../../../../src/market/alertRule.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";

const MINUTE = 60_000;
const above: AlertRule = { kind: "above", price: "110" };

function alertOf(rule: AlertRule, more: Partial<Alert> = {}): Alert {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    venue: "practice",
    origin: "http://127.0.0.1:1",
    symbol: "THB_BTC",
    rule,
    repeats: false,
    isOn: true,
    phase: "armed",
    armedAt: 0,
    round: 0,
    ...more,
  };
}

/** The evaluator's result for one alert at each price; `.` means no result. */
function verdicts(
  alert: Alert,
  readings: readonly (readonly [at: number, last: number | Partial<Ticker>])[],
) {
  const evaluator = new Evaluator();
  return readings.map(([at, last]) => {
    const ticker = tickerOf("THB_BTC", typeof last === "number" ? { last } : last);
    const [due] = evaluator.evaluate([alert], () => ticker, at);
    return due?.transition ?? ".";
  });
}

describe("the evaluator of alerts", () => {
  it("lets an alert fire at its price and beyond, and never before the alert was turned on", () => {
    assert.deepEqual(
      verdicts(alertOf(above, { armedAt: 2 }), [
        [1, 111],
        [2, 109.99],
        [3, 110],
        [4, 200],
      ]),
      [".", ".", "fires", "fires"],
    );
  });

  it("makes a fired alert ready again after the price has moved back by half a percent", () => {
    assert.deepEqual(
      verdicts(alertOf(above, { phase: "waiting", repeats: true }), [
        [1, 111],
        [2, 109.5],
        [3, 109.4],
      ]),
      [".", ".", "arms"],
    );
  });

  it("measures a change only within the alert's minutes", () => {
    const change: AlertRule = { kind: "change", percent: "5", minutes: 1 };
    assert.deepEqual(
      verdicts(alertOf(change), [
        [0, 100],
        [2 * MINUTE, 106],
        [2 * MINUTE + 30_000, 112],
      ]),
      [".", ".", "fires"],
    );
  });

  it("ignores a frozen pair, a price of zero and an unlisted pair", () => {
    assert.deepEqual(
      verdicts(alertOf(above), [
        [1, { last: 200, frozen: true }],
        [2, 0],
      ]),
      [".", "."],
    );
    assert.deepEqual(
      new Evaluator().evaluate([alertOf(above)], () => undefined, 1),
      [],
    );
  });

  it("forgets past prices when it is cleared", () => {
    const alert = alertOf({ kind: "change", percent: "5", minutes: 5 });
    const evaluator = new Evaluator();
    const dueAt = (last: number, at: number) =>
      evaluator.evaluate([alert], () => tickerOf("THB_BTC", { last }), at).length;
    assert.equal(dueAt(100, 1), 0);
    evaluator.clear();
    assert.equal(dueAt(106, 2), 0);
    assert.equal(dueAt(112, 3), 1);
  });
});
