import * as vscode from "vscode";
import { rowContexts, rowMarks, settingKeys } from "../../contributions.ts";
import { Throttle } from "../../desk/time/throttle.ts";
import { Disposable } from "../../desk/disposable.ts";
import type { MarketChange } from "../../desk/feeds/marketState.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import { systemTimers, type Timers } from "../../time/timers.ts";
import { RowOrder } from "../../desk/watchLists/rowOrder.ts";
import { ALL_PAIRS, topList, type WatchLists } from "../../desk/watchLists/watchLists.ts";
import { isPinned } from "../../desk/watchLists/edits.ts";
import { pairName, parseSymbol } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { commandLink } from "../commands.ts";
import { PaintPause, TOOLTIP_MS } from "../paintPause.ts";
import { colorsAreInverted, onDidChangeSettings } from "../settings.ts";
import { changeIcon } from "../text/changeIcon.ts";
import { changeText, rateText } from "../text/numberText.ts";
import { columnGap, RowColumns, shortLabel } from "../text/rowColumns.ts";
import { type PairFacts, tickerTooltip } from "./tickerTooltip.ts";
import { UNLISTED_ROW } from "./unlistedRows.ts";
import type { WatchListsStore } from "../../desk/watchLists/watchListsStore.ts";

/** A row, identified by its symbol; the ticker is looked up when it is painted. */
export interface MarketRow {
  readonly symbol: string;
}

const FROZEN = new vscode.ThemeIcon("lock", new vscode.ThemeColor("disabledForeground"));
const UNLISTED = new vscode.ThemeIcon("circle-slash", new vscode.ThemeColor("disabledForeground"));
const STALE = new vscode.ThemeIcon("history", new vscode.ThemeColor("disabledForeground"));

/**
 * Minimum interval between reorderings by streamed prices, because each makes the editor read all rows again. A
 * reordering blocked by a hovered row is retried at the same interval.
 */
const REORDER_MS = 2000;
/** Above this number, refreshing all rows is faster than updating each. */
const MAX_ROW_UPDATES = 200;
/** Longest pause for a drag, ms. */
const DRAG_MS = 5000;
/** The editor reads visible rows within this time after a refresh, ms. */
const REFRESH_TIMEOUT_MS = 1000;

/**
 * The rows of the Markets view, one per pair. Only changed rows are repainted. All rows are refreshed only if their
 * order changed, or if there are too many to repaint one by one.
 */
export class MarketRows extends Disposable implements vscode.TreeDataProvider<MarketRow> {
  readonly tickers: TickerFeed;
  readonly lists: WatchListsStore;
  readonly #changed = this.register(new vscode.EventEmitter<MarketRow | MarketRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  /** The order of the rows. */
  readonly order = new RowOrder();
  #orderKey = "";
  readonly #rows = new Map<string, MarketRow>();
  #columns = new RowColumns();
  /** There are several quote assets, so the base asset alone does not identify a pair. */
  #hasQuotes = false;
  #inverted = colorsAreInverted();
  /** Symbols of rows that a stream, or a poll during a hover, may have moved. */
  readonly #moved: Throttle<string>;
  readonly #timers: Timers;
  readonly #factsOf: (ticker: Ticker) => Promise<PairFacts>;
  /** The row with a tooltip, and whether streamed prices changed it since. */
  #tooltipRow: { readonly symbol: string; isOutdated: boolean; readonly cancel: () => void } | undefined;
  #isVisible = true;
  /** Streamed prices changed rows while they were hidden. */
  #isOutdated = false;
  readonly #pause: PaintPause;
  /** Set while a refresh was requested and the editor has not begun to read. */
  #cancelPendingRefresh: (() => void) | undefined;

