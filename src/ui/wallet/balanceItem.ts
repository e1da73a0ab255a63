import * as vscode from "vscode";
import { settingKeys, statusItemIds } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { mainQuote } from "../../market/holdings/mainQuote.ts";
import { onDidChangeSettings, shownAmounts } from "../settings.ts";
import { spoken } from "../text/amountText.ts";
import { balanceContent } from "./balanceContent.ts";

/** Status bar item with the exchange and the available balance. */
export class BalanceItem extends Disposable {
  readonly #desk: Desk;
  readonly #item: vscode.StatusBarItem;

  constructor(desk: Desk) {
    super();
    this.#desk = desk;
    this.#item = this.register(
      vscode.window.createStatusBarItem(statusItemIds.balance, vscode.StatusBarAlignment.Left, 10),
    );
    this.#item.name = vscode.l10n.t("Bidside Balance");
    const show = (): void => this.#show();
    this.register(
      desk.balances.onDidChange(show),
      desk.venue.onDidChange(show),
      desk.orders.onDidChange(show),
      // The listed pairs determine which asset is shown.
      desk.tickers.onDidChange(({ change }) => change?.rowsChanged && show()),
      onDidChangeSettings([settingKeys.hideAmounts], show),
    );
    show();
    this.#item.show();
  }

  #show(): void {
    const { balances, venue, orders, tickers, favourites } = this.#desk;
    const amounts = shownAmounts();
    const { icon, words, tooltip, command } = balanceContent({
      state: venue.state,
      balance: balances.state,
      needsCredentials: balances.needsCredentials,
      attention: orders.attention,
      quote: mainQuote(tickers.state.tickers, balances.state.wallet, favourites),
      amounts,
    });
    const text = `$(${icon}) ${words}${amounts.areHidden ? " $(eye-closed)" : ""}`;
    if (this.#item.text !== text) this.#item.text = text;
    this.#item.backgroundColor =
      orders.attention > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.tooltip = tooltip;
    this.#item.command = command;
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Bidside: {0}", spoken(words)) };
  }
}
