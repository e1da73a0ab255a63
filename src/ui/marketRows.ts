import * as vscode from "vscode";
import { rowContexts, rowMarks, settingKeys } from "../contributions.ts";
import { RowOrder } from "../desk/rowOrder.ts";
import type { MarketEvent, TickerFeed } from "../desk/tickerFeed.ts";
import { pairKey } from "../market/pair.ts";
import type { Ticker } from "../market/ticker.ts";
import { changeIcon } from "./changeIcon.ts";
import { arrowText, changeText, rateText } from "./numberText.ts";
import { colorsAreInverted, onDidChangeSettings } from "./settings.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** A row: its symbol is its identity, the ticker is looked up when it is painted. */
export interface MarketRow {
  readonly symbol: string;
}

const FROZEN = new vscode.ThemeIcon("lock", new vscode.ThemeColor("disabledForeground"));
const STALE = new vscode.ThemeIcon("history", new vscode.ThemeColor("disabledForeground"));

/** The rows of the Markets view: one a pair, repainted only where something changed, put in order anew only when it changed. */
export class MarketRows implements vscode.TreeDataProvider<MarketRow>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<MarketRow | MarketRow[] | undefined>;
  readonly #feed: TickerFeed;
  readonly #list: WatchlistStore;
  readonly #changed = new vscode.EventEmitter<MarketRow | MarketRow[] | undefined>();
  readonly #order = new RowOrder();
  readonly #rows = new Map<string, MarketRow>();
  readonly #stop: vscode.Disposable;
  #inverted = colorsAreInverted();

  constructor(feed: TickerFeed, list: WatchlistStore) {
    this.#feed = feed;
    this.#list = list;
    this.onDidChangeTreeData = this.#changed.event;
    this.#stop = vscode.Disposable.from(
      new vscode.Disposable(feed.onDidChange((event) => this.#repaint(event))),
      new vscode.Disposable(list.onDidChange(() => this.#rearrange())),
      onDidChangeSettings([settingKeys.invertColors], () => {
        this.#inverted = colorsAreInverted();
        this.#changed.fire(undefined);
      }),
    );
    this.#order.rebuild(feed.state.tickers, list.state);
  }

  /** Which pairs are above the line, and in which order all of them stand. */
  get order(): Pick<RowOrder, "symbols" | "favourites" | "isFavourite"> {
    return this.#order;
  }

  getChildren(row?: MarketRow): MarketRow[] {
    return row ? [] : this.#order.symbols.map((symbol) => this.#row(symbol));
  }

  getTreeItem(row: MarketRow): vscode.TreeItem {
    const { symbol } = row;
    const item = new vscode.TreeItem(symbol);
    item.id = symbol;
    const ticker = this.#feed.ticker(symbol);
    if (!ticker) return item;
    const stale = this.#feed.isStale;
    const starred = this.#order.isFavourite(symbol);
    const parts = [rateText(ticker.last, ticker), arrowText(ticker.percentChange)];
    if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
    if (stale) parts.push(vscode.l10n.t("stale"));
    if (starred) parts.push("★");
    item.description = parts.filter(Boolean).join("  ");
    item.iconPath = ticker.frozen ? FROZEN : stale ? STALE : changeIcon(ticker.percentChange, this.#inverted);
    item.contextValue =
      (ticker.frozen ? rowContexts.frozenPair : rowContexts.pair) +
      (starred ? rowMarks.favourite : "") +
      (this.#list.state.pinned.includes(pairKey(ticker.pair)) ? rowMarks.pinned : "");
    item.accessibilityInformation = { label: spokenRow(ticker, stale, starred) };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: MarketRow): Promise<vscode.TreeItem> {
    const { tickerTooltip } = await import("./tickerTooltip.ts");
    const ticker = this.#feed.ticker(row.symbol);
    const { isStale, state } = this.#feed;
    if (ticker) item.tooltip = tickerTooltip(ticker, isStale ? state.readAt : undefined);
    return item;
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }

  /** The row of a pair, where it is on screen. */
  find(symbol: string): MarketRow | undefined {
    return this.#order.isListed(symbol) ? this.#row(symbol) : undefined;
  }

  dispose(): void {
    this.#stop.dispose();
    this.#changed.dispose();
  }

  #row(symbol: string): MarketRow {
    let row = this.#rows.get(symbol);
    if (!row) this.#rows.set(symbol, (row = { symbol }));
    return row;
  }

  #repaint({ changed, rowsChanged, staleChanged }: MarketEvent): void {
    if (rowsChanged) this.#rearrange();
    else if (this.#order.update(this.#feed.state.tickers, changed) || staleChanged)
      this.#changed.fire(undefined);
    else {
      const listed = changed.filter((symbol) => this.#order.isListed(symbol));
      if (listed.length > 0) this.#changed.fire(listed.map((symbol) => this.#row(symbol)));
    }
  }

  #rearrange(): void {
    this.#order.rebuild(this.#feed.state.tickers, this.#list.state);
    for (const symbol of this.#rows.keys()) if (!this.#order.isListed(symbol)) this.#rows.delete(symbol);
    this.#changed.fire(undefined);
  }
}

/** The row in words: a screen reader gets no arrows. */
function spokenRow(ticker: Ticker, stale: boolean, starred: boolean): string {
  const { pair, last } = ticker;
  const price = vscode.l10n.t("{0} in {1}, last {2}", pair.base, pair.quote, rateText(last, ticker));
  const change = changeText(ticker.percentChange);
  const parts = [price, change === "" ? "" : vscode.l10n.t("{0} in 24 hours", change)];
  if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
  if (stale) parts.push(vscode.l10n.t("stale"));
  if (starred) parts.push(vscode.l10n.t("favourite"));
  return parts.filter(Boolean).join(", ");
}

/** The symbol of a Markets row, or of an argument another extension or a keybinding gives. */
export function symbolOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given !== "object" || given === null || !("symbol" in given)) return undefined;
  return typeof given.symbol === "string" ? given.symbol : undefined;
}
