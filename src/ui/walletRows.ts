import * as vscode from "vscode";
import { contextKeys, settingKeys } from "../contributions.ts";
import type { BalanceFeed } from "../desk/balanceFeed.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import type { Timers } from "../desk/timers.ts";
import type { CurrentVenue } from "../desk/venue.ts";
import type { Holding, Portfolio } from "../market/portfolio.ts";
import { unreadableText } from "./balanceContent.ts";
import { changeIcon } from "./changeIcon.ts";
import { explain } from "./errorText.ts";
import { amountText, holdingText, spoken } from "./numberText.ts";
import {
  currentPortfolio,
  gainText,
  holdingFigures,
  numberOf,
  totalText,
  worthText,
} from "./portfolioText.ts";
import { priceAge } from "./priceAge.ts";
import { colorsAreInverted, onDidChangeSettings } from "./settings.ts";
import { tableTooltip } from "./tableTooltip.ts";
import { TimedText } from "./timedText.ts";

/** The total, one asset, or one asset with an unreadable balance. */
export type WalletRow =
  | { readonly kind: "total"; readonly portfolio: Portfolio }
  | { readonly kind: "holding"; readonly portfolio: Portfolio; readonly holding: Holding }
  | { readonly kind: "unreadable"; readonly asset: string };

export interface WalletRowsParts {
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
}

/**
 * The rows of the Wallet view: the total, the assets with unknown balances, then all holdings, the most valuable
 * first.
 */
export class WalletRows implements vscode.Disposable {
  readonly #parts: WalletRowsParts;
  readonly #view: vscode.TreeView<WalletRow>;
  readonly #stop: vscode.Disposable;
  readonly #message: TimedText;
  #hasPortfolio = false;
  #shownWelcome: string | undefined;

  /** `repaint` is called when the rows must be read again. */
  constructor(parts: WalletRowsParts, view: vscode.TreeView<WalletRow>, repaint: () => void) {
    this.#parts = parts;
    this.#view = view;
    const { tickers, balances, venue, timers } = parts;
    this.#message = new TimedText(timers, () => this.#showMessage());
    this.#stop = vscode.Disposable.from(
      ...[
        balances.onDidChange(repaint),
        venue.onDidChange(repaint),
        tickers.onDidRead(() => this.#followMessage()),
        () => this.#message.hide(),
        tickers.onDidChange(({ rowsChanged, staleChanged, changed }) => {
          if (rowsChanged || staleChanged || this.#holdsOneOf(changed)) repaint();
        }),
      ].map((stop) => new vscode.Disposable(stop)),
      onDidChangeSettings([settingKeys.hideAmounts, settingKeys.invertColors], repaint),
      view.onDidChangeVisibility(() => this.#followMessage()),
    );
  }

  children(): WalletRow[] {
    const { balances, tickers } = this.#parts;
    const portfolio = currentPortfolio(balances, tickers);
    this.#showState(portfolio);
    if (!portfolio || portfolio.holdings.length + portfolio.unreadable.length === 0) return [];
    const unreadable = portfolio.unreadable.map((asset): WalletRow => ({ kind: "unreadable", asset }));
    const holdings = portfolio.holdings.map((holding): WalletRow => ({
      kind: "holding",
      portfolio,
      holding,
    }));
    const total: WalletRow[] = portfolio.quote === "" ? [] : [{ kind: "total", portfolio }];
    return [...total, ...unreadable, ...holdings];
  }

  item(row: WalletRow): vscode.TreeItem {
    const item = itemOf(row);
    item.accessibilityInformation = { label: spoken(`${String(item.label)}, ${String(item.description)}`) };
    return item;
  }

  dispose(): void {
    this.#stop.dispose();
  }

  #holdsOneOf(symbols: readonly string[]): boolean {
    const { tickers, balances } = this.#parts;
    const { wallet } = balances.state;
    return symbols.some((symbol) => wallet?.has(tickers.ticker(symbol)?.pair.base ?? "") === true);
  }

  #showState(portfolio: Portfolio | undefined): void {
    this.#hasPortfolio = portfolio !== undefined;
    this.#followMessage();
    const noKey = this.#parts.balances.needsCredentials && !portfolio;
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
   * Shows problems, and the age of the prices that the values are based on. Returns for how many ms the text is true.
   */
  #showMessage(): number | undefined {
    const { balances, tickers, venue } = this.#parts;
    const { state } = venue;
    const name = state.kind === "ready" ? state.venue.name : vscode.l10n.t("The exchange");
    const noKey = balances.needsCredentials && !this.#hasPortfolio;
    const problem = state.kind === "unusable" ? state.error : noKey ? undefined : balances.state.problem;
    const old = problem === undefined && this.#hasPortfolio ? priceAge(tickers, venue) : undefined;
    const message = problem === undefined ? old && `${old.age} ${old.why}` : explain(problem, name).sentence;
    // The types lack the undefined that the editor takes for "no message".
    if (this.#view.message !== message) this.#view.message = message as string;
    return old?.holdsMs;
  }
}

function itemOf(row: WalletRow): vscode.TreeItem {
  switch (row.kind) {
    case "total":
      return totalItem(row.portfolio);
    case "holding":
      return holdingItem(row.holding, row.portfolio);
    case "unreadable":
      return unreadableItem(row.asset);
  }
}

function unreadableItem(asset: string): vscode.TreeItem {
  const item = new vscode.TreeItem(asset);
  item.id = `asset:${asset}`;
  item.description = vscode.l10n.t("unknown");
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.tooltip = unreadableText([asset]);
  return item;
}

function totalItem(portfolio: Portfolio): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t("Total"));
  item.id = "total";
  item.description = [totalText(portfolio), gainText(portfolio)].filter(Boolean).join(" · ");
  const percent = portfolio.gainedPercent && numberOf(portfolio.gainedPercent);
  item.iconPath = changeIcon(percent, colorsAreInverted());
  item.tooltip = tableTooltip(vscode.l10n.t("Total"), [
    [vscode.l10n.t("Value"), `${amountText(portfolio.total)} ${portfolio.quote}`],
    [vscode.l10n.t("Change, 24 h"), gainText(portfolio) || "–"],
  ]);
  return item;
}

function holdingItem(holding: Holding, portfolio: Portfolio): vscode.TreeItem {
  const { asset, amount, ticker } = holding;
  const item = new vscode.TreeItem(asset);
  item.id = `asset:${asset}`;
  item.description = [holdingText(amount, asset, portfolio.quote), worthText(holding, portfolio)]
    .filter(Boolean)
    .join(" · ");
  item.iconPath = changeIcon(ticker?.percentChange, colorsAreInverted());
  item.tooltip = tableTooltip(asset, holdingFigures(holding, portfolio));
  return item;
}
