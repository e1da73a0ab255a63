import * as vscode from "vscode";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import { mostPinned } from "../desk/watchlist.ts";
import { drop, moveFavourite, pin } from "../desk/watchlistEdits.ts";
import { pairKey } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import type { MarketRows } from "./marketRows.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** What an edit looks at: the list, and the rows as they stand on screen. */
export interface EditParts {
  readonly rows: MarketRows;
  readonly tickers: TickerFeed;
  readonly list: WatchlistStore;
}

/** A row was dropped on another, or, without one, into the empty space. */
export async function dropRow(parts: EditParts, dragged: Ticker, target: Ticker | undefined): Promise<void> {
  const { symbols, favourites } = parts.rows.order;
  const rest = keysOf(parts, symbols.slice(favourites.length));
  const [key, on] = [pairKey(dragged.pair), target && pairKey(target.pair)];
  await parts.list.change((list) => drop(list, key, on, rest));
}

export async function moveRow(parts: EditParts, moved: Ticker, direction: "up" | "down"): Promise<void> {
  const shown = keysOf(parts, parts.rows.order.favourites);
  await parts.list.change((list) => moveFavourite(list, pairKey(moved.pair), direction, shown));
}

/** Says so when there is no room left. */
export async function pinPair({ list }: Pick<EditParts, "list">, { pair }: Ticker): Promise<void> {
  const key = pairKey(pair);
  await list.change((before) => pin(before, key));
  if (list.state.pinned.includes(key)) return;
  void vscode.window.showInformationMessage(
    vscode.l10n.t("The status bar holds {0} pairs. Unpin one of them first.", mostPinned),
  );
}

function keysOf({ tickers }: EditParts, symbols: readonly string[]): string[] {
  return symbols.flatMap((symbol) => {
    const ticker = tickers.ticker(symbol);
    return ticker ? [pairKey(ticker.pair)] : [];
  });
}
