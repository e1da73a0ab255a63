import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { star, unpin, unstar } from "../../desk/watchlist/edits.ts";
import { sortKeys, type Sort, type Watchlist } from "../../desk/watchlist/watchlist.ts";
import { pairKey, pairName, parseSymbol } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { ActivePair } from "../activePair.ts";
import { choose } from "../quickInput.ts";
import type { MarketsView } from "./marketsView.ts";
import { pickPair } from "./pairPicker.ts";
import { pinPair } from "./pinnedTickers.ts";
import { moveRow } from "./rowMoves.ts";
import { sortName } from "./sortText.ts";
import type { WatchlistStore } from "../../desk/watchlist/watchlistStore.ts";

/** The commands of the watchlist. `argument` is what the editor passes. */
export class WatchlistActions {
  readonly #desk: Desk;
  readonly #view: MarketsView;
  readonly #list: WatchlistStore;
  readonly #activePair: ActivePair;

  constructor(desk: Desk, view: MarketsView, activePair: ActivePair) {
    this.#desk = desk;
    this.#view = view;
    this.#activePair = activePair;
    this.#list = view.rows.list;
  }

  /** Lets the user pick the active pair and reveals its row, turning off the favourites filter if needed. */
  async findPair(): Promise<void> {
    const found = await this.#pick(vscode.l10n.t("Find a Pair"));
    if (!found) return;
    this.#activePair.set(found.symbol);
    if (await this.#view.reveal(found.symbol)) return;
    await this.filter(false);
    await this.#view.reveal(found.symbol);
  }

  async sort(): Promise<void> {
    const { by, down } = this.#list.state.sort;
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
      placeHolder: vscode.l10n.t("Favourites stay at the top, as you arranged them"),
      matchOnDescription: true,
    });
    if (chosen) await this.#list.change((before) => ({ ...before, sort: chosen.sort }));
  }

  async filter(favouritesOnly: boolean): Promise<void> {
    await this.#list.change((before) => ({ ...before, favouritesOnly }));
  }

  async star(argument: unknown): Promise<void> {
    await this.#edit(argument, vscode.l10n.t("Add to Favourites"), star);
  }

  async unstar(argument: unknown): Promise<void> {
    await this.#edit(argument, vscode.l10n.t("Remove from Favourites"), unstar);
  }

  async pin(argument: unknown): Promise<void> {
    await this.#withPair(argument, vscode.l10n.t("Pin to Status Bar"), (pair) =>
      pinPair(this.#list, this.#desk.tickers, pair),
    );
  }

  async unpin(argument: unknown): Promise<void> {
    const title = vscode.l10n.t("Unpin from Status Bar");
    if (argument !== undefined) return await this.#edit(argument, title, unpin);
    const { pinned } = this.#list.state;
    const { tickers } = this.#desk.tickers.state;
    // An unlisted pair has no row.
    if (pinned.every((key) => tickers.has(key))) return await this.#edit(argument, title, unpin);
    const entries = pinned.map((key) => {
      const pair = tickers.get(key)?.pair ?? parseSymbol(key, "quoteFirst");
      const description = tickers.has(key) ? "" : vscode.l10n.t("not listed");
      return { key, label: pair ? pairName(pair) : key, description };
    });
    const chosen = await choose(entries, { title, placeHolder: vscode.l10n.t("Choose a pinned pair") });
    if (chosen) await this.#list.change((before) => unpin(before, chosen.key));
  }

  async moveFavourite(direction: "up" | "down", argument: unknown): Promise<void> {
    await this.#onRow(argument, async (row) => {
      const moved = argument === undefined ? await this.#favourite(row, direction) : row;
      if (moved) await moveRow(this.#view.rows, moved, direction);
    });
  }

  async #edit(
    argument: unknown,
    title: string,
    edit: (list: Watchlist, key: string) => Watchlist,
  ): Promise<void> {
    await this.#withPair(argument, title, ({ pair }) =>
      this.#list.change((before) => edit(before, pairKey(pair))),
    );
  }

  /** Acts on the pair of a command; without one, the user picks a pair. */
  async #withPair(argument: unknown, title: string, act: (pair: Ticker) => Thenable<unknown>): Promise<void> {
    await this.#onRow(argument, async (row) => {
      const pair = row ?? (await this.#pick(title));
      if (pair) await act(pair);
    });
  }

  /**
   * Acts on the row of a command, else on the active pair if there is one. After a switch of exchanges, a row still on
   * screen may have no ticker yet; a message then says so, because acting on another pair, or prompting, is not what
   * the user asked for.
   */
  async #onRow(argument: unknown, act: (row: Ticker | undefined) => Promise<void>): Promise<void> {
    const named = await this.#view.symbolOf(argument);
    const symbol = named ?? this.#activePair.symbol;
    const row = symbol === undefined ? undefined : this.#desk.tickers.ticker(symbol);
    if (row || named === undefined) return await act(row);
    void vscode.window.showInformationMessage(
      vscode.l10n.t("Nothing was done: the price of {0} is not known yet. Try again.", named),
    );
  }

  #pick(title: string): Promise<Ticker | undefined> {
    return pickPair(this.#desk, this.#view.rows, title);
  }

  /**
   * The favourite to move if the command comes from the palette: the active pair, or one that the user picks. Undefined
   * if none can be moved; a message says why.
   */
  async #favourite(selected: Ticker | undefined, direction: "up" | "down"): Promise<Ticker | undefined> {
    const { favourites } = this.#view.rows.order;
    const movable = direction === "up" ? favourites.slice(1) : favourites.slice(0, -1);
    if (selected && movable.includes(selected.symbol)) return selected;
    if (movable.length === 0) {
      void vscode.window.showInformationMessage(
        favourites.length === 0
          ? vscode.l10n.t("You have no favourites here. Star a row in Markets to add one.")
          : vscode.l10n.t("You have one favourite here, so there is nothing to move."),
      );
      return undefined;
    }
    const chosen = await choose(
      movable.flatMap((symbol) => {
        const ticker = this.#desk.tickers.ticker(symbol);
        return ticker ? [{ label: pairName(ticker.pair), ticker }] : [];
      }),
      {
        title: direction === "up" ? vscode.l10n.t("Move Favourite Up") : vscode.l10n.t("Move Favourite Down"),
        placeHolder: vscode.l10n.t("Choose the favourite to move"),
      },
    );
    return chosen?.ticker;
  }
}

interface SortEntry extends vscode.QuickPickItem {
  readonly sort: Sort;
}

function directionText(by: Sort["by"], down: boolean): string {
  if (by === "symbol") return down ? vscode.l10n.t("Z to A") : vscode.l10n.t("A to Z");
  if (by === "own") return down ? vscode.l10n.t("reversed") : vscode.l10n.t("as you arranged them");
  return down ? vscode.l10n.t("highest first") : vscode.l10n.t("lowest first");
}
