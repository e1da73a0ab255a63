import type { Pair } from "./pair.ts";

/**
 * A pair's last 24 hours (api.md 2.3). Prices are in quote per base, finite and above zero; plain numbers, for display:
 * orders use decimal text.
 */
export interface Ticker {
  /** The pair's key (`pairKey`), whatever the exchange writes. Also identifies the row. */
  readonly symbol: string;
  readonly pair: Pair;
  /** Undefined for a new pair without trades. */
  readonly last: number | undefined;
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  readonly high: number | undefined;
  readonly low: number | undefined;
  readonly baseVolume: number | undefined;
  readonly quoteVolume: number | undefined;
  readonly percentChange: number | undefined;
  /** Listed, but trading is suspended. */
  readonly frozen: boolean;
}

/** Changes between two polls: rows to repaint, and whether rows were added or removed. */
export interface TickerChange {
  readonly changed: readonly string[];
  readonly rowsChanged: boolean;
}

/** Compares two snapshots keyed by symbol, in linear time. */
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
