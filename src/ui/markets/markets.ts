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
import { PinnedTickers } from "./pinnedTickers.ts";
import { WatchlistActions } from "./watchlistActions.ts";

/** The Markets view, the pinned pairs, and their commands. */
export class Markets extends Disposable {
  readonly #desk: Desk;
  readonly #view: MarketsView;
  readonly #activePair: ActivePair;

  constructor(desk: Desk, activePair: ActivePair) {
    super();
    this.#desk = desk;
    this.#activePair = activePair;
    const rows = this.register(new MarketRows(desk.tickers, desk.watchlist, desk.timers));
    this.#view = this.register(new MarketsView(desk, rows, activePair));
    this.register(new PinnedTickers(desk, desk.watchlist), this.#registerCommands());
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
    const actions = new WatchlistActions(this.#desk, this.#view, this.#activePair);
    return registerCommands({
      refresh: () =>
        vscode.window.withProgress({ location: { viewId: viewIds.markets } }, () => this.#desk.refresh()),
      findPair: () => actions.findPair(),
      sortMarkets: () => actions.sort(),
      showFavourites: () => actions.filter(true),
      showAllPairs: () => actions.filter(false),
      star: (pair) => actions.star(pair),
      unstar: (pair) => actions.unstar(pair),
      moveFavouriteUp: (pair) => actions.moveFavourite("up", pair),
      moveFavouriteDown: (pair) => actions.moveFavourite("down", pair),
      pin: (pair) => actions.pin(pair),
      unpin: (pair) => actions.unpin(pair),
    });
  }
}
