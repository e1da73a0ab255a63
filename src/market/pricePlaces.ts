import { decimalsOf, quotedPrice } from "./decimal.ts";
import type { Ticker } from "./ticker.ts";

/** As many decimals as the rate of a bid can have; a column with more could not be read. */
const MOST_PLACES = 30;
const SIGNIFICANT_DIGITS = 12;

/**
 * How many decimals a pair's prices have on one exchange. No service of this family states it, so it is what was
 * observed: the finest of last, best bid and best ask, and at least two from 1 upwards. What was seen once is kept, so
 * that a column of prices does not jump when one happens to end in a zero.
 */
export class PricePlaces {
  readonly #seen = new Map<string, number>();

  /** Decimals to show the ticker's prices with. Takes its prices in as observations. */
  of({ symbol, last, bestBid, bestAsk }: Ticker): number {
    const prices = [last, bestBid ?? last, bestAsk ?? last];
    const observed = Math.max(this.#seen.get(symbol) ?? 0, finestOf(prices));
    this.#seen.set(symbol, observed);
    return Math.max(Math.min(observed, mostFor(last)), last >= 1 ? 2 : 0);
  }

  /** Forgets every pair: another exchange may quote the same symbol with other decimals. */
  clear(): void {
    this.#seen.clear();
  }
}

/** A bid of dust far below the last price gives its pair no column of zeros: twelve digits of the last price are enough. */
function mostFor(last: number): number {
  return Math.max(0, SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(last)));
}

/** Decimals with which none of these prices, all above zero, is rounded away; at least two where one is 1 or more. */
export function finestPlaces(prices: readonly number[]): number {
  return Math.max(finestOf(prices), ...prices.map((price) => (price >= 1 ? 2 : 0)));
}

function finestOf(prices: readonly number[]): number {
  return Math.min(MOST_PLACES, Math.max(0, ...prices.map((price) => decimalsOf(quotedPrice(price)))));
}
