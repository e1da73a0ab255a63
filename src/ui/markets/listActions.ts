import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { removePair, showList, sortRows, star, unpin, unstar } from "../../desk/watchLists/edits.ts";
import {
  activeList,
  ALL_PAIRS,
  sortKeys,
  type Sort,
  type WatchLists,
} from "../../desk/watchLists/watchLists.ts";
import type { WatchListsStore } from "../../desk/watchLists/watchListsStore.ts";
import { findPair, symbolPattern } from "../../market/pair.ts";
import type { ActivePair } from "../activePair.ts";
import { choose } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { listName, sortName } from "./listNames.ts";
import { pickListsOf, pickList } from "./listPicks.ts";
import type { MarketsView } from "./marketsView.ts";
import { pickPair } from "./pairPicker.ts";
import { pinPair } from "./pinnedTickers.ts";
import { moveByOne } from "./rowMoves.ts";

/** The commands of Markets and of its rows. `argument` is what the editor passes. */
export class ListActions {
  readonly #desk: Desk;
  readonly #view: MarketsView;
  readonly #lists: WatchListsStore;
  readonly #activePair: ActivePair;

  constructor(desk: Desk, view: MarketsView, activePair: ActivePair) {
    this.#desk = desk;
    this.#view = view;
    this.#activePair = activePair;
    this.#lists = view.rows.lists;
  }

