import * as vscode from "vscode";
import type { BalanceFeed } from "../../desk/feeds/balanceFeed.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import type { Timers } from "../../desk/time/timers.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import type { Ticker } from "../../market/ticker.ts";
import { WalletView } from "../wallet/walletView.ts";
import { MarketRows } from "./marketRows.ts";
import { MarketsView } from "./marketsView.ts";
import { registerWatchCommands } from "./watchlistCommands.ts";
import { WatchlistStore } from "./watchlistStore.ts";

/** Asks for one of the venue's pairs; undefined if the person cancelled. */
export type PickPair = (title: string) => Promise<Ticker | undefined>;

/** The symbol of the command's row or argument; undefined without one. */
export type RowMeant = (given: unknown) => Promise<string | undefined>;

/** What a person uses to watch the market and the account: the views, the pinned pairs, and their commands. */
export class Watching implements vscode.Disposable {
  readonly markets: MarketsView;
  readonly pickPair: PickPair;
  readonly rowMeant: RowMeant;
  readonly #parts: vscode.Disposable[];

  constructor(
    memento: vscode.ExtensionContext["globalState"],
    parts: {
      readonly venue: CurrentVenue;
      readonly tickers: TickerFeed;
      readonly balances: BalanceFeed;
      readonly timers: Timers;
    },
  ) {
    const { venue, tickers, timers } = parts;
    const list = new WatchlistStore(memento);
    const rows = new MarketRows(tickers, list);
    this.markets = new MarketsView({ rows, list, tickers, venue, timers });
    this.rowMeant = (given) => this.markets.rowMeant(given);
    const finding = { rows, list, tickers, venue, markets: this.markets };
    this.pickPair = async (title) => {
      const { pickPair } = await import("./pairPicker.ts");
      return await pickPair(finding, title);
    };
    this.#parts = [
      list,
      rows,
      this.markets,
      new WalletView(parts),
      showPinned({ list, tickers, venue }),
      registerWatchCommands(finding),
    ];
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}

/** The pinned pairs, loaded as soon as there is one. */
function showPinned(parts: {
  readonly list: WatchlistStore;
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
}): vscode.Disposable {
  const { list } = parts;
  let pinned: Promise<vscode.Disposable> | undefined;
  const show = (): void => {
    if (list.state.pinned.length === 0) return;
    pinned ??= import("./pinnedTickers.ts").then(({ PinnedTickers }) => new PinnedTickers(parts));
  };
  show();
  const stop = list.onDidChange(show);
  return new vscode.Disposable(() => {
    stop();
    void pinned?.then((items) => items.dispose());
  });
}
