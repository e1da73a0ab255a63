import * as vscode from "vscode";
import { rowContexts } from "../contributions.ts";
import type { MarketEvent, TickerFeed } from "../desk/tickerFeed.ts";
import type { Ticker } from "../market/ticker.ts";
import { ageText, changeText, directionOf, rateText, timeText, volumeText } from "./numberText.ts";

/** A row: its symbol is its identity, the ticker is looked up when it is painted. */
export interface MarketRow {
  readonly symbol: string;
}

const ICONS = {
  up: new vscode.ThemeIcon("arrow-up", new vscode.ThemeColor("charts.green")),
  down: new vscode.ThemeIcon("arrow-down", new vscode.ThemeColor("charts.red")),
  flat: new vscode.ThemeIcon("dash"),
  frozen: new vscode.ThemeIcon("lock", new vscode.ThemeColor("disabledForeground")),
  stale: new vscode.ThemeIcon("history", new vscode.ThemeColor("disabledForeground")),
};

const ARROWS = { up: "▲", down: "▼", flat: "" };

/** The rows of the Markets view: one a pair, repainted only where something changed. */
export class MarketRows implements vscode.TreeDataProvider<MarketRow>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<MarketRow | MarketRow[] | undefined>;
  readonly #feed: TickerFeed;
  readonly #now: () => number;
  readonly #changed = new vscode.EventEmitter<MarketRow | MarketRow[] | undefined>();
  readonly #rows = new Map<string, MarketRow>();
  readonly #stop: () => void;

  constructor(feed: TickerFeed, now: () => number) {
    this.#feed = feed;
    this.#now = now;
    this.onDidChangeTreeData = this.#changed.event;
    this.#stop = feed.onDidChange((event) => this.#repaint(event));
  }

  getChildren(row?: MarketRow): MarketRow[] {
    if (row) return [];
    return [...this.#feed.state.tickers.keys()].sort(bySymbol).map((symbol) => this.#row(symbol));
  }

  getTreeItem(row: MarketRow): vscode.TreeItem {
    const item = new vscode.TreeItem(row.symbol);
    item.id = row.symbol;
    const ticker = this.#feed.ticker(row.symbol);
    if (!ticker) return item;
    const direction = directionOf(ticker.percentChange);
    const stale = this.#feed.isStale;
    const parts = [rateText(ticker.last, ticker), changeWithArrow(ticker)];
    if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
    if (stale) parts.push(vscode.l10n.t("stale"));
    item.description = parts.filter(Boolean).join("  ");
    item.iconPath = ticker.frozen ? ICONS.frozen : stale ? ICONS.stale : ICONS[direction];
    item.contextValue = ticker.frozen ? rowContexts.frozenPair : rowContexts.pair;
    item.accessibilityInformation = { label: spokenRow(ticker, stale) };
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, row: MarketRow): vscode.TreeItem {
    const ticker = this.#feed.ticker(row.symbol);
    if (ticker) item.tooltip = this.#tooltip(ticker);
    return item;
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }

  dispose(): void {
    this.#stop();
    this.#changed.dispose();
  }

  #row(symbol: string): MarketRow {
    let row = this.#rows.get(symbol);
    if (!row) this.#rows.set(symbol, (row = { symbol }));
    return row;
  }

  #repaint({ changed, rowsChanged, staleChanged }: MarketEvent): void {
    if (rowsChanged || staleChanged) {
      for (const symbol of this.#rows.keys()) if (!this.#feed.ticker(symbol)) this.#rows.delete(symbol);
      this.#changed.fire(undefined);
    } else this.#changed.fire(changed.map((symbol) => this.#row(symbol)));
  }

  #tooltip(ticker: Ticker): vscode.MarkdownString {
    const { last, bestBid, bestAsk, high, low, baseVolume, quoteVolume, pair } = ticker;
    const rate = (price: number | undefined): string => (price === undefined ? "–" : rateText(price, ticker));
    const rows: [string, string][] = [
      [vscode.l10n.t("Last"), `${rate(last)} ${pair.quote}`],
      [vscode.l10n.t("Change, 24 h"), changeWithArrow(ticker) || "–"],
      [vscode.l10n.t("Best bid"), rate(bestBid)],
      [vscode.l10n.t("Best ask"), rate(bestAsk)],
      [vscode.l10n.t("High, 24 h"), rate(high)],
      [vscode.l10n.t("Low, 24 h"), rate(low)],
      [vscode.l10n.t("Volume, 24 h"), volumeOf(baseVolume, pair.base)],
      ["", volumeOf(quoteVolume, pair.quote)],
    ];
    const { readAt } = this.#feed.state;
    const tooltip = new vscode.MarkdownString();
    tooltip.appendMarkdown("**");
    tooltip.appendText(ticker.symbol);
    tooltip.appendMarkdown(`**${ticker.frozen ? ` · ${vscode.l10n.t("frozen")}` : ""}\n\n| | |\n|:--|--:|\n`);
    for (const [name, value] of rows) {
      tooltip.appendMarkdown("| ");
      tooltip.appendText(name);
      tooltip.appendMarkdown(" | ");
      tooltip.appendText(value);
      tooltip.appendMarkdown(" |\n");
    }
    if (readAt !== undefined) {
      tooltip.appendMarkdown("\n\n");
      tooltip.appendText(vscode.l10n.t("Read {0}, {1} ago", timeText(readAt), ageText(this.#now() - readAt)));
    }
    return tooltip;
  }
}

/** Code unit order: the same on every machine, and quick for tens of thousands of rows. */
function bySymbol(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function changeWithArrow(ticker: Ticker): string {
  return [ARROWS[directionOf(ticker.percentChange)], changeText(ticker.percentChange)]
    .filter(Boolean)
    .join(" ");
}

function volumeOf(amount: number | undefined, asset: string): string {
  return amount === undefined ? "–" : `${volumeText(amount)} ${asset}`;
}

/** The row in words: a screen reader gets no arrows. */
function spokenRow(ticker: Ticker, stale: boolean): string {
  const { pair, last } = ticker;
  const price = vscode.l10n.t("{0} in {1}, last {2}", pair.base, pair.quote, rateText(last, ticker));
  const change = changeText(ticker.percentChange);
  const parts = [price, change === "" ? "" : vscode.l10n.t("{0} in 24 hours", change)];
  if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
  if (stale) parts.push(vscode.l10n.t("stale"));
  return parts.filter(Boolean).join(", ");
}
