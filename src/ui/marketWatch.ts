import type * as vscode from "vscode";
import type { TickerFeed, WatchRank } from "../desk/feeds/tickerFeed.ts";

/** A watch of the market that is turned on and off: while it is on, prices are read. */
export class MarketWatch {
  readonly #tickers: TickerFeed;
  readonly #rank: WatchRank | undefined;
  #shown: string | undefined;
  #stop: (() => void) | undefined;

  constructor(tickers: TickerFeed, rank?: WatchRank) {
    this.#tickers = tickers;
    this.#rank = rank;
  }

  /** The prices of these symbols can be seen from now on; undefined: none can. */
  set(symbols: readonly string[] | undefined): void {
    const shown = symbols?.join();
    if (shown === this.#shown) return;
    this.#shown = shown;
    // In this order, so that prices that stay visible are not hidden for a moment.
    const stop = this.#stop;
    this.#stop = symbols && this.#tickers.watch(symbols, this.#rank);
    stop?.();
  }

  dispose(): void {
    this.set(undefined);
  }
}

/** Watches the market while a view is visible, until the returned function is called. */
export function watchWhileVisible(view: vscode.TreeView<unknown>, tickers: TickerFeed): () => void {
  const watch = new MarketWatch(tickers);
  const follow = (): void => watch.set(view.visible ? [] : undefined);
  follow();
  const visibility = view.onDidChangeVisibility(follow);
  return () => {
    visibility.dispose();
    watch.dispose();
  };
}
