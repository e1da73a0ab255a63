import * as vscode from "vscode";
import type { watchCommandIds } from "../../contributions.ts";
import { star, unpin, unstar } from "../../desk/watchlist/edits.ts";
import { sortKeys, type Sort } from "../../desk/watchlist/watchlist.ts";
import { pairKey, pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { choose } from "../quickInput.ts";
import { amountsAreHidden, saveAmountsAreHidden } from "../settings.ts";
import { type FindParts, pickPair, revealPair } from "./pairPicker.ts";
import { pinPair } from "./pinPair.ts";
import { moveRow } from "./rowMoves.ts";
import { sortName } from "./sortText.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

export type WatchParts = FindParts;

/** Runs a command of the Markets view. `given` is the argument from the editor. */
export async function runWatchCommand(
  parts: WatchParts,
  name: keyof typeof watchCommandIds,
  given: unknown,
): Promise<void> {
  const { list } = parts;
  switch (name) {
    case "findPair": {
      const found = await pickPair(parts, vscode.l10n.t("Find a Pair"));
      if (found) await revealPair(parts, found.symbol);
      break;
    }
    case "sortMarkets":
      await pickSort(list);
      break;
    case "showFavourites":
    case "showAllPairs":
      await list.change((before) => ({ ...before, favouritesOnly: name === "showFavourites" }));
      break;
    case "star":
      await onPair(vscode.l10n.t("Add to Favourites"), ({ pair }) =>
        list.change((before) => star(before, pairKey(pair))),
      );
      break;
    case "unstar":
      await onPair(vscode.l10n.t("Remove from Favourites"), ({ pair }) =>
        list.change((before) => unstar(before, pairKey(pair))),
      );
      break;
    case "moveFavouriteUp":
    case "moveFavouriteDown": {
      const direction = name === "moveFavouriteUp" ? "up" : "down";
      const meant = await rowMeant(parts, given);
      const moved = given === undefined ? await favouriteMeant(parts, meant, direction) : meant;
      if (moved) await moveRow(parts, moved, direction);
      break;
    }
    case "pin":
      await onPair(vscode.l10n.t("Pin to Status Bar"), (ticker) => pinPair(list, ticker));
      break;
    case "unpin":
      await onPair(vscode.l10n.t("Unpin from Status Bar"), ({ pair }) =>
        list.change((before) => unpin(before, pairKey(pair))),
      );
      break;
    case "togglePrivacy":
    case "showAmounts":
      await saveAmountsAreHidden(!amountsAreHidden());
      break;
  }

  async function onPair(title: string, act: (ticker: Ticker) => Promise<void>): Promise<void> {
    const meant = (await rowMeant(parts, given)) ?? (await pickPair(parts, title));
    if (meant) await act(meant);
  }
}

/** The row on which a command was called, else the selected row. */
async function rowMeant({ tickers, markets }: WatchParts, given: unknown): Promise<Ticker | undefined> {
  const symbol = (await markets.rowMeant(given)) ?? markets.view.selection[0]?.symbol;
  return symbol === undefined ? undefined : tickers.ticker(symbol);
}

/**
 * The favourite to move if the command comes from the palette: the selected row, or else a favourite that the person
 * chooses. Undefined if no favourite can be moved, and the person is told why.
 */
async function favouriteMeant(
  { rows, tickers }: WatchParts,
  selected: Ticker | undefined,
  direction: "up" | "down",
): Promise<Ticker | undefined> {
  const { favourites } = rows.order;
  const movable = direction === "up" ? favourites.slice(1) : favourites.slice(0, -1);
  if (selected && movable.includes(selected.symbol)) return selected;
  if (movable.length === 0) {
    void vscode.window.showInformationMessage(
      favourites.length === 0
        ? vscode.l10n.t("You have no favourites here. Add one with the star of its row in Markets.")
        : vscode.l10n.t("You have one favourite here, so there is nothing to move."),
    );
    return undefined;
  }
  const chosen = await choose(
    movable.flatMap((symbol) => {
      const ticker = tickers.ticker(symbol);
      return ticker ? [{ label: pairName(ticker.pair), ticker }] : [];
    }),
    {
      title: direction === "up" ? vscode.l10n.t("Move Favourite Up") : vscode.l10n.t("Move Favourite Down"),
      placeHolder: vscode.l10n.t("Choose the favourite to move"),
    },
  );
  return chosen?.ticker;
}

interface SortEntry extends vscode.QuickPickItem {
  readonly sort: Sort;
}

async function pickSort(list: WatchlistStore): Promise<void> {
  const { by, down } = list.state.sort;
  const entries = sortKeys.flatMap((key) =>
    [false, true].map((isDown): SortEntry => ({
      sort: { by: key, down: isDown },
      label: `${isDown ? "$(arrow-down)" : "$(arrow-up)"} ${sortName(key)}`,
      description: [
        directionText(key, isDown),
        key === by && isDown === down ? `(${vscode.l10n.t("current")})` : "",
      ]
        .filter(Boolean)
        .join(" "),
    })),
  );
  const chosen = await choose(entries, {
    title: vscode.l10n.t("Sort Markets"),
    placeHolder: vscode.l10n.t("Favourites stay first, as you arranged them"),
    matchOnDescription: true,
  });
  if (chosen) await list.change((before) => ({ ...before, sort: chosen.sort }));
}

function directionText(by: Sort["by"], down: boolean): string {
  if (by === "symbol") return down ? vscode.l10n.t("Z to A") : vscode.l10n.t("A to Z");
  if (by === "own") return down ? vscode.l10n.t("as dragged, reversed") : vscode.l10n.t("as dragged");
  return down ? vscode.l10n.t("highest first") : vscode.l10n.t("lowest first");
}
