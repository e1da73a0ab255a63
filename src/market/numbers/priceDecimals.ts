import type { Ticker } from "../ticker.ts";
import { type Decimal, decimalsOf, plainText, quotedPrice } from "./decimal.ts";

/** Maximum decimals of a bid's rate. A column with more would be unreadable. */
const MAX_PLACES = 30;
const SIGNIFICANT_DIGITS = 12;

/**
 * Decimals of each pair's prices at one exchange. Few exchanges of this family report them, so they are observed: the
 * most decimals of last, best bid and best ask, and at least two for prices from 1. They never decrease, so that a
 * column does not jump when a price ends in zero.
 */
export class PriceDecimals {
  readonly #seen = new Map<string, number>();

  /**
   * Decimals to show the ticker's prices with, which also count as observations. Decimals beyond the exchange's `step`
   * are noise.
   */
  of({ symbol, last, bestBid, bestAsk }: Ticker, step?: Decimal): number {
    const prices = [last, bestBid, bestAsk].filter((price) => price !== undefined);
    const [first = 1] = prices;
    const observed = Math.max(this.#seen.get(symbol) ?? 0, finestOf(prices));
    this.#seen.set(symbol, observed);
    const stated = step ? decimalsOf(plainText(step)) : MAX_PLACES;
    return Math.max(Math.min(observed, stated, mostFor(first)), first >= 1 ? 2 : 0);
  }

  /** Another exchange may quote the same symbol with other decimals. */
  clear(): void {
    this.#seen.clear();
  }
}

/**
 * A tiny bid far below the last price must not give its pair a column of zeros: twelve digits of the last price
 * suffice.
 */
function mostFor(price: number): number {
  return Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(price)));
}

/** Decimals needed to show all these prices (above zero) without rounding; at least two if one is 1 or more. */
export function finestPlaces(prices: readonly number[]): number {
  return Math.max(finestOf(prices), ...prices.map((price) => (price >= 1 ? 2 : 0)));
}

function finestOf(prices: readonly number[]): number {
  return Math.min(MAX_PLACES, Math.max(0, ...prices.map((price) => decimalsOf(quotedPrice(price)))));
}
