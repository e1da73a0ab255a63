import type * as vscode from "vscode";
import type { TickerFeed } from "../desk/feeds/tickerFeed.ts";

/** A watch of the market that is turned on and off: while it is on, prices are read. */
export class MarketWatch {
  readonly #tickers: Pick<TickerFeed, "watch">;
  readonly #isClose: boolean;
  #stop: (() => void) | undefined;

  /** `isClose`: the prices follow a stream faster than a list. */
  constructor(tickers: Pick<TickerFeed, "watch">, isClose = false) {
    this.#tickers = tickers;
    this.#isClose = isClose;
  }

  set(isOn: boolean): void {
    if (isOn) this.#stop ??= this.#tickers.watch(this.#isClose);
    else {
      this.#stop?.();
      this.#stop = undefined;
    }
  }

  dispose(): void {
    this.set(false);
  }
}

/** Watches the market while a view is visible, until the returned function is called. */
export function watchWhileVisible(
  view: Pick<vscode.TreeView<unknown>, "visible" | "onDidChangeVisibility">,
  tickers: Pick<TickerFeed, "watch">,
): () => void {
  const watch = new MarketWatch(tickers);
  watch.set(view.visible);
  const visibility = view.onDidChangeVisibility(({ visible }) => watch.set(visible));
  return () => {
    visibility.dispose();
    watch.set(false);
  };
}
