import * as vscode from "vscode";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import { drop, moveFavourite } from "../../desk/watchlist/edits.ts";
import { pairKey, pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { showStatusMessage } from "../statusMessage.ts";
import type { MarketRows } from "./marketRows.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** The list, and the rows as they are shown. */
export interface DragParts {
  readonly rows: MarketRows;
  readonly tickers: TickerFeed;
  readonly list: WatchlistStore;
}

/** A row was dropped on another row, or without a target into the empty space. */
export async function dropRow(parts: DragParts, dragged: Ticker, target: Ticker | undefined): Promise<void> {
  const { symbols, favourites } = parts.rows.order;
  const rest = keysOf(parts, symbols.slice(favourites.length));
  const [key, on] = [pairKey(dragged.pair), target && pairKey(target.pair)];
  await parts.list.change((list) => drop(list, key, on, rest));
}

/** Moves a favourite up or down by one row; says so if the row is no favourite. */
export async function moveRow(parts: DragParts, moved: Ticker, direction: "up" | "down"): Promise<void> {
  if (!parts.rows.order.favourites.includes(moved.symbol)) {
    showStatusMessage(
      vscode.l10n.t("{0} is not a favourite. Only favourites can be moved.", pairName(moved.pair)),
    );
    return;
  }
  const shown = keysOf(parts, parts.rows.order.favourites);
  await parts.list.change((list) => moveFavourite(list, pairKey(moved.pair), direction, shown));
}

function keysOf({ tickers }: DragParts, symbols: readonly string[]): string[] {
  return symbols.flatMap((symbol) => {
    const ticker = tickers.ticker(symbol);
    return ticker ? [pairKey(ticker.pair)] : [];
  });
}