  /** Lets the user pick the active pair and reveals its row, among all pairs if the list on screen has no row of it. */
  async findPair(): Promise<void> {
    const found = await this.#pick(vscode.l10n.t("Find a Pair"));
    if (found === undefined) return;
    this.#activePair.set(found);
    if (await this.#view.reveal(found)) return;
    await this.switchList(ALL_PAIRS);
    await this.#view.reveal(found);
  }

  /** Shows a list in Markets, by default one that the user picks. */
  async switchList(id: unknown): Promise<void> {
    const chosen = typeof id === "string" ? id : await pickList(this.#lists);
    if (chosen !== undefined) await this.#lists.change((before) => showList(before, chosen));
  }

  async sort(): Promise<void> {
    const list = activeList(this.#lists.state);
    const { by, down } = list?.sort ?? this.#lists.state.sort;
    const keys = sortKeys.filter((key) => list || key !== "own");
    const entries = keys.flatMap((key) =>
      (key === "own" ? [false] : [false, true]).map((isDown): SortEntry => ({
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
      title: list ? vscode.l10n.t("Sort {0}", listName(list)) : vscode.l10n.t("Sort Markets"),
      placeHolder: list
        ? vscode.l10n.t("Choose the order of this watch list")
        : vscode.l10n.t("Favourites stay at the top"),
      matchOnDescription: true,
    });
    if (chosen) await this.#lists.change((before) => sortRows(before, chosen.sort));
  }

  async star(argument: unknown): Promise<void> {
    await this.#edit(argument, vscode.l10n.t("Add to Favourites"), star);
  }

  async unstar(argument: unknown): Promise<void> {
    await this.#edit(argument, vscode.l10n.t("Remove from Favourites"), unstar);
  }

  /** Lets the user check the lists that contain a pair. */
  async addToList(argument: unknown): Promise<void> {
    await this.#withPair(argument, vscode.l10n.t("Add to Watch List"), (key) =>
      pickListsOf(this.#lists, this.#desk.newId, key, this.#view.rows.nameOf(key)),
    );
  }

  /** Removes a pair from the list on screen. */
  async removeFromList(argument: unknown): Promise<void> {
    const list = activeList(this.#lists.state);
    if (!list) {
      return showStatusMessage(
        vscode.l10n.t("Markets shows all pairs. Switch to a watch list to remove a pair from it."),
      );
    }
    const key = await this.#keyOf(argument);
    if (key === undefined || !this.#view.rows.order.has(key)) return;
    await this.#lists.change((before) => removePair(before, list.id, key));
    showStatusMessage(
      vscode.l10n.t("{0} was removed from {1}.", this.#view.rows.nameOf(key), listName(list)),
    );
  }

  async pin(argument: unknown): Promise<void> {
    await this.#withPair(argument, vscode.l10n.t("Pin to Status Bar"), (key) =>
      pinPair(this.#lists, this.#desk.tickers, key),
    );
  }

  async unpin(argument: unknown): Promise<void> {
    const title = vscode.l10n.t("Unpin from Status Bar");
    if (argument !== undefined) return await this.#edit(argument, title, unpin);
    const { pinned } = this.#lists.state;
    const { tickers } = this.#desk.tickers.state;
    // An unlisted pair has no row.
    if (pinned.every((key) => findPair(tickers, key))) return await this.#edit(argument, title, unpin);
    const entries = pinned.map((key) => {
      const description = findPair(tickers, key) ? "" : vscode.l10n.t("not listed");
      return { key, label: this.#view.rows.nameOf(key), description };
    });
    const chosen = await choose(entries, { title, placeHolder: vscode.l10n.t("Choose a pinned pair") });
    if (chosen) await this.#lists.change((before) => unpin(before, chosen.key));
  }

  /** Moves a row of the list at the top of Markets. */
  async move(direction: "up" | "down", argument: unknown): Promise<void> {
    const key = await this.#keyOf(argument);
    const moved = argument === undefined ? await this.#movable(key, direction) : key;
    if (moved !== undefined) await moveByOne(this.#view.rows, moved, direction);
  }

  async #edit(
    argument: unknown,
    title: string,
    edit: (lists: WatchLists, key: string) => WatchLists,
  ): Promise<void> {
    await this.#withPair(argument, title, (key) => this.#lists.change((before) => edit(before, key)));
  }

  /** Acts on the pair of a command, else on the active one; without either, the user picks a pair. */
  async #withPair(argument: unknown, title: string, act: (key: string) => Thenable<unknown>): Promise<void> {
    const key = (await this.#keyOf(argument)) ?? (await this.#pick(title));
    if (key !== undefined) await act(key);
  }

  /** The pair of a command, which the exchange need not list, else the active one. */
  async #keyOf(argument: unknown): Promise<string | undefined> {
    const named = (await this.#view.symbolOf(argument)) ?? this.#activePair.symbol;
    if (named === undefined || !symbolPattern.test(named)) return undefined;
    return this.#desk.tickers.ticker(named)?.symbol ?? named.toUpperCase();
  }

  async #pick(title: string): Promise<string | undefined> {
    return (await pickPair(this.#desk, this.#view.rows, title))?.symbol;
  }

  /**
   * The row to move if the command comes from the palette: that of the active pair, or one that the user picks.
   * Undefined if none can be moved; a message says so.
   */
  async #movable(selected: string | undefined, direction: "up" | "down"): Promise<string | undefined> {
    const { order } = this.#view.rows;
    const movable = direction === "up" ? order.top.slice(1) : order.top.slice(0, -1);
    if (selected !== undefined && movable.includes(selected)) return selected;
    if (movable.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t("There is nothing to move: the list has fewer than two pairs."),
      );
      return undefined;
    }
    const chosen = await choose(
      movable.map((symbol) => ({ label: this.#view.rows.nameOf(symbol), symbol })),
      {
        title: direction === "up" ? vscode.l10n.t("Move Up in List") : vscode.l10n.t("Move Down in List"),
        placeHolder: vscode.l10n.t("Choose the pair to move"),
      },
    );
    return chosen?.symbol;
  }
}

interface SortEntry extends vscode.QuickPickItem {
  readonly sort: Sort;
}

function directionText(by: Sort["by"], down: boolean): string {
  if (by === "symbol") return down ? vscode.l10n.t("Z to A") : vscode.l10n.t("A to Z");
  if (by === "own") return vscode.l10n.t("as you arranged them");
  return down ? vscode.l10n.t("highest first") : vscode.l10n.t("lowest first");
}
