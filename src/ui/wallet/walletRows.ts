import * as vscode from "vscode";
import { commandIds, contextKeys, settingKeys, walletContexts } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { knownTrades } from "../../desk/portfolio/knownTrades.ts";
import type { Holding, HoldingElsewhere, Portfolio } from "../../market/holdings/portfolio.ts";
import { cutAmount } from "../../market/numbers/amountDecimals.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { PairTrades } from "../../storage/orders/tradeBook.ts";
import { commandLink } from "../commands.ts";
import { PaintPause, TOOLTIP_MS } from "../paintPause.ts";
import { colorsAreInverted, hiddenBelow, onDidChangeSettings, privacyKeys } from "../settings.ts";
import { type AmountText, spoken, shownAmounts } from "../text/amountText.ts";
import { changeIcon } from "../text/changeIcon.ts";
import { explain } from "../text/errorText.ts";
import { priceAge } from "../text/priceAge.ts";
import { columnGap } from "../text/rowColumns.ts";
import { tableTooltip } from "../text/tableTooltip.ts";
import { TimedText } from "../text/timedText.ts";
import { unreadableText } from "./balanceContent.ts";
import { costFigures, totalResultFigures } from "./costText.ts";
import {
  elsewhereCells,
  elsewhereItem,
  heldElsewhereCells,
  heldElsewhereFigures,
  heldElsewhereItem,
  unreadableElsewhereItem,
} from "./elsewhereRows.ts";
import {
  currentPortfolio,
  gainText,
  holdingFigures,
  numberOf,
  noWorthText,
  reservedByAsset,
  reservedFigures,
  reservedText,
  spokenHolding,
  spokenTotal,
  totalReserved,
  type WalletNumbers,
  withoutText,
} from "./portfolioText.ts";
import { splitHoldings } from "./smallBalances.ts";
import { todayFigures, todayText } from "./todayText.ts";
import { type WalletCells, WalletColumns } from "./walletColumns.ts";

/** The total, what is reserved of it, one asset, or one asset with an unreadable balance. */
export type WalletRow =
  | { readonly kind: "total" | "reserved"; readonly portfolio: Portfolio }
  | {
      readonly kind: "holding";
      readonly portfolio: Portfolio;
      readonly holding: Holding;
      /** Of the pair that prices the asset, if there is one. */
      readonly symbol: string | undefined;
    }
  | { readonly kind: "unreadable"; readonly asset: string }
  /** All balances worth less than the user wants to see, in one row. */
  | { readonly kind: "small"; readonly portfolio: Portfolio; readonly holdings: readonly Holding[] }
  /** All holdings that the user entered; without a portfolio they cannot be read. */
  | { readonly kind: "elsewhere"; readonly portfolio: Portfolio | undefined }
  | {
      readonly kind: "heldElsewhere";
      readonly portfolio: Portfolio;
      readonly held: HoldingElsewhere;
      readonly symbol: string | undefined;
    }
  /** A figure of an asset or of the total. */
  | { readonly kind: "figure"; readonly of: string; readonly name: string; readonly value: string };

type WalletDesk = Desk;

/** The rows of the Wallet view: the sums, assets with unknown balances, then holdings, most valuable first. */
export class WalletRows extends Disposable {
  readonly #desk: WalletDesk;
  readonly #view: vscode.TreeView<WalletRow>;
  readonly #message: TimedText;
  #hasPortfolio = false;
  #knownTrades: readonly PairTrades[] = [];
  #shownWelcome: string | undefined;
  readonly #placesOf = (ticker: Ticker): number => this.#desk.tickers.placesOf(ticker);
  #numbers: WalletNumbers = { amounts: shownAmounts(), placesOf: this.#placesOf };
  #columns = new WalletColumns([], this.#numbers.amounts);
  /** The rows last read; the editor identifies a row by its object. */
  #rows: ReadonlyMap<string, TopRow> = new Map();
  #elsewhereRows: ReadonlyMap<string, HeldElsewhereRow> = new Map();
  readonly #draw: (rows: WalletRow[] | undefined) => void;
  readonly #pause: PaintPause;

