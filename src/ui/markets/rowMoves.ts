import * as vscode from "vscode";
import { drop, moveFavourite } from "../../desk/watchlist/edits.ts";
import { pairKey, pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { showStatusMessage } from "../statusMessage.ts";
import type { MarketRows } from "./marketRows.ts";

/** Handles a row dropped on another row or, without a target, on empty space. */
export async function dropRow(rows: MarketRows, dragged: Ticker, target: Ticker | undefined): Promise<void> {
  const { symbols, favourites } = rows.order;
  const rest = keysOf(rows, symbols.slice(favourites.length));
  const [key, on] = [pairKey(dragged.pair), target && pairKey(target.pair)];
  await rows.list.change((list) => drop(list, key, on, rest));
}

/** Moves a favourite up or down by one row, or shows that the row is not a favourite. */
export async function moveRow(rows: MarketRows, moved: Ticker, direction: "up" | "down"): Promise<void> {
  if (!rows.order.favourites.includes(moved.symbol)) {
    showStatusMessage(
      vscode.l10n.t("{0} is not a favourite. Only favourites can be moved.", pairName(moved.pair)),
    );
    return;
  }
  const shown = keysOf(rows, rows.order.favourites);
  await rows.list.change((list) => moveFavourite(list, pairKey(moved.pair), direction, shown));
}

function keysOf({ tickers }: MarketRows, symbols: readonly string[]): string[] {
  return symbols.flatMap((symbol) => {
    const ticker = tickers.ticker(symbol);
    return ticker ? [pairKey(ticker.pair)] : [];
  });
}
