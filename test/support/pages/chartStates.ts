import assert from "node:assert/strict";
import type { Candle } from "../../../src/market/candle.ts";
import { intervals } from "../../../src/market/intervals.ts";
import type { ChartMark } from "../../../src/protocol/chartMarks.ts";
import type { ToChart } from "../../../src/protocol/chart.ts";
import {
  candlesOf,
  ChartPage,
  drawnMark,
  fillMark,
  lineMark,
  marketOf,
  selectedLine,
  studiesOf,
  trendMark,
} from "./chart.ts";
import type { PageState } from "./states.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const COUNT = 120;

const price = (exact: number): number => Number(exact.toFixed(2));

/** Two hours of candles around 3.1 million, half of which rise. */
const CANDLES: readonly Candle[] = Array.from({ length: COUNT }, (_, index) => {
  const open = price(3_101_800.53 + 900 * Math.sin(index / 9));
  const close = price(3_101_800.53 + 900 * Math.sin((index + 1) / 9));
  return {
    time: NOON + (index + 1 - COUNT) * intervals["1m"].ms,
    open,
    high: price(Math.max(open, close) + 120),
    low: price(Math.min(open, close) - 120),
    close,
    volume: price(0.5 + Math.abs(Math.sin(index))),
  };
});

const MARKS: readonly ChartMark[] = [
  lineMark("averageCost", "3000000", "Average cost", "Average cost 3,000,000.00"),
  selectedLine(lineMark("order", "3101500", "Buy 0.5", "Open order: Buy 0.5 at 3,101,500.00 (selected)")),
  lineMark("alert", "3102400", "Alert ↑", "Alert: rises to 3,102,400.00"),
  drawnMark("1", "3102700", "Resistance"),
  trendMark(
    "2",
    { at: NOON - 100 * intervals["1m"].ms, price: "3100900" },
    { at: NOON - 20 * intervals["1m"].ms, price: "3101300" },
    "Support",
  ),
  fillMark("up", NOON - 30 * intervals["1m"].ms, "Bought 0.1 at 3,101,800.53, 11:30:00 AM"),
  fillMark("down", NOON - 9 * intervals["1m"].ms, "Sold 0.1 at 3,102,100.00, 11:51:00 AM"),
];

const MARKET = {
  last: "3101800.53",
  bestBid: "3101799.53",
  bestAsk: "3101801.53",
  canAsk: true,
  shownMarks: { orders: true, fills: true, averageCost: false },
};

const LIVE = { name: "api.example.com", live: true };

async function chartWith(...messages: readonly ToChart[]): Promise<ChartPage> {
  const chart = await ChartPage.open("THB_BTC");
  await chart.show(...messages);
  return chart;
}

/** Puts the pointer on the chart, where the crosshair's buttons then are. */
async function point(chart: ChartPage): Promise<ChartPage> {
  const { x, y, width, height } = (await chart.get("chart").boundingBox()) ?? assert.fail("no chart");
  await chart.page.mouse.move(x + width / 2, y + height / 3, { steps: 3 });
  await chart.get("pick").waitFor();
  return chart;
}

/** Every state of a chart that looks different. */
export const chartStates: readonly PageState[] = [
  {
    name: "chart",
    open: async () =>
      await point(await chartWith(marketOf(MARKET), candlesOf(CANDLES), { type: "marks", marks: MARKS })),
  },
  {
    name: "chart-live",
    open: async () => {
      const market = marketOf({ ...MARKET, venue: LIVE, locked: true });
      const chart = await chartWith(market, candlesOf(CANDLES));
      // Keys put the crosshair on a candle, and the focus is shown.
      for (const key of ["End", "ArrowDown"]) await chart.page.keyboard.press(key);
      return chart;
    },
  },
  {
    name: "chart-studies",
    open: async () => {
      const shown = ["sma", "ema", "bollinger", "vwap", "volume", "rsi", "macd"] as const;
      return await point(
        await chartWith(marketOf(MARKET), candlesOf(CANDLES), studiesOf({}, shown), {
          type: "marks",
          marks: MARKS,
        }),
      );
    },
  },
  {
    name: "chart-line",
    open: async () => {
      const chart = await chartWith(marketOf(MARKET), candlesOf(CANDLES), { type: "marks", marks: MARKS });
      // The trend line is the last one.
      for (const key of ["Shift+n", "Shift+n", "Shift+n"]) await chart.page.keyboard.press(key);
      await chart.get("line-tools").waitFor();
      return chart;
    },
  },
  {
    name: "chart-table",
    open: async () => {
      const chart = await chartWith(marketOf(MARKET), candlesOf(CANDLES.slice(-8)));
      await chart.choose("table-toggle");
      return chart;
    },
  },
  {
    name: "chart-menu",
    open: async () => {
      const chart = await chartWith(marketOf(MARKET), candlesOf(CANDLES));
      await chart.get("menu-button").click();
      // One item has the focus, and another one the pointer.
      await chart.get("table-toggle").hover();
      return chart;
    },
  },
  {
    name: "chart-keys",
    open: async () => {
      const chart = await chartWith(marketOf(MARKET), candlesOf(CANDLES));
      await chart.choose("keys-toggle");
      return chart;
    },
  },
  {
    name: "chart-failed",
    open: () =>
      chartWith(marketOf({ ...MARKET, venue: LIVE, note: "Waiting for api.example.com to respond." }), {
        type: "failed",
        text: "The price history cannot be shown: api.example.com did not respond within 10 s.",
        action: "Show Log",
      }),
  },
  {
    name: "chart-no-history",
    open: () =>
      chartWith(
        marketOf({ ...MARKET, shownMarks: undefined }),
        candlesOf(CANDLES.slice(-2), {
          leastVolume: true,
          note: "No price history yet. Bidside records prices while it runs.",
          action: "Set History Path",
        }),
        { type: "age", text: "Prices are 75 sec old." },
      ),
  },
];