  /** `factsOf`: what a tooltip shows beside the ticker. */
  constructor(
    tickers: TickerFeed,
    lists: WatchListsStore,
    timers: Timers = systemTimers,
    factsOf: (ticker: Ticker) => Promise<PairFacts> = async () => ({ prices: [], account: [] }),
  ) {
    super();
    this.#factsOf = factsOf;
    this.tickers = tickers;
    this.lists = lists;
    this.#timers = timers;
    this.#moved = new Throttle({
      timers,
      everyMs: () => REORDER_MS,
      deliver: (symbols) => this.#move(symbols),
    });
    this.#pause = new PaintPause(timers, () => this.#reorder());
    this.register(
      this.#moved,
      this.#pause,
      () => this.#tooltipRow?.cancel(),
      () => this.#cancelPendingRefresh?.(),
      // Paced, because the editor delays painting until 200 ms pass without an event.
      tickers.onDidChangePaced(({ change, isStreamed }) => {
        if (!change || this.#pause.isPaused()) return;
        if (isStreamed) this.#tick(change.changed);
        else this.#repaint(change);
      }),
      lists.onDidChange(() => this.#followLists()),
      onDidChangeSettings([settingKeys.invertColors], () => {
        this.#inverted = colorsAreInverted();
        this.#paintAll();
      }),
    );
    this.#computeOrder();
  }

  getChildren(row?: MarketRow): MarketRow[] {
    if (row) return [];
    this.#cancelPendingRefresh?.();
    return this.order.symbols.map((symbol) => this.#row(symbol));
  }

  getTreeItem(row: MarketRow): vscode.TreeItem {
    const { symbol } = row;
    const ticker = this.tickers.ticker(symbol);
    const label = ticker ? this.#labelOf(ticker) : this.nameOf(symbol);
    const item = new vscode.TreeItem(label);
    item.id = symbol;
    if (!ticker) return this.order.has(symbol) ? this.#unlisted(item, symbol) : item;
    const places = this.tickers.placesOf(ticker);
    const stale = this.tickers.isStaleOf(symbol);
    const starred = this.order.isFavourite(symbol);
    const parts = [this.#columns.text(label, ticker, places)];
    if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
    if (stale) parts.push(vscode.l10n.t("stale"));
    if (starred) parts.push("★");
    item.description = parts.join(columnGap);
    // No arguments: the editor drops a row's arguments while it repaints the row, and a click at that moment would be
    // lost.
    item.command = commandLink("previewChart", vscode.l10n.t("Open Chart"));
    item.iconPath = ticker.frozen ? FROZEN : stale ? STALE : changeIcon(ticker.percentChange, this.#inverted);
    item.contextValue = (ticker.frozen ? rowContexts.frozenPair : rowContexts.pair) + this.#marksOf(symbol);
    item.accessibilityInformation = { label: spokenRow(ticker, places, stale, starred) };
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, row: MarketRow): Promise<vscode.TreeItem> {
    this.#holdTooltip(row.symbol);
    const ticker = this.tickers.ticker(row.symbol);
    if (!ticker) return item;
    const facts = await this.#factsOf(ticker);
    const since = this.tickers.isStaleOf(row.symbol) ? this.tickers.pricedAt(row.symbol) : undefined;
    item.tooltip = tickerTooltip(ticker, this.tickers.placesOf(ticker), since, facts);
    return item;
  }

  /** The row of a pair that is in a list, but not on this exchange. */
  #unlisted(item: vscode.TreeItem, symbol: string): vscode.TreeItem {
    const words = vscode.l10n.t("not listed");
    const starred = this.order.isFavourite(symbol);
    item.description = [words, starred ? "★" : ""].filter(Boolean).join(columnGap);
    item.iconPath = UNLISTED;
    item.resourceUri = UNLISTED_ROW;
    item.contextValue = rowContexts.unlistedPair + this.#marksOf(symbol);
    item.tooltip = vscode.l10n.t("The exchange does not list this pair. It stays in your watch list.");
    item.accessibilityInformation = {
      label: [this.nameOf(symbol), words, starred ? vscode.l10n.t("favourite") : ""]
        .filter(Boolean)
        .join(", "),
    };
    return item;
  }

  #marksOf(symbol: string): string {
    return (
      (this.order.isFavourite(symbol) ? rowMarks.favourite : "") +
      (isPinned(this.lists.state, symbol) ? rowMarks.pinned : "")
    );
  }

  /** Needed for `reveal`; all rows are roots. */
  getParent(): undefined {
    return undefined;
  }

  /** All pairs of the exchange, the favourites first. */
  get allSymbols(): readonly string[] {
    const all = new RowOrder();
    all.rebuild(this.tickers.state.tickers, { ...this.lists.state, active: ALL_PAIRS });
    return all.symbols;
  }

  /** The name of a pair, even of one that the exchange does not list. */
  nameOf(symbol: string): string {
    const pair = this.tickers.ticker(symbol)?.pair ?? parseSymbol(symbol, "quoteFirst");
    return pair ? pairName(pair) : symbol;
  }

  /** The row of a pair, if the list on screen has one. */
  find(symbol: string): MarketRow | undefined {
    return this.order.has(symbol) ? this.#row(symbol) : undefined;
  }

  /** Streamed prices do not repaint hidden rows; they are repainted when shown again. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (!isVisible || !this.#isOutdated) return;
    this.#isOutdated = false;
    this.#reorder();
  }

  /**
   * Pauses repainting while a row is dragged: a moving row would receive a drop meant for another one, and a drop
   * during a refresh is lost.
   */
  setDragged(isDragged: boolean): void {
    if (isDragged) this.#pause.begin(DRAG_MS);
    else this.#pause.end();
  }

  #tick(changed: readonly string[]): void {
    if (!this.#isVisible) {
      this.#isOutdated ||= changed.length > 0;
      return;
    }
    const listed = this.#paintable(changed);
    if (listed.length === 0) return;
    if (this.#columns.widen(this.#cells(listed))) this.#paintAll();
    else this.#paint(listed);
    this.#moved.add(listed);
  }

  /** The listed rows, except one with a tooltip, which is repainted later. */
  #paintable(changed: readonly string[]): readonly string[] {
    const tooltipRow = this.#tooltipRow;
    if (tooltipRow && changed.includes(tooltipRow.symbol)) tooltipRow.isOutdated = true;
    return changed.filter((symbol) => symbol !== tooltipRow?.symbol && this.order.has(symbol));
  }

  #holdTooltip(symbol: string): void {
    this.#releaseTooltip();
    const cancel = this.#timers.after(TOOLTIP_MS, () => this.#releaseTooltip());
    this.#tooltipRow = { symbol, isOutdated: false, cancel };
  }

  #releaseTooltip(): void {
    const tooltipRow = this.#tooltipRow;
    this.#tooltipRow = undefined;
    tooltipRow?.cancel();
    if (tooltipRow?.isOutdated) this.#tick([tooltipRow.symbol]);
  }

  #move(symbols: ReadonlySet<string>): void {
    if (this.#tooltipRow || this.#pause.isPaused()) this.#moved.add(symbols);
    else if (this.order.update(this.tickers.state.tickers, symbols)) this.#refreshAll();
  }

  #row(symbol: string): MarketRow {
    let row = this.#rows.get(symbol);
    if (!row) this.#rows.set(symbol, (row = { symbol }));
    return row;
  }

  #repaint({ changed, rowsChanged, staleChanged }: MarketChange): void {
    if (rowsChanged) this.#reorder();
    else {
      const listed = this.#paintable(changed);
      const isWider = this.#columns.widen(this.#cells(listed));
      // While a row is hovered, a refresh would lose a click on its buttons.
      if (this.#tooltipRow) this.#moved.add(changed);
      const isMoved = !this.#tooltipRow && this.order.update(this.tickers.state.tickers, changed);
      if (isMoved) this.#refreshAll();
      else if (isWider || staleChanged) this.#paintAll();
      else if (listed.length > 0) this.#paint(listed);
    }
  }

  /** Pinning moves no row. */
  #followLists(): void {
    if (orderKeyOf(this.lists.state) === this.#orderKey) this.#paintAll();
    else this.#reorder();
  }

  #computeOrder(): void {
    const { tickers } = this.tickers.state;
    this.#orderKey = orderKeyOf(this.lists.state);
    this.order.rebuild(tickers, this.lists.state);
    this.#hasQuotes = hasSeveralQuotes(tickers.values());
    this.#columns = new RowColumns();
    this.#columns.widen(this.#cells(this.order.symbols));
  }

  *#cells(symbols: readonly string[]): Iterable<{ label: string; ticker: Ticker; places: number }> {
    for (const symbol of symbols) {
      const ticker = this.tickers.ticker(symbol);
      if (ticker) yield { label: this.#labelOf(ticker), ticker, places: this.tickers.placesOf(ticker) };
    }
  }

  #labelOf({ pair }: Ticker): string {
    return shortLabel(this.#hasQuotes ? pairName(pair) : pair.base);
  }

  #reorder(): void {
    const before = this.order.symbols;
    this.#computeOrder();
    for (const symbol of this.#rows.keys()) if (!this.order.has(symbol)) this.#rows.delete(symbol);
    const after = this.order.symbols;
    if (before.length === after.length && before.every((symbol, at) => symbol === after[at]))
      this.#paintAll();
    else this.#refreshAll();
  }

  /**
   * Repaints all rows, in place unless there are too many: during a refresh the editor knows no rows, so the selection
   * is lost and row commands receive no row.
   */
  #paintAll(): void {
    const { symbols } = this.order;
    const isFew = symbols.length > 0 && symbols.length <= MAX_ROW_UPDATES;
    if (isFew) this.#paint(symbols);
    else this.#refreshAll();
  }

  #paint(symbols: readonly string[]): void {
    if (!this.#cancelPendingRefresh) this.#fire(symbols.map((symbol) => this.#row(symbol)));
  }

  /**
   * Makes the editor read all rows. Changes until it begins to read are covered by that read; another event would only
   * delay it, or cause a second read that loses a click or a drop.
   */
  #refreshAll(): void {
    if (this.#cancelPendingRefresh) return;
    const cancel = this.#timers.after(REFRESH_TIMEOUT_MS, () => this.#cancelPendingRefresh?.());
    this.#cancelPendingRefresh = () => {
      cancel();
      this.#cancelPendingRefresh = undefined;
    };
    this.#fire(undefined);
  }

  #fire(rows: MarketRow[] | undefined): void {
    this.#pause.noteRepaint();
    this.#changed.fire(rows);
  }
}

/** What affects the order of rows: not the pins, and not the lists that are not on screen. */
function orderKeyOf(lists: WatchLists): string {
  return JSON.stringify([lists.active, lists.sort, topList(lists)]);
}

function hasSeveralQuotes(tickers: Iterable<Ticker>): boolean {
  let first: string | undefined;
  for (const { pair } of tickers) {
    first ??= pair.quote;
    if (pair.quote !== first) return true;
  }
  return false;
}

/** The row for screen readers, which read no arrows. */
function spokenRow(ticker: Ticker, places: number, stale: boolean, starred: boolean): string {
  const { pair, last } = ticker;
  const price =
    last === undefined
      ? vscode.l10n.t("{0} in {1}, no trades yet", pair.base, pair.quote)
      : vscode.l10n.t("{0} in {1}, last {2}", pair.base, pair.quote, rateText(last, places));
  const change = changeText(ticker.percentChange);
  const parts = [price, change === "" ? "" : vscode.l10n.t("{0} in 24 hours", change)];
  if (ticker.frozen) parts.push(vscode.l10n.t("frozen"));
  if (stale) parts.push(vscode.l10n.t("stale"));
  if (starred) parts.push(vscode.l10n.t("favourite"));
  return parts.filter(Boolean).join(", ");
}
