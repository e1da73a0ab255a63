import assert from "node:assert/strict";
import { intervalMs, type Candle } from "../../src/market/candle.ts";
import { candlesOf, ChartPage } from "../support/chartPage.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** Candles of one price each, a minute apart; the newest begins at noon. */
const flat = (...prices: readonly number[]): Candle[] =>
  prices.map((price, index) => ({
    time: NOON + (index + 1 - prices.length) * intervalMs["1m"],
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 1,
  }));

/** The candle under way at noon. */
const newest = (price: number): Candle => flat(price)[0] ?? assert.fail();

describe("the page of a chart", () => {
  let chart: ChartPage;

  beforeEach(async () => {
    chart = await ChartPage.open("THB_PEPE");
  });
  afterEach(() => chart.close());

  it("shows small prices in full before the market was read at all", async () => {
    await chart.show(candlesOf(flat(0.000_001_2, 0.000_001_23)));
    assert.equal(await chart.text("legend-close"), "0.00000123");
    assert.equal(await chart.get("rows").locator("td").first().textContent(), "0.00000123");
    await chart.show({ type: "candle", candle: newest(0.000_001_234) });
    assert.equal(await chart.text("legend-close"), "0.000001234");
    assert.equal(await chart.get("rows").locator("td").nth(5).textContent(), "0.000001200", "all rows alike");
  });
});
