import { build } from "esbuild";
import { openBrowser } from "../../tools/editor/openBrowser.ts";
import { root } from "../../tools/paths.ts";
import { compare, ratioFigure, type Figure } from "./measure.ts";

/** The candles alone take less than 4 ms; a frame at 60 Hz has 16 ms. */
const MAX_RATIO = 4;
const CANDLES = 1000;
const ROUNDS = 200;

/**
 * A page with a chart that has five studies and one that has none. `measure` changes the newest candle of both in turn; it resolves to
 * the ms that each change took, from the price to the end of the chart's own animation frame.
 */
const PAGE = `
import { usualParameters } from "./src/market/studies.ts";
import { ChartDrawing } from "./src/webview/chart/drawing.ts";
import { ChartFormat } from "./src/webview/chart/format.ts";
import { StudiedCandles } from "./src/webview/chart/studies/studiedCandles.ts";
import { readTheme } from "./src/webview/chart/theme.ts";

const candles = Array.from({ length: ${CANDLES} }, (_, index) => {
  const [open, close] = [index, index + 1].map((at) => 1000 + 50 * Math.sin(at / 9));
  return { time: 60_000 * index, open, close, high: Math.max(open, close) + 5, low: Math.min(open, close) - 5, volume: 1 };
});

const charts = [["ema", "bollinger", "vwap", "rsi", "macd"], []].map((shown) => {
  const container = document.createElement("div");
  container.style.cssText = "width: 900px; height: 700px";
  document.body.append(container);
  const drawing = new ChartDrawing(container, new ChartFormat("en"), readTheme(false));
  const studied = new StudiedCandles();
  studied.setShown(shown.map((id) => ({ id, parameters: usualParameters(id) })));
  studied.setCandles(candles, "1m");
  drawing.setSeries(studied.series, "1m");
  return { drawing, studied };
});

function change({ drawing, studied }, close) {
  const newest = { ...candles.at(-1), close, high: 1100, low: 900 };
  return new Promise((done) => {
    requestAnimationFrame(() => {
      let painting = 0;
      // Before the chart's own callback in the next frame, and after it.
      requestAnimationFrame(() => (painting = performance.now()));
      const begun = performance.now();
      studied.setNewest([...candles.slice(0, -1), newest]);
      drawing.setNewest(studied.series);
      const computed = performance.now() - begun;
      requestAnimationFrame(() => done(computed + performance.now() - painting));
    });
  });
}

globalThis.measure = async () => {
  const pairs = [];
  for (let round = -20; round < ${ROUNDS}; round += 1) {
    const pair = [];
    for (const chart of charts) pair.push(await change(chart, 1000 + (round % 40)));
    if (round >= 0) pairs.push(pair);
  }
  return pairs;
};`;

/** What a new price costs a chart with five studies, beside one with candles alone. */
export async function studiesFigure(): Promise<Figure> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: root, loader: "js" },
    bundle: true,
    format: "iife",
    write: false,
  });
  const browser = await openBrowser(console.log);
  try {
    const page = await browser.newPage({ viewport: { width: 920, height: 1420 } });
    await page.setContent("<!doctype html><body></body>");
    await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
    const pairs = await page.evaluate<[number, number][]>("measure()");
    const comparison = compare(pairs);
    const what = `studies: ${CANDLES} candles with EMA, Bollinger, VWAP, RSI and MACD redrawn for a new price (floor: the candles alone)`;
    return ratioFigure(what, comparison, MAX_RATIO);
  } finally {
    await browser.close();
  }
}
