import { valueAsset } from "../../market/holdings/mainQuote.ts";
import { portfolioOf, type Portfolio } from "../../market/holdings/portfolio.ts";
import type { BalanceFeed } from "../feeds/balanceFeed.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { WatchListsStore } from "../watchLists/watchListsStore.ts";
import type { HeldElsewhereList } from "./heldElsewhereList.ts";

export interface PortfolioDesk {
  readonly balances: Pick<BalanceFeed, "state" | "needsCredentials">;
  readonly tickers: Pick<TickerFeed, "state">;
  readonly watchLists: Pick<WatchListsStore, "state">;
  readonly elsewhere: Pick<HeldElsewhereList, "list">;
}

/** The asset to value in: the `chosen` one if a pair has it, else the account's; undefined in an empty market. */
export function valueAssetNow(
  { balances, tickers, watchLists }: PortfolioDesk,
  chosen: string,
): string | undefined {
  const [favourites] = watchLists.state.lists;
  return valueAsset(tickers.state.tickers, balances.state.wallet, favourites.pairs, chosen);
}

/**
 * The account and the holdings elsewhere, valued at last prices. Without a market nothing has a value. Undefined before
 * the first balance, and without a key if there is nothing elsewhere.
 */
export function portfolioNow(desk: PortfolioDesk, chosen: string): Portfolio | undefined {
  const { balances, tickers, elsewhere } = desk;
  const { list } = elsewhere;
  const wallet =
    balances.state.wallet ?? (balances.needsCredentials && list.length > 0 ? new Map() : undefined);
  return (
    wallet && portfolioOf(wallet, tickers.state.tickers.values(), valueAssetNow(desk, chosen) ?? "", list)
  );
}
