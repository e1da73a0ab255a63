import type { Balance } from "../../market/balance.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { fieldsOf, readJson, repeatedKey } from "../json.ts";
import type { PracticeCandle } from "../market/candles.ts";
import type { PracticeTicker } from "../market/market.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const NOT_AN_OBJECT = { problem: "The body must be one JSON object." };

/**
 * Parses a JSON object with numbers as `JsonNumber`. Returns an error message if the bytes are not one, or if a key is
 * duplicated.
 */
export function readObject(
  bytes: Uint8Array,
): { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(bytes);
    value = readJson(text);
  } catch {
    return NOT_AN_OBJECT;
  }
  const fields = fieldsOf(value);
  if (!fields) return NOT_AN_OBJECT;
  const twice = repeatedKey(text);
  return twice === undefined
    ? { fields }
    : { problem: `The body has the field ${twice.slice(0, 100)} twice.` };
}

/** Success envelope (api.md 2.1), with the fields beside the code. */
export function successText(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ error: 0, ...fields });
}

/** Error envelope, with a short message for humans. */
export function errorText(error: number, message: string): string {
  return JSON.stringify({ error, message });
}

/** Success envelope of generation C. */
export function dataText(data: unknown): string {
  return JSON.stringify({ code: "0", message: "success", data });
}

/** Error envelope of generation C, where codes are text. */
export function dataErrorText(code: string, message: string): string {
  return JSON.stringify({ code, message, data: {} });
}

/** All pairs by symbol, with numbers without exponent. */
export function tickersResult(tickers: readonly PracticeTicker[]): unknown {
  return Object.fromEntries(
    tickers.map((ticker) => [
      ticker.symbol,
      {
        id: ticker.id,
        last: exactNumber(ticker.last),
        lowestAsk: exactNumber(ticker.ask),
        highestBid: exactNumber(ticker.bid),
        percentChange: exactNumber(ticker.percentChange),
        baseVolume: exactNumber(ticker.baseVolume),
        quoteVolume: exactNumber(ticker.quoteVolume),
        isFrozen: ticker.frozen ? 1 : 0,
        high24hr: exactNumber(ticker.high),
        low24hr: exactNumber(ticker.low),
      },
    ]),
  );
}

/** All pairs as rows of text, base first, without a frozen flag, as the current API returns them. */
export function tickerRows(tickers: readonly PracticeTicker[]): unknown {
  return tickers.map(({ symbol, last, ask, bid, percentChange, baseVolume, quoteVolume, high, low }) => ({
    symbol: symbol.split("_").toReversed().join("_"),
    last: digitsOf(last),
    lowest_ask: digitsOf(ask),
    highest_bid: digitsOf(bid),
    percent_change: digitsOf(percentChange),
    base_volume: digitsOf(baseVolume),
    quote_volume: digitsOf(quoteVolume),
    high_24_hr: digitsOf(high),
    low_24_hr: digitsOf(low),
  }));
}

/** Service components, all healthy. */
export const statusRows: unknown = [
  { name: "Market data", status: "ok", message: "" },
  { name: "Trading", status: "ok", message: "" },
];

/** Available amounts by asset. */
export function walletResult(wallet: ReadonlyMap<string, Balance>): unknown {
  return Object.fromEntries(Array.from(wallet, ([asset, { available }]) => [asset, exact(available)]));
}

/** Available and reserved amounts by asset. */
export function balancesResult(wallet: ReadonlyMap<string, Balance>): unknown {
  return Object.fromEntries(
    Array.from(wallet, ([asset, { available, reserved }]) => [
      asset,
      { available: exact(available), reserved: exact(reserved) },
    ]),
  );
}

/** Balances as rows, for generation C: available, reserved and total amounts as text. */
export function balanceRows(wallet: ReadonlyMap<string, Balance>): unknown {
  return Array.from(wallet, ([currency, { available, reserved }]) => ({
    currency,
    available: available.toFixed(),
    reserved: reserved.toFixed(),
    total: available.plus(reserved).toFixed(),
  }));
}

/** Available amounts by asset, for generation C. */
export function assetTexts(wallet: ReadonlyMap<string, Balance>): unknown {
  return Object.fromEntries(Array.from(wallet, ([asset, { available }]) => [asset, available.toFixed()]));
}

/** A history in the open UDF format, without an envelope: times in seconds, one array per field. */
export function historyText(times: readonly number[], candles: readonly PracticeCandle[]): string {
  if (candles.length === 0) return JSON.stringify({ s: "no_data" });
  const list = (field: keyof PracticeCandle): unknown[] =>
    candles.map((candle) => exactNumber(candle[field]));
  return JSON.stringify({
    s: "ok",
    t: times.map((time) => time / 1000),
    o: list("open"),
    h: list("high"),
    l: list("low"),
    c: list("close"),
    v: list("volume"),
  });
}

/** UDF error. */
export function historyErrorText(message: string): string {
  return JSON.stringify({ s: "error", errmsg: message });
}

/** Exact digits as a JSON number without exponent. */
export function exact(value: Decimal): unknown {
  return JSON.rawJSON(value.toFixed());
}

/** A price or volume: the shortest digits that parse to the same number, without exponent. */
export function exactNumber(value: number): unknown {
  const text = digitsOf(value);
  return text === String(value) ? value : JSON.rawJSON(text);
}

function digitsOf(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(8).replace(/\.?0+$/, "") : text;
}