  /** `draw` repaints rows; undefined refreshes all. */
  constructor(
    desk: WalletDesk,
    view: vscode.TreeView<WalletRow>,
    draw: (rows: WalletRow[] | undefined) => void,
  ) {
    super();
    this.#desk = desk;
    this.#view = view;
    this.#draw = (rows) => {
      this.#pause.noteRepaint();
      draw(rows);
    };
    const repaint = (): void => this.#repaint();
    this.#pause = this.register(new PaintPause(desk.timers, repaint));
    const { tickers, balances, venue, timers, orders, elsewhere, values } = desk;
    this.#message = new TimedText(timers, () => this.#showMessage());
    this.register(
      balances.onDidChange(repaint),
      elsewhere.onDidChange(repaint),
      values.onDidChange(repaint),
      venue.onDidChange(repaint),
      orders.onDidChange(() => this.#tradesChanged() && repaint()),
      () => this.#message.hide(),
      tickers.onDidChangePaced(({ change }) => {
        const isShown =
          change && (change.rowsChanged || change.staleChanged || this.#holdsOneOf(change.changed));
        if (isShown && !this.#pause.isPaused()) repaint();
        this.#followMessage();
      }),
      onDidChangeSettings(
        [...privacyKeys, settingKeys.hideBelow, settingKeys.valuesIn, settingKeys.invertColors],
        repaint,
      ),
      view.onDidChangeVisibility(() => this.#followMessage()),
    );
  }

  children(row?: WalletRow): WalletRow[] {
    return row ? this.#figureRows(row) : this.#read();
  }

  #read(): WalletRow[] {
    const portfolio = currentPortfolio(this.#desk);
    this.#showState(portfolio);
    const amounts = shownAmounts();
    this.#numbers = { amounts, placesOf: this.#placesOf };
    const top = rowsOf(portfolio, this.#desk.elsewhere.problem !== undefined);
    const elsewhere = elsewhereRowsOf(portfolio);
    this.#columns = new WalletColumns(
      [...top, ...elsewhere].flatMap((row) => cellsOfRow(row, amounts) ?? []),
      amounts,
    );
    // All values are in one asset, which the header names once.
    const today = this.#desk.values.today();
    const header = [portfolio?.quote, today && todayText(today, amounts)].filter(Boolean).join(" · ");
    if (this.#view.description !== header) this.#view.description = header;
    this.#rows = keptRows(this.#rows, top, keyOf);
    this.#elsewhereRows = keptRows(this.#elsewhereRows, elsewhere, ({ held }) => held.entry.id);
    return [...this.#rows.values()];
  }

  /**
   * Repaints rows in place unless the set of rows changed: during a refresh the editor knows no rows, so it undoes a
   * click that expands one, and row commands receive no row.
   */
  #repaint(): void {
    if (!this.#view.visible) return this.#draw(undefined);
    const before = [...this.#rows.keys()];
    const rows = this.#read();
    const isSame = before.length > 0 && before.join("\n") === [...this.#rows.keys()].join("\n");
    this.#draw(isSame ? rows : undefined);
  }

  /** Call when a tooltip is about to open: a new price repaints all rows. */
  holdTooltip(): void {
    this.#pause.begin(TOOLTIP_MS);
  }

  item(row: WalletRow): vscode.TreeItem {
    switch (row.kind) {
      case "total":
        return totalItem(row.portfolio, this.#columns, this.#numbers.amounts, this.#moreFigures(row));
      case "reserved":
        return reservedItem(row.portfolio, this.#columns, this.#numbers.amounts);
      case "holding":
        return holdingItem(row, this.#columns, this.#numbers, this.#moreFigures(row));
      case "unreadable":
        return unreadableItem(row.asset);
      case "small":
        return smallItem(row, this.#columns);
      case "elsewhere":
        return row.portfolio
          ? elsewhereItem(row.portfolio, this.#columns, this.#numbers.amounts)
          : unreadableElsewhereItem();
      case "heldElsewhere":
        return heldElsewhereItem(row.held, row.portfolio, this.#columns, this.#numbers);
      case "figure":
        return figureItem(row);
    }
  }

  /** Figures that have no column. A row with any can be expanded. */
  #moreFigures(row: WalletRow): readonly [string, string][] {
    const now = this.#desk.timers.now();
    const trades = knownTrades(this.#desk.orders, this.#desk.venue.signedIn);
    if (row.kind === "holding") return costFigures(row.holding, trades, this.#numbers, now);
    if (row.kind !== "total") return [];
    const { amounts } = this.#numbers;
    return [
      ...todayFigures(this.#desk.values.today(), amounts, now),
      ...totalResultFigures(row.portfolio, trades, amounts, now),
    ];
  }

  #figureRows(row: WalletRow): WalletRow[] {
    const { amounts } = this.#numbers;
    if (row.kind === "elsewhere") return [...this.#elsewhereRows.values()];
    if (row.kind === "heldElsewhere")
      return figureRows(row.held.entry.id, heldElsewhereFigures(row.held, row.portfolio, this.#numbers));
    if (row.kind === "holding")
      return figureRows(row.holding.asset, [
        ...reservedFigures(row.holding, row.portfolio, amounts),
        ...this.#moreFigures(row),
      ]);
    if (row.kind === "reserved") return figureRows(row.kind, reservedByAsset(row.portfolio, amounts));
    return figureRows(row.kind, this.#moreFigures(row));
  }

  /** Whether fills or costs changed since the last call. */
  #tradesChanged(): boolean {
    const { all } = knownTrades(this.#desk.orders, this.#desk.venue.signedIn);
    const isSame =
      all.length === this.#knownTrades.length && all.every((each, at) => each === this.#knownTrades[at]);
    this.#knownTrades = all;
    return !isSame;
  }

  #holdsOneOf(symbols: readonly string[]): boolean {
    const { tickers, balances, elsewhere } = this.#desk;
    const held = new Set([
      ...(balances.state.wallet?.keys() ?? []),
      ...elsewhere.list.map(({ asset }) => asset),
    ]);
    return symbols.some((symbol) => held.has(tickers.ticker(symbol)?.pair.base ?? ""));
  }

  #showState(portfolio: Portfolio | undefined): void {
    this.#hasPortfolio = portfolio !== undefined;
    this.#followMessage();
    const noKey = this.#desk.balances.needsCredentials && !portfolio;
    const welcome = noKey ? "noKey" : portfolio ? "ready" : "loading";
    if (welcome === this.#shownWelcome) return;
    this.#shownWelcome = welcome;
    void vscode.commands.executeCommand("setContext", contextKeys.walletState, welcome);
  }

  #followMessage(): void {
    this.#message.show();
    if (!this.#view.visible) this.#message.hide();
  }

  /**
   * Shows the account's problems and the age of the prices behind the values; Markets and the status bar say why they
   * are old. Returns how many ms the text stays valid.
   */
  #showMessage(): number | undefined {
    const { balances, tickers, venue } = this.#desk;
    const { state } = venue;
    const amounts = shownAmounts();
    const noKey = balances.needsCredentials && !this.#hasPortfolio;
    const problem = state.kind === "unusable" ? state.error : noKey ? undefined : balances.state.problem;
    const old = problem === undefined && this.#hasPortfolio ? priceAge(tickers, venue, amounts) : undefined;
    const message = problem === undefined ? old?.age : explain(problem, amounts, venue.venue?.name).sentence;
    // Undefined means no message; the editor's types do not allow it.
    if (this.#view.message !== message) this.#view.message = message as string;
    return old?.validMs;
  }
}

function figureRows(of: string, figures: readonly (readonly [string, string])[]): WalletRow[] {
  return figures.map(([name, value]) => ({ kind: "figure", of, name, value }));
}

type HeldElsewhereRow = Extract<WalletRow, { kind: "heldElsewhere" }>;
type TopRow = Exclude<WalletRow, { kind: "figure" | "heldElsewhere" }>;

/** The rows by key. A row that was there before is the same object with new content. */
function keptRows<Row extends WalletRow>(
  before: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  const kept = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    kept.set(key, Object.assign(before.get(key) ?? row, row));
  }
  return kept;
}

function elsewhereRowsOf(portfolio: Portfolio | undefined): HeldElsewhereRow[] {
  if (!portfolio) return [];
  return portfolio.elsewhere.map((held) => {
    return { kind: "heldElsewhere", portfolio, held, symbol: held.ticker?.symbol };
  });
}

function rowsOf(portfolio: Portfolio | undefined, elsewhereIsUnreadable: boolean): TopRow[] {
  const unreadableRow = elsewhereIsUnreadable ? [{ kind: "elsewhere", portfolio: undefined } as const] : [];
  if (!portfolio) return unreadableRow;
  const { quote, unreadable, elsewhere } = portfolio;
  if (portfolio.holdings.length + unreadable.length + elsewhere.length === 0) return unreadableRow;
  const { shown, small } = splitHoldings(portfolio, hiddenBelow());
  return [
    ...(quote === "" ? [] : [{ kind: "total", portfolio } as const]),
    ...(portfolio.reserved.gt("0") ? [{ kind: "reserved", portfolio } as const] : []),
    ...unreadable.map((asset) => ({ kind: "unreadable", asset }) as const),
    ...shown.map(
      (holding) => ({ kind: "holding", portfolio, holding, symbol: holding.ticker?.symbol }) as const,
    ),
    ...(small.length > 0 ? [{ kind: "small", portfolio, holdings: small } as const] : []),
    ...(elsewhere.length > 0 ? [{ kind: "elsewhere", portfolio } as const] : unreadableRow),
  ];
}

function keyOf(row: TopRow): string {
  if (row.kind === "holding") return `holding:${row.holding.asset}`;
  return row.kind === "unreadable" ? `unreadable:${row.asset}` : row.kind;
}

/** Undefined for a row without a known value. */
function cellsOfRow(row: TopRow | HeldElsewhereRow, amounts: AmountText): WalletCells | undefined {
  switch (row.kind) {
    case "total":
      return totalCells(row.portfolio);
    case "reserved":
      return reservedCells(row.portfolio);
    case "holding":
      return cellsOf(row.holding, row.portfolio, amounts);
    case "small":
      return smallCells(row);
    case "elsewhere":
      return row.portfolio && elsewhereCells(row.portfolio);
    case "heldElsewhere":
      return heldElsewhereCells(row.held, row.portfolio, amounts);
    case "unreadable":
      return undefined;
  }
}

function totalCells({ total, gainedPercent }: Portfolio): WalletCells {
  return {
    label: vscode.l10n.t("Total"),
    quantity: "",
    value: total,
    change: gainedPercent && numberOf(gainedPercent),
  };
}

function reservedCells({ reserved }: Portfolio): WalletCells {
  return { label: vscode.l10n.t("Reserved"), quantity: "", value: reserved, change: null };
}

/** Undefined if the value is unknown. */
function cellsOf(
  { asset, amount, percentChange, value }: Holding,
  { quote }: Portfolio,
  amounts: AmountText,
): WalletCells | undefined {
  if (quote === "" || !value) return undefined;
  // Of the quote asset, quantity and value are one figure.
  if (asset === quote) return { label: asset, quantity: "", value: cutAmount(amount, quote), change: null };
  return { label: asset, quantity: amounts.rowQuantity(amount), value, change: percentChange };
}

function smallCells({ holdings }: Extract<WalletRow, { kind: "small" }>): WalletCells {
  const label =
    holdings.length === 1
      ? vscode.l10n.t("1 small balance")
      : vscode.l10n.t("{0} small balances", holdings.length);
  const value = holdings.reduce((sum, holding) => sum.plus(holding.value ?? "0"), new Decimal("0"));
  return { label, quantity: "", value, change: null };
}

/** A click changes what counts as small. */
function smallItem(row: Extract<WalletRow, { kind: "small" }>, columns: WalletColumns): vscode.TreeItem {
  const cells = smallCells(row);
  const item = new vscode.TreeItem(cells.label);
  item.id = "small";
  item.description = columns.text(cells);
  item.tooltip = row.holdings.map(({ asset }) => asset).join(", ");
  item.command = { command: commandIds.hideSmallBalances, title: vscode.l10n.t("Hide Small Balances") };
  item.accessibilityInformation = { label: spoken(`${cells.label}, ${item.tooltip}`) };
  return item;
}

function unreadableItem(asset: string): vscode.TreeItem {
  const item = new vscode.TreeItem(asset);
  item.id = `asset:${asset}`;
  item.description = vscode.l10n.t("unknown");
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.tooltip = unreadableText([asset]);
  item.accessibilityInformation = { label: `${asset}, ${vscode.l10n.t("unknown")}` };
  return item;
}

function totalItem(
  portfolio: Portfolio,
  columns: WalletColumns,
  amounts: AmountText,
  results: readonly [string, string][],
): vscode.TreeItem {
  const cells = totalCells(portfolio);
  const item = new vscode.TreeItem(cells.label, collapsible(results.length));
  item.id = "total";
  item.description = [columns.text(cells), withoutText(portfolio)].filter(Boolean).join(columnGap);
  item.iconPath = changeIcon(cells.change ?? undefined, colorsAreInverted());
  item.tooltip = tableTooltip(cells.label, [
    [vscode.l10n.t("Value"), `${amounts.computed(portfolio.total, portfolio.quote)} ${portfolio.quote}`],
    [vscode.l10n.t("Change, 24 h"), gainText(portfolio, amounts) || "–"],
    ...totalReserved(portfolio, amounts),
    ...results,
  ]);
  item.accessibilityInformation = { label: spoken(spokenTotal(portfolio, amounts)) };
  return item;
}

function reservedItem(portfolio: Portfolio, columns: WalletColumns, amounts: AmountText): vscode.TreeItem {
  const cells = reservedCells(portfolio);
  const assets = reservedByAsset(portfolio, amounts);
  const item = new vscode.TreeItem(cells.label, collapsible(assets.length));
  item.id = "reserved";
  item.description = columns.text(cells);
  item.iconPath = new vscode.ThemeIcon("lock");
  item.tooltip = tableTooltip(vscode.l10n.t("Reserved by orders"), assets);
  item.accessibilityInformation = { label: spoken(reservedText(portfolio, amounts)) };
  return item;
}

function holdingItem(
  { holding, portfolio }: Extract<WalletRow, { kind: "holding" }>,
  columns: WalletColumns,
  numbers: WalletNumbers,
  costs: readonly [string, string][],
): vscode.TreeItem {
  const { asset, ticker, amount } = holding;
  const { amounts } = numbers;
  const reserved = reservedFigures(holding, portfolio, amounts);
  const item = new vscode.TreeItem(asset, collapsible(reserved.length + costs.length));
  item.id = `asset:${asset}`;
  const cells = cellsOf(holding, portfolio, amounts);
  item.description = cells
    ? columns.text(cells)
    : columns.start(asset, amounts.rowQuantity(amount)) + columnGap + noWorthText(holding, portfolio);
  item.iconPath = changeIcon(holding.percentChange, colorsAreInverted());
  if (ticker) {
    item.contextValue = ticker.frozen ? walletContexts.frozen : walletContexts.sellable;
    item.command = commandLink("previewAsset", vscode.l10n.t("Open Chart"));
  }
  item.tooltip = tableTooltip(asset, [...holdingFigures(holding, portfolio, numbers), ...costs]);
  item.accessibilityInformation = { label: spoken(spokenHolding(holding, portfolio, amounts)) };
  return item;
}

function figureItem({ of, name, value }: Extract<WalletRow, { kind: "figure" }>): vscode.TreeItem {
  const item = new vscode.TreeItem(name);
  item.id = `figure:${of}:${name}`;
  item.description = value;
  item.accessibilityInformation = { label: spoken(`${name}, ${value}`) };
  return item;
}

function collapsible(figures: number): vscode.TreeItemCollapsibleState {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  return figures > 0 ? Collapsed : None;
}
