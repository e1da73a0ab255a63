import * as vscode from "vscode";
import { contextKeys, settingKeys } from "../contributions.ts";
import type { BalanceFeed } from "../desk/balanceFeed.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
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
import { colorsAreInverted, onDidChangeSettings } from "./settings.ts";
import { tableTooltip } from "./tableTooltip.ts";

/** The total, one asset, or one whose balance cannot be read. */
export type WalletRow =
  | { readonly kind: "total"; readonly portfolio: Portfolio }
  | { readonly kind: "holding"; readonly portfolio: Portfolio; readonly holding: Holding }
  | { readonly kind: "unreadable"; readonly asset: string };

export interface WalletRowsParts {
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly venue: CurrentVenue;
}

/** The rows of the Wallet view: the total, the assets whose balances are unknown, then all that is held, the most valuable first. */
export class WalletRows implements vscode.Disposable {
  readonly #parts: WalletRowsParts;
  readonly #view: vscode.TreeView<WalletRow>;
  readonly #stop: vscode.Disposable;
  #shownWelcome: string | undefined;

  /** `repaint` is called whenever rows are to be asked for anew. */
  constructor(parts: WalletRowsParts, view: vscode.TreeView<WalletRow>, repaint: () => void) {
    this.#parts = parts;
    this.#view = view;
    const { tickers, balances, venue } = parts;
    this.#stop = vscode.Disposable.from(
      ...[
        balances.onDidChange(repaint),
        venue.onDidChange(repaint),
        tickers.onDidChange(({ rowsChanged, staleChanged, changed }) => {
          if (rowsChanged || staleChanged || this.#holdsOneOf(changed)) repaint();
        }),
      ].map((stop) => new vscode.Disposable(stop)),
      onDidChangeSettings([settingKeys.hideAmounts, settingKeys.invertColors], repaint),
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
    const { balances, tickers, venue } = this.#parts;
    const { state } = venue;
    const name = state.kind === "ready" ? state.venue.name : vscode.l10n.t("The venue");
    const noKey = balances.needsCredentials && !portfolio;
    const problem = state.kind === "unusable" ? state.error : noKey ? undefined : balances.state.problem;
    const stale = portfolio !== undefined && tickers.isStale;
    const message =
      problem !== undefined
        ? explain(problem, name).sentence
        : stale
          ? vscode.l10n.t("Valued at stale prices.")
          : undefined;
    // The types lack the undefined that the editor takes for "no message".
    this.#view.message = message as string;
    const welcome = noKey ? "noKey" : portfolio ? "ready" : "loading";
    if (welcome === this.#shownWelcome) return;
    this.#shownWelcome = welcome;
    void vscode.commands.executeCommand("setContext", contextKeys.walletState, welcome);
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
