import { priceText } from "./decimal.ts";
import type { Ticker } from "./ticker.ts";

/** What a binary floating-point number carries exactly; more digits are what a service's own arithmetic left over. */
const EXACT_DIGITS = 15;
const MOST_PLACES = 20;

/**
 * How many decimals a pair's prices have. No service of this family states it, so it is what was observed: the finest of
 * last, best bid and best ask, and at least two from 1 upwards. What was once seen is kept, so that a column of prices
 * does not jump when one happens to end in a zero.
 */
export class PricePlaces {
  readonly #seen = new Map<string, number>();

  /** Decimals to show the ticker's prices with; takes its prices in as observations. */
  of({ symbol, last, bestBid, bestAsk }: Ticker): number {
    const prices = [last, bestBid ?? last, bestAsk ?? last];
    const observed = Math.max(this.#seen.get(symbol) ?? 0, ...prices.map(quotedPlaces));
    this.#seen.set(symbol, observed);
    return Math.min(MOST_PLACES, Math.max(observed, placesOf(priceText(last)), last >= 1 ? 2 : 0));
  }
}

/**
 * Decimals with which none of these prices, all above zero, is rounded away: the finest that one is quoted with, at least
 * two from 1 upwards, and at least three digits of the smallest.
 */
export function finestPlaces(prices: readonly number[]): number {
  const least = Math.min(...prices);
  const leading = least >= 1 ? 2 : placesOf(priceText(Number(least.toPrecision(3))));
  return prices.length === 0 ? 0 : Math.min(MOST_PLACES, Math.max(leading, ...prices.map(quotedPlaces)));
}

function quotedPlaces(price: number): number {
  const text = priceText(price);
  const digits = text.replace(/^0?\.?0*/, "").replace(".", "");
  return digits.length > EXACT_DIGITS ? 0 : placesOf(text);
}

function placesOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}
