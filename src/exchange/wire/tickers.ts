import { pairKey, parseSymbol, type Pair, type SymbolOrder } from "../../market/pair.ts";
import { sameTicker, type Ticker } from "../../market/ticker.ts";
import type { Payload } from "./payload.ts";
import { isRecord } from "./exactJson.ts";

/** Tickers by pair key, and the symbols (or positions) of entries that could not be read. */
export interface TickersResponse {
  readonly tickers: ReadonlyMap<string, Ticker>;
  readonly unreadable: readonly string[];
}

interface Entry {
  /** Undefined if the entry names no pair. */
  readonly symbol: string | undefined;
  readonly entry: unknown;
  /** Key or index in the response. */
  readonly key: string;
}

/**
 * Decodes tickers parsed with plain numbers: an object keyed by symbol or an array, with either style of field names. A
 * pair listed twice with different figures is skipped, because the right ones are unknown. Undefined for another shape, or
 * if none of the entries could be read.
 */
export function decodeTickers({ content }: Payload, order: SymbolOrder): TickersResponse | undefined {
  const entries = entriesOf(content);
  if (!entries) return undefined;
  const quotes = quotesOf(entries, order);
  const tickers = new Map<string, Ticker>();
  const ambiguous = new Set<string>();
  const unreadable = new Set<string>();
  for (const { symbol, entry, key } of entries) {
    const pair = symbol === undefined ? undefined : parseSymbol(symbol, order, (asset) => quotes.has(asset));
    const name = pair && pairKey(pair);
    const before = name === undefined ? undefined : tickers.get(name);
    const isReadable = pair && isRecord(entry) && !ambiguous.has(pairKey(pair));
    const ticker = isReadable ? readTicker(pair, entry) : undefined;
    if (ticker && (!before || sameTicker(before, ticker))) tickers.set(ticker.symbol, ticker);
    else {
      unreadable.add(symbol ?? `#${key}`);
      if (name === undefined) continue;
      ambiguous.add(name);
      tickers.delete(name);
    }
  }
  return tickers.size === 0 && unreadable.size > 0 ? undefined : { tickers, unreadable: [...unreadable] };
}

/** The symbols of a response as the exchange writes them. */
export function symbolsIn({ content }: Payload): readonly string[] {
  return (entriesOf(content) ?? []).flatMap(({ symbol }) => symbol ?? []);
}

function entriesOf(content: unknown): readonly Entry[] | undefined {
  if (isRecord(content)) return Object.entries(content).map(([key, entry]) => ({ symbol: key, entry, key }));
  if (!Array.isArray(content)) return undefined;
  return content.map((entry: unknown, index) => {
    const symbol: unknown = isRecord(entry) ? entry["symbol"] : undefined;
    return { symbol: typeof symbol === "string" ? symbol : undefined, entry, key: String(index) };
  });
}

/** Quote assets of all symbols that can be split in only one way. */
function quotesOf(entries: readonly Entry[], order: SymbolOrder): ReadonlySet<string> {
  const pairs = entries.flatMap(({ symbol }) =>
    symbol === undefined ? [] : (parseSymbol(symbol, order) ?? []),
  );
  return new Set(pairs.map(({ quote }) => quote));
}

const PRICES = ["last", "highestBid", "highest_bid", "lowestAsk", "lowest_ask"];

/**
 * A new pair may have no trade and no offers yet, or offers of one side. Undefined for an entry without prices, and for an
 * invalid last price. Each field has one name in keyed objects and streams, and another in arrays. Some exchanges report
 * `change` as an amount, not a percentage.
 */
export function readTicker(pair: Pair, entry: Readonly<Record<string, unknown>>): Ticker | undefined {
  const last = price(entry["last"]);
  const bestBid = price(entry["highestBid"] ?? entry["highest_bid"]);
  const bestAsk = price(entry["lowestAsk"] ?? entry["lowest_ask"]);
  const isPriced = PRICES.some((key) => entry[key] !== undefined && entry[key] !== null);
  if (last === undefined && !(isPriced && isNothing(entry["last"]))) return undefined;
  return {
    symbol: pairKey(pair),
    pair,
    last,
    bestBid,
    bestAsk,
    high: price(entry["high24hr"] ?? entry["high_24_hr"]),
    low: price(entry["low24hr"] ?? entry["low_24_hr"]),
    baseVolume: volume(entry["baseVolume"] ?? entry["base_volume"]),
    quoteVolume: volume(entry["quoteVolume"] ?? entry["quote_volume"]),
    percentChange: number(entry["percentChange"] ?? entry["percent_change"]),
    frozen: isFrozen(entry["isFrozen"] ?? entry["is_frozen"]),
  };
}

/** Whether `last` is a placeholder for a pair without trades. Any other invalid price is an error of the service. */
function isNothing(last: unknown): boolean {
  return last === undefined || last === null || number(last) === 0;
}

/** Rates have at most 30 digits on either side of the point. Prices outside that range are invalid. */
const MIN_PRICE = 1e-30;
const PRICE_LIMIT = 1e30;

/** A finite number above zero, or text of one. */
export function price(value: unknown): number | undefined {
  const read = number(value) ?? 0;
  return read >= MIN_PRICE && read < PRICE_LIMIT ? read : undefined;
}

/** A number of zero or more, or text of one. */
export function volume(value: unknown): number | undefined {
  const read = number(value) ?? -1;
  return read >= 0 ? read : undefined;
}

const NUMBER = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/;

function number(value: unknown): number | undefined {
  const read = typeof value === "string" && NUMBER.test(value) ? Number(value) : value;
  return Number.isFinite(read) ? Number(read) : undefined;
}

/**
 * A missing flag or an explicit false means tradable. Anything else counts as frozen, because an order for a frozen
 * pair costs more than one that has to wait.
 */
function isFrozen(value: unknown): boolean {
  const isFree =
    value === undefined ||
    value === null ||
    value === 0 ||
    value === false ||
    (typeof value === "string" && /^(?:0|false)$/i.test(value));
  return !isFree;
}
