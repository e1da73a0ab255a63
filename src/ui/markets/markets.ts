import * as vscode from "vscode";
import { viewIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { Ticker } from "../../market/ticker.ts";
import { registerCommands } from "../commands.ts";
import type { ActivePair } from "../activePair.ts";
import { MarketRows } from "./marketRows.ts";
import { MarketsView } from "./marketsView.ts";
import { pickPair } from "./pairPicker.ts";
import { editStatusBarText } from "./statusBarText.ts";
import { shownAmounts } from "../text/amountText.ts";
import { pairAccountRows } from "./pairAccount.ts";
import { greyOutUnlisted } from "./unlistedRows.ts";
import { PinnedTickers } from "./pinnedTickers.ts";
import { exportLists, importLists } from "./listFiles.ts";
import { ListActions } from "./listActions.ts";
import { manageLists, newList } from "./listPicks.ts";

/** The Markets view, the pinned pairs, and their commands. */
export class Markets extends Disposable {
  readonly #desk: Desk;
  readonly #view: MarketsView;
  readonly #activePair: ActivePair;

  constructor(desk: Desk, activePair: ActivePair) {
    super();
    this.#desk = desk;
    this.#activePair = activePair;
    const rows = this.register(
      new MarketRows(desk.tickers, desk.watchLists, desk.timers, async (ticker) => {
        await desk.dayPrices.recall(ticker.symbol);
        return {
          prices: desk.dayPrices.of(ticker.symbol),
          account: pairAccountRows(ticker, desk, shownAmounts()),
        };
      }),
    );
    this.#view = this.register(new MarketsView(desk, rows, activePair));
    this.register(greyOutUnlisted(), new PinnedTickers(desk, desk.watchLists), this.#registerCommands());
  }

  /** Symbols of all pairs, in row order. */
  get symbols(): readonly string[] {
    return this.#view.rows.allSymbols;
  }

  get visible(): boolean {
    return this.#view.view.visible;
  }

  get selected(): string | undefined {
    return this.#view.view.selection[0]?.symbol;
  }

  /** Lets the user pick a pair; undefined if cancelled. */
  async pickPair(title: string): Promise<Ticker | undefined> {
    return await pickPair(this.#desk, this.#view.rows, title);
  }

  /** The symbol in a command's argument; undefined without one. */
  async symbolOf(argument: unknown): Promise<string | undefined> {
    return await this.#view.symbolOf(argument);
  }

  #registerCommands(): Disposable {
    const actions = new ListActions(this.#desk, this.#view, this.#activePair);
    return registerCommands({
      refresh: () =>
        vscode.window.withProgress({ location: { viewId: viewIds.markets } }, () => this.#desk.refresh()),
      findPair: () => actions.findPair(),
      sortMarkets: () => actions.sort(),
      switchList: (id) => actions.switchList(id),
      newList: () => newList(this.#desk.watchLists, this.#desk.newId),
      manageLists: () => manageLists(this.#desk.watchLists),
      importLists: () => importLists(this.#desk),
      exportLists: () => exportLists(this.#desk),
      addToList: (pair) => actions.addToList(pair),
      removeFromList: (pair) => actions.removeFromList(pair),
      star: (pair) => actions.star(pair),
      unstar: (pair) => actions.unstar(pair),
      moveUp: (pair) => actions.move("up", pair),
      moveDown: (pair) => actions.move("down", pair),
      editStatusBarText: () => editStatusBarText(this.#desk),
      pin: (pair) => actions.pin(pair),
      unpin: (pair) => actions.unpin(pair),
    });
  }
}
