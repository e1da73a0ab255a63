import type { Ticker } from "../ticker.ts";
import { type Decimal, decimalsOf, plainText, quotedPrice } from "./decimal.ts";

/** The most decimals that the rate of a bid can have. A column with more would be unreadable. */
const MOST_PLACES = 30;
const SIGNIFICANT_DIGITS = 12;

/**
 * The number of decimals of a pair's prices on one exchange. Few exchanges of this family state it, so it is
 * observed: the finest of last, best bid and best ask, and at least two from 1 upwards. An observed number is kept,
 * so that a column of prices does not jump when a price ends in a zero.
 */
export class PriceDecimals {
  readonly #seen = new Map<string, number>();

  /**
   * Decimals for showing the ticker's prices. Its prices count as observations. A price with more decimals than the `step`
   * that the exchange states is noise.
   */
  of({ symbol, last, bestBid, bestAsk }: Ticker, step?: Decimal): number {
    const prices = [last, bestBid, bestAsk].filter((price) => price !== undefined);
    const [first = 1] = prices;
    const observed = Math.max(this.#seen.get(symbol) ?? 0, finestOf(prices));
    this.#seen.set(symbol, observed);
    const stated = step ? decimalsOf(plainText(step)) : MOST_PLACES;
    return Math.max(Math.min(observed, stated, mostFor(first)), first >= 1 ? 2 : 0);
  }

  /** Forgets every pair: another exchange may quote the same symbol with other decimals. */
  clear(): void {
    this.#seen.clear();
  }
}

/**
 * A tiny bid far below the last price must not give its pair a column of zeros: twelve digits of the last price are
 * enough.
 */
function mostFor(price: number): number {
  return Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(price)));
}

/** The decimals that round none of these prices (all above zero) away; at least two if one is 1 or more. */
export function finestPlaces(prices: readonly number[]): number {
  return Math.max(finestOf(prices), ...prices.map((price) => (price >= 1 ? 2 : 0)));
}

function finestOf(prices: readonly number[]): number {
  return Math.min(MOST_PLACES, Math.max(0, ...prices.map((price) => decimalsOf(quotedPrice(price)))));
}
