import type { Market } from "../market/market.ts";
import { historyErrorText, historyText } from "./wire.ts";

const MINUTE = 60_000;

/** Candle length in ms, by UDF name. */
const RESOLUTIONS: ReadonlyMap<string, number> = new Map([
  ["1", MINUTE],
  ["5", 5 * MINUTE],
  ["15", 15 * MINUTE],
  ["60", 60 * MINUTE],
  ["240", 240 * MINUTE],
  ["1D", 1440 * MINUTE],
  ["D", 1440 * MINUTE],
]);

/** As many as a chart shows. If more are requested, only the newest are returned. */
const MAX_CANDLES = 1500;

/**
 * Handles `GET /tradingview/history?symbol=BTC_THB&resolution=1&from=…&to=…`, with times in seconds and `symbol` in either
 * order.
 */
export function answerHistory(query: URLSearchParams, market: Market, now: number): string {
  const symbol = listedSymbol(query.get("symbol") ?? "", market);
  if (symbol === undefined) return historyErrorText("No such symbol.");
  const length = RESOLUTIONS.get(query.get("resolution") ?? "");
  if (length === undefined) return historyErrorText("The resolution must be 1, 5, 15, 60, 240 or 1D.");
  const [from, to] = [secondsOf(query.get("from")), secondsOf(query.get("to"))];
  if (from === undefined || to === undefined || from > to) {
    return historyErrorText("from and to must be whole seconds, from not after to.");
  }
  const end = Math.min(to * 1000, now);
  const last = Math.floor(end / length);
  const first = Math.max(Math.ceil((from * 1000) / length), last - MAX_CANDLES + 1);
  const times = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * length);
  return historyText(
    times,
    times.map((time) => market.candle(symbol, time, Math.min(time + length, now))),
  );
}

/** Histories of this family name pairs `BTC_THB`; `THB_BTC` is accepted as well. */
function listedSymbol(symbol: string, market: Market): string | undefined {
  const swapped = symbol.split("_").toReversed().join("_");
  return [symbol, swapped].find((each) => market.find(each) !== undefined);
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
