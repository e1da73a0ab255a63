import type { Pair } from "./pair.ts";

/**
 * One pair's last 24 hours (spec 2.3). Prices are quote per one base. These are plain numbers for display: an order
 * uses decimal text. Every price is finite and above zero.
 */
export interface Ticker {
  /** The pair's key (`pairKey`), whatever the exchange writes. It also identifies the row. */
  readonly symbol: string;
  readonly pair: Pair;
  /** Undefined for a new pair with offers but no trade yet. */
  readonly last: number | undefined;
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly baseVolume: number | undefined;
  readonly quoteVolume: number | undefined;
  readonly percentChange: number | undefined;
  /** Listed, but trading is stopped. */
  readonly frozen: boolean;
}

/** The changes of a refresh: symbols of rows to repaint, and whether rows were added or removed. */
export interface TickerChange {
  readonly changed: readonly string[];
  readonly rowsChanged: boolean;
}

/** Compares two readings of the market; both maps are keyed by symbol. Work is linear in the rows. */
export function compareTickers(
  before: ReadonlyMap<string, Ticker>,
  after: ReadonlyMap<string, Ticker>,
): TickerChange {
  const changed: string[] = [];
  if (before === after) return { changed, rowsChanged: false };
  let rowsChanged = before.size !== after.size;
  for (const [symbol, ticker] of after) {
    const old = before.get(symbol);
    if (!old) rowsChanged = true;
    else if (old !== ticker && !sameTicker(old, ticker)) changed.push(symbol);
  }
  return { changed, rowsChanged };
}

/** Whether two tickers of one pair are equal. */
export function sameTicker(a: Ticker, b: Ticker): boolean {
  return (
    a.last === b.last &&
    a.bestBid === b.bestBid &&
    a.bestAsk === b.bestAsk &&
    a.percentChange === b.percentChange &&
    a.high === b.high &&
    a.low === b.low &&
    a.baseVolume === b.baseVolume &&
    a.quoteVolume === b.quoteVolume &&
    a.frozen === b.frozen
  );
}
