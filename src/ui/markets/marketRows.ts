import * as vscode from "vscode";
import { rowContexts, rowMarks, settingKeys } from "../../contributions.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { MarketChange, TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import { RowOrder } from "../../desk/watchlist/rowOrder.ts";
import { pairKey, pairName } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { commandLink } from "../commands.ts";
import { colorsAreInverted, onDidChangeSettings } from "../settings.ts";
import { changeIcon } from "../text/changeIcon.ts";
import { changeText, rateText } from "../text/numberText.ts";
import { columnGap, RowColumns } from "../text/rowColumns.ts";
import type { WatchlistStore } from "./watchlistStore.ts";

/** A row. Its symbol identifies it; the ticker is looked up when it is painted. */
export interface MarketRow {
  readonly symbol: string;
}

const FROZEN = new vscode.ThemeIcon("lock", new vscode.ThemeColor("disabledForeground"));
const STALE = new vscode.ThemeIcon("history", new vscode.ThemeColor("disabledForeground"));

/**
 * The rows of the Markets view: one for each pair. Only changed rows are repainted, and the order changes only when
 * needed.
 */
export class MarketRows extends Disposable implements vscode.TreeDataProvider<MarketRow> {
  readonly tickers: TickerFeed;
  readonly list: WatchlistStore;
  readonly #changed = this.register(new vscode.EventEmitter<MarketRow | MarketRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  /** Which pairs are favourites, and the order of all pairs. */
  readonly order = new RowOrder();
  readonly #rows = new Map<string, MarketRow>();
  #columns = new RowColumns();
  /** This exchange has several quote assets, so a base asset alone does not identify a pair. */
  #hasQuotes = false;
  #inverted = colorsAreInverted();

  constructor(tickers: TickerFeed, list: WatchlistStore) {
    super();
    this.tickers = tickers;
    this.list = list;
    this.register(
      tickers.onDidChange(({ change }) => change && this.#repaint(change)),
      list.onDidChange(() => this.#rearrange()),
      onDidChangeSettings([settingKeys.invertColors], () => {
        this.#inverted = colorsAreInverted();
        this.#changed.fire(undefined);
      }),
    );
    this.#arrange();
  }

  getChildren(row?: MarketRow): MarketRow[] {
    return row ? [] : this.order.symbols.map((symbol) => this.#row(symbol));
  }

  getTreeItem(row: MarketRow): vscode.TreeItem {
    const { symbol } = row;
    const ticker = this.tickers.ticker(symbol);
    const label = ticker ? this.#labelOf(ticker) : symbol;
    const item = new vscode.TreeItem(label);
    item.id = symbol;
    if (!ticker) return item;
    const places = this.tickers.placesOf(ticker);
    const stale = this.tickers.isStale;
    const starred = this.order.isFavourite(symbol);
    const parts = [this.#columns.text(label, ticker, places)];
    if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
    if (stale) parts.push(vscode.l10n.t("stale"));
    if (starred) parts.push("★");
    item.description = parts.join(columnGap);
    // Without arguments: the editor deletes a row's arguments when the row is drawn again, and a click in that moment is lost.
    item.command = commandLink("glanceAtChart", vscode.l10n.t("Open Chart"));
    item.iconPath = ticker.frozen ? FROZEN : stale ? STALE : changeIcon(ticker.percentChange, this.#inverted);
    item.contextValue =
      (ticker.frozen ? rowContexts.frozenPair : rowContexts.pair) +
      (starred ? rowMarks.favourite : "") +
      (this.list.state.pinned.includes(pairKey(ticker.pair)) ? rowMarks.pinned : "");
    item.accessibilityInformation = { label: spokenRow(ticker, places, stale, starred) };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: MarketRow): Promise<vscode.TreeItem> {
    const { tickerTooltip } = await import("./tickerTooltip.ts");
    const ticker = this.tickers.ticker(row.symbol);
    const { isStale, state } = this.tickers;
    if (ticker)
      item.tooltip = tickerTooltip(ticker, this.tickers.placesOf(ticker), isStale ? state.readAt : undefined);
    return item;
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }

  /** The row of a pair, if it is visible. */
  find(symbol: string): MarketRow | undefined {
    return this.order.isListed(symbol) ? this.#row(symbol) : undefined;
  }

  #row(symbol: string): MarketRow {
    let row = this.#rows.get(symbol);
    if (!row) this.#rows.set(symbol, (row = { symbol }));
    return row;
  }

  #repaint({ changed, rowsChanged, staleChanged }: MarketChange): void {
    if (rowsChanged) this.#rearrange();
    else {
      const listed = changed.filter((symbol) => this.order.isListed(symbol));
      const isWider = this.#columns.widen(this.#cells(listed));
      const isMoved = this.order.update(this.tickers.state.tickers, changed);
      if (isWider || isMoved || staleChanged) this.#changed.fire(undefined);
      else if (listed.length > 0) this.#changed.fire(listed.map((symbol) => this.#row(symbol)));
    }
  }

  #arrange(): void {
    const { tickers } = this.tickers.state;
    this.order.rebuild(tickers, this.list.state);
    this.#hasQuotes = hasSeveralQuotes(tickers.values());
    this.#columns = new RowColumns();
    this.#columns.widen(this.#cells(this.order.symbols));
  }

  *#cells(symbols: readonly string[]): Iterable<{ label: string; ticker: Ticker }> {
    for (const symbol of symbols) {
      const ticker = this.tickers.ticker(symbol);
      if (ticker) yield { label: this.#labelOf(ticker), ticker };
    }
  }

  #labelOf({ pair }: Ticker): string {
    return this.#hasQuotes ? pairName(pair) : pair.base;
  }

  #rearrange(): void {
    this.#arrange();
    for (const symbol of this.#rows.keys()) if (!this.order.isListed(symbol)) this.#rows.delete(symbol);
    this.#changed.fire(undefined);
  }
}

function hasSeveralQuotes(tickers: Iterable<Ticker>): boolean {
  let first: string | undefined;
  for (const { pair } of tickers) {
    first ??= pair.quote;
    if (pair.quote !== first) return true;
  }
  return false;
}

/** The row in words, because a screen reader reads no arrows. */
function spokenRow(ticker: Ticker, places: number, stale: boolean, starred: boolean): string {
  const { pair, last } = ticker;
  const price = vscode.l10n.t("{0} in {1}, last {2}", pair.base, pair.quote, rateText(last, places));
  const change = changeText(ticker.percentChange);
  const parts = [price, change === "" ? "" : vscode.l10n.t("{0} in 24 hours", change)];
  if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
  if (stale) parts.push(vscode.l10n.t("stale"));
  if (starred) parts.push(vscode.l10n.t("favourite"));
  return parts.filter(Boolean).join(", ");
}
