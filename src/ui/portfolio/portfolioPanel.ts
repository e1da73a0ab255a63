import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { knownTrades } from "../../desk/portfolio/knownTrades.ts";
import { Throttle } from "../../desk/time/throttle.ts";
import { dailyValues } from "../../market/holdings/dailyValues.ts";
import {
  periods,
  type PortfolioChoices,
  type Range,
  ranges,
  readFromPortfolioPage,
  type ToPortfolioPage,
} from "../../protocol/portfolioPage.ts";
import { executeCommand } from "../commands.ts";
import { onPageMessage } from "../pages/pages.ts";
import { pageHtml, preparePanel } from "../pages/webviewPage.ts";
import { hiddenBelow, onDidChangeSettings, privacyKeys } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { currentPortfolio } from "../wallet/portfolioText.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { periodName, portfolioContent, type PortfolioInput } from "./portfolioContent.ts";
import { RecordedValues } from "./recordedValues.ts";
import { startOfDay } from "../../time/localDay.ts";

/** The page is read, not traded on: faster updates would only move its rows. */
const UPDATE_MS = 2000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RANGE_DAYS: Readonly<Record<Range, number>> = {
  week: 7,
  month: 30,
  year: 365,
  all: Number.POSITIVE_INFINITY,
};

/** The open Portfolio page. Polls the market while visible. */
export class PortfolioPanel extends Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #desk: Desk;
  readonly #updates: Throttle<"content">;
  readonly #prices: VisiblePrices;
  #isReady = false;
  #choices: PortfolioChoices;
  readonly #recorded: RecordedValues;

  constructor(
    panel: vscode.WebviewPanel,
    desk: Desk,
    extensionUri: vscode.Uri,
    choices: PortfolioChoices = { range: "month", period: "month" },
  ) {
    super();
    this.#desk = desk;
    this.#choices = choices;
    this.panel = panel;
    preparePanel(panel, extensionUri);
    this.#prices = this.register(new VisiblePrices(desk.tickers));
    const { tickers, balances, orders, venue, elsewhere, values, timers } = desk;
    this.#updates = this.register(
      new Throttle<"content">({ timers, everyMs: () => UPDATE_MS, deliver: () => this.#send() }),
    );
    const update = (): void => this.#updates.add(["content"]);
    this.#recorded = this.register(new RecordedValues(desk, () => this.#send()));
    const reread = (): void => {
      this.#recorded.outdate();
      update();
    };
    this.register(
      panel,
      onPageMessage(panel, (message) => this.#receive(message)),
      panel.onDidChangeViewState(() => this.#follow()),
      tickers.onDidChangePaced(update),
      balances.onDidChange(update),
      orders.onDidChange(update),
      elsewhere.onDidChange(update),
      venue.onDidChange(reread),
      values.onDidChange(reread),
      desk.accounts.onDidChange(update),
      onDidChangeSettings([...privacyKeys, settingKeys.hideBelow, settingKeys.valuesIn], update),
    );
    this.#follow();
    void this.#load(panel, extensionUri);
  }

  async #load(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): Promise<void> {
    panel.webview.html = await portfolioHtml(panel.webview, extensionUri, panel.title);
  }

  #follow(): void {
    const { visible } = this.panel;
    this.#prices.set(visible ? [] : undefined);
    // The editor destroys a hidden page, which loads again when it is shown.
    if (!visible) this.#isReady = false;
  }

  #receive(message: unknown): void {
    const read = readFromPortfolioPage(message);
    switch (read?.type) {
      case "ready":
        this.#isReady = true;
        break;
      case "range":
        this.#choices = { ...this.#choices, range: read.range };
        break;
      case "period":
        this.#choices = { ...this.#choices, period: read.period };
        break;
      case "addHolding":
      case "exportValues":
        return void executeCommand(read.type);
      case undefined:
        return;
    }
    this.#send();
  }

  #accounts(): Pick<PortfolioInput, "account" | "others" | "tickers"> {
    const { venue, accounts, values, tickers } = this.#desk;
    const { account } = venue;
    const others = account.kind === "live" ? accounts.live.filter(({ id }) => id !== account.id) : [];
    return {
      account: accounts.get(account.id)?.label ?? account.label,
      others: others.map(({ id, label }) => ({ label, snapshot: values.latest().get(id) })),
      tickers: [...tickers.state.tickers.values()],
    };
  }

  #send(): void {
    if (!this.#isReady) return;
    const { venue, orders, values, elsewhere, timers, balances } = this.#desk;
    const now = timers.now();
    const portfolio = currentPortfolio(this.#desk);
    const from = startOfDay(now - (RANGE_DAYS[this.#choices.range] - 1) * DAY_MS);
    const current = values.now();
    const recorded = this.#recorded.get(Number.isFinite(from) ? from : 0, portfolio?.quote ?? "");
    if (!recorded) return;
    const snapshots = [...recorded.snapshots, ...(current ? [current] : [])];
    const today = startOfDay(now);
    // Only today changes with the prices. It may begin with the last value of the day before.
    const ofToday = [
      ...dailyValues(
        snapshots.filter(({ at }) => at >= today - HOUR_MS),
        values.trades(today - HOUR_MS),
        startOfDay,
      ),
    ].filter(({ day }) => day === today);
    const content = portfolioContent({
      portfolio,
      elsewhereIsUnreadable: elsewhere.problem !== undefined,
      needsCredentials: balances.needsCredentials,
      today: values.today(),
      trades: knownTrades(orders, venue.signedIn),
      snapshots,
      traded: values.trades(snapshots[0]?.at ?? now),
      days: [...recorded.days.filter(({ day }) => day < today), ...ofToday],
      leftOut: recorded.leftOut,
      ...this.#accounts(),
      ...this.#choices,
      hiddenBelow: hiddenBelow(),
      amounts: shownAmounts(),
      now,
    });
    void this.panel.webview.postMessage({ type: "content", content } satisfies ToPortfolioPage);
  }
}

/** The page without its content, which it requests. */
export function portfolioHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  title: string,
): Promise<string> {
  const names: Readonly<Record<Range, string>> = {
    week: vscode.l10n.t("7 days"),
    month: vscode.l10n.t("30 days"),
    year: vscode.l10n.t("1 year"),
    all: vscode.l10n.t("All"),
  };
  return pageHtml(webview, extensionUri, {
    name: "portfolio",
    words: {
      title,
      range: vscode.l10n.t("Range"),
      overTime: vscode.l10n.t("Value over Time"),
      days: vscode.l10n.t("By Day"),
      accounts: vscode.l10n.t("Accounts"),
      allocation: vscode.l10n.t("Allocation"),
      movers: vscode.l10n.t("Biggest Movers"),
      results: vscode.l10n.t("Realised Results"),
      period: vscode.l10n.t("Period"),
      addHolding: vscode.l10n.t("Add Holding…"),
      exportValues: vscode.l10n.t("Export Values…"),
      explanation: vscode.l10n.t(
        "Deposits, withdrawals and changed holdings are steps in the line, not results. A gap is time in which nothing was recorded.",
      ),
      resultsNote: vscode.l10n.t(
        "Sales with a known cost, first in, first out, as in the export of fills. Asset: the one that was paid.",
      ),
    },
    setup: {
      ranges: ranges.map((id) => ({ id, name: names[id] })),
      periods: periods.map((id) => ({ id, name: periodName(id) })),
    },
  });
}
