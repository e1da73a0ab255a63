import * as vscode from "vscode";
import { settingKeys, statusItemIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { mainQuote } from "../../market/holdings/mainQuote.ts";
import { onDidChangeSettings, privacyKeys, statusBalance, statusBarIsHidden } from "../settings.ts";
import { spoken as withoutMasks, shownAmounts } from "../text/amountText.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { priceAge } from "../text/priceAge.ts";
import { shownValueAsset } from "./portfolioText.ts";
import { balanceContent } from "./balanceContent.ts";

/** Whether the figure changes with every price. */
function followsPrices(): boolean {
  const figure = statusBalance();
  return figure === "total" || figure === "todaysResult";
}

/** Status bar item with the exchange and the available balance. */
export function showBalanceItem(desk: Desk): Disposable {
  const item = vscode.window.createStatusBarItem(statusItemIds.balance, vscode.StatusBarAlignment.Left, 10);
  item.name = vscode.l10n.t("Bidside Balance");
  // The total and the result change with the prices, which must be polled for them.
  const prices = new VisiblePrices(desk.tickers);
  const show = (): void => {
    const isHidden = statusBarIsHidden();
    prices.set(followsPrices() && !isHidden ? [] : undefined);
    if (isHidden) return item.hide();
    const { balances, venue, orders, tickers, watchLists, elsewhere } = desk;
    const amounts = shownAmounts();
    const figure = statusBalance();
    const age = tickers.demand.areVisible ? priceAge(tickers, venue, amounts) : undefined;
    const { icon, words, spoken, tooltip, command } = balanceContent({
      state: venue.state,
      balance: balances.state,
      needsCredentials: balances.needsCredentials,
      attention: orders.attention,
      quote: followsPrices()
        ? shownValueAsset(desk)
        : mainQuote(tickers.state.tickers, balances.state.wallet, watchLists.state.lists[0].pairs),
      figure,
      tickers: [...tickers.state.tickers.values()],
      elsewhere: elsewhere.list,
      today: figure === "todaysResult" ? desk.values.today() : undefined,
      amounts,
      stalePrices: age && { updatedAt: tickers.state.readAt ?? 0, why: age.why },
    });
    const text = `$(${icon}) ${words}${amounts.areHidden ? " $(eye-closed)" : ""}`;
    if (item.text !== text) item.text = text;
    item.backgroundColor =
      orders.attention > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    item.tooltip = tooltip;
    item.command = command;
    item.accessibilityInformation = { label: vscode.l10n.t("Bidside: {0}", withoutMasks(spoken)) };
    item.show();
  };
  show();
  return new Disposable(
    item,
    prices,
    desk.tickers.onDidChangePaced(() => followsPrices() && show()),
    desk.values.onDidChange(show),
    desk.balances.onDidChange(show),
    desk.elsewhere.onDidChange(show),
    desk.venue.onDidChange(show),
    desk.orders.onDidChange(show),
    // The listed pairs determine which asset is shown.
    desk.tickers.onDidChange(({ change }) => (change?.rowsChanged || change?.staleChanged) && show()),
    desk.tickers.demand.onDidChange(() => desk.tickers.isStale && show()),
    onDidChangeSettings([...privacyKeys, settingKeys.statusBalance, settingKeys.valuesIn], show),
  );
}
