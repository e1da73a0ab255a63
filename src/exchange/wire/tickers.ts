import { parseSymbol, type Pair, type SymbolOrder } from "../../market/pair.ts";
import { sameTicker, type Ticker } from "../../market/ticker.ts";
import type { Payload } from "./envelope.ts";
import { isRecord } from "../../market/exactJson.ts";

/** The market's tickers by wire symbol, and the symbols (or positions) of entries that could not be read. */
export interface TickersResponse {
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly unreadable: readonly string[];
}

/**
 * Every ticker of an answer that was read with plain numbers: an object keyed by symbol or an array, in either style
 * of field names. A pair that is listed twice with different figures is left out, because the right figures are
 * unknown. Undefined for another shape, or if there were entries and none could be read.
 */
export function decodeTickers(
  { content, repeated }: Payload,
  order: SymbolOrder,
): TickersResponse | undefined {
  const tickers = new Map<string, Ticker>();
  const unreadable = new Set<string>();

  function add(symbol: unknown, entry: unknown, key: string, name: string): void {
    const isReadable = typeof symbol === "string" && !repeated?.has(key) && !unreadable.has(symbol);
    const ticker = isReadable ? decodeTicker(symbol, entry, order) : undefined;
    const before = ticker && tickers.get(ticker.symbol);
    if (ticker && (!before || sameTicker(before, ticker))) tickers.set(ticker.symbol, ticker);
    else {
      unreadable.add(name);
      tickers.delete(name);
    }
  }

  if (Array.isArray(content)) {
    content.forEach((entry: unknown, index) => {
      const symbol: unknown = isRecord(entry) ? entry["symbol"] : undefined;
      add(symbol, entry, String(index), typeof symbol === "string" ? symbol : `#${index}`);
    });
  } else if (isRecord(content)) {
    for (const symbol of Object.keys(content)) add(symbol, content[symbol], symbol, symbol);
  } else return undefined;
  return tickers.size === 0 && unreadable.size > 0 ? undefined : { tickers, unreadable: [...unreadable] };
}

function decodeTicker(symbol: string, entry: unknown, order: SymbolOrder): Ticker | undefined {
  const pair = parseSymbol(symbol, order);
  return pair && isRecord(entry) ? readTicker(symbol, pair, entry) : undefined;
}

/**
 * The ticker of a pair; undefined without a readable last price. Each field has one name in keyed objects and streams,
 * and another in arrays. The field `change` of some exchanges is an amount, not a percentage.
 */
export function readTicker(
  symbol: string,
  pair: Pair,
  entry: Readonly<Record<string, unknown>>,
): Ticker | undefined {
  const last = price(entry["last"]);
  if (last === undefined) return undefined;
  return {
    symbol,
    pair,
    last,
    bestBid: price(entry["highestBid"] ?? entry["highest_bid"]),
    bestAsk: price(entry["lowestAsk"] ?? entry["lowest_ask"]),
    high: price(entry["high24hr"] ?? entry["high_24_hr"]),
    low: price(entry["low24hr"] ?? entry["low_24_hr"]),
    baseVolume: volume(entry["baseVolume"] ?? entry["base_volume"]),
    quoteVolume: volume(entry["quoteVolume"] ?? entry["quote_volume"]),
    percentChange: number(entry["percentChange"] ?? entry["percent_change"]),
    frozen: isFrozen(entry["isFrozen"] ?? entry["is_frozen"]),
  };
}

/** A rate has at most 30 digits on either side of the point. A price outside of that range is no price. */
const LEAST_PRICE = 1e-30;
const PRICE_LIMIT = 1e30;

/** A valid price: a finite number above zero, or the text of one. */
export function price(value: unknown): number | undefined {
  const read = number(value) ?? 0;
  return read >= LEAST_PRICE && read < PRICE_LIMIT ? read : undefined;
}

/** An amount of zero or more, or the text of one. */
export function volume(value: unknown): number | undefined {
  const read = number(value) ?? -1;
  return read >= 0 ? read : undefined;
}

const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

function number(value: unknown): number | undefined {
  const read = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return Number.isFinite(read) ? Number(read) : undefined;
}

/** Only a clear no means tradable: an order for a frozen pair costs more than an order that has to wait. */
function isFrozen(value: unknown): boolean {
  const isFree =
    value === undefined ||
    value === null ||
    value === 0 ||
    value === false ||
    (typeof value === "string" && /^(?:0|false)$/i.test(value));
  return !isFree;
}
