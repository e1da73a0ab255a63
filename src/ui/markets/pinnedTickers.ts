import * as vscode from "vscode";
import { chartCommandIds, statusItemIds } from "../../contributions.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { pairKey } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { arrowText, changeText, rateText } from "../text/numberText.ts";
import { timeText } from "../text/timeText.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** To the right of the balance, which has 10. Each new item is to the right of the others. */
const FIRST_PRIORITY = 9;
const STEP = 0.001;

export interface PinnedParts {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  readonly list: WatchlistStore;
}

/** The pinned pairs in the status bar, one item each. A pair that the venue does not list has no item. */
export class PinnedTickers implements vscode.Disposable {
  readonly #parts: PinnedParts;
  readonly #items = new Map<string, vscode.StatusBarItem>();
  readonly #stop: (() => void)[];
  #symbols: ReadonlyMap<string, string> = new Map();
  #created = 0;
  #unwatch: (() => void) | undefined;

  constructor(parts: PinnedParts) {
    this.#parts = parts;
    const { tickers, list } = parts;
    this.#stop = [
      tickers.onDidChange(({ rowsChanged, staleChanged }) => {
        if (rowsChanged) this.#arrange();
        else if (staleChanged) this.#show();
      }),
      tickers.onDidRead(() => this.#show()),
      list.onDidChange(() => this.#arrange()),
    ];
    this.#arrange();
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#unwatch?.();
    for (const item of this.#items.values()) item.dispose();
  }

  /** One item for each pinned pair that exists now, and readings of the market while there is one. */
  #arrange(): void {
    const { tickers, list } = this.#parts;
    const { pinned } = list.state;
    const symbols = new Map<string, string>();
    if (pinned.length > 0) {
      for (const { pair, symbol } of tickers.state.tickers.values()) {
        const key = pairKey(pair);
        if (pinned.includes(key)) symbols.set(key, symbol);
      }
      this.#unwatch ??= tickers.watch();
    } else {
      this.#unwatch?.();
      this.#unwatch = undefined;
    }
    this.#symbols = symbols;
    for (const [key, item] of this.#items) {
      if (symbols.has(key)) continue;
      item.dispose();
      this.#items.delete(key);
    }
    this.#show();
  }

  #show(): void {
    const { tickers, list } = this.#parts;
    for (const key of list.state.pinned) {
      const ticker = tickers.ticker(this.#symbols.get(key) ?? "");
      if (ticker) this.#paint(this.#items.get(key) ?? this.#create(key), ticker);
    }
  }

  #create(key: string): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem(
      statusItemIds.pinned + key,
      vscode.StatusBarAlignment.Left,
      FIRST_PRIORITY - STEP * this.#created++,
    );
    this.#items.set(key, item);
    item.show();
    return item;
  }

  #paint(item: vscode.StatusBarItem, ticker: Ticker): void {
    const { symbol, pair, last, percentChange, frozen } = ticker;
    const { tickers, venue } = this.#parts;
    const stale = tickers.isStale;
    const price = rateText(last, ticker);
    const words = [pair.base, price, arrowText(percentChange)].filter(Boolean).join(" ");
    const text = stale ? `$(history) ${words}` : frozen ? `$(lock) ${words}` : words;
    if (item.text === text) return;
    const states = [
      frozen ? vscode.l10n.t("frozen") : "",
      stale ? vscode.l10n.t("stale, read {0}", timeText(tickers.state.readAt ?? 0)) : "",
    ];
    const name = vscode.l10n.t("{0} in {1}", pair.base, pair.quote);
    const spoken = [name, price, changeText(percentChange), ...states].filter(Boolean).join(", ");
    item.text = text;
    item.name = `Bidside: ${name}`;
    item.tooltip = [symbol, venue.venue?.name, ...states].filter(Boolean).join(" · ");
    item.accessibilityInformation = { label: spoken };
    item.command = {
      command: chartCommandIds.openChart,
      title: vscode.l10n.t("Open Chart"),
      arguments: [symbol],
    };
  }
}
