import { knownBalance, totalOf, type Wallet } from "../balance.ts";
import { Decimal } from "../numbers/decimal.ts";
import { findPairs, type Pair } from "../pair.ts";
import type { Ticker } from "../ticker.ts";
import { Conversions } from "./conversions.ts";

const NOTHING = new Decimal("0");

/**
 * The quote asset to value an account in. Of the quote assets that it holds, the one worth most, through
 * other pairs if none is between two of them. If it holds none, the quote of most favourites (pair keys), else of most pairs.
 * Undefined in an empty market.
 */
export function mainQuote(
  tickers: ReadonlyMap<string, Ticker>,
  wallet: Wallet | undefined,
  favourites: readonly string[] = [],
): string | undefined {
  const quotes = byCount([...tickers.values()].map(({ pair }) => pair));
  const heldOf = (asset: string): Decimal => {
    const balance = knownBalance(wallet, asset);
    return balance ? totalOf(balance) : NOTHING;
  };
  const [first, ...others] = quotes.filter((asset) => heldOf(asset).gt(NOTHING));
  if (first === undefined)
    return byCount(findPairs(tickers, favourites).map(({ pair }) => pair))[0] ?? quotes[0];
  const listed = [...tickers.values()];
  return others.reduce((best, asset) => {
    const value = new Conversions(listed, best).of(asset)?.convert(heldOf(asset));
    return value?.gt(heldOf(best)) ? asset : best;
  }, first);
}

/** The asset to show values in: the user's choice, "" if there is none, if a pair has it, else the main quote asset. */
export function valueAsset(
  tickers: ReadonlyMap<string, Ticker>,
  wallet: Wallet | undefined,
  favourites: readonly string[],
  chosen: string,
): string | undefined {
  const isListed = [...tickers.values()].some(({ pair }) => pair.base === chosen || pair.quote === chosen);
  return isListed ? chosen : mainQuote(tickers, wallet, favourites);
}

/** The quote assets of the pairs, the most frequent first. */
function byCount(pairs: readonly Pair[]): readonly string[] {
  const groups = Map.groupBy(pairs, ({ quote }) => quote);
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([quote]) => quote);
}
