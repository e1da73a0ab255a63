import * as vscode from "vscode";
import { settingKeys, statusItemIds } from "../../contributions.ts";
import type { BalanceFeed } from "../../desk/feeds/balanceFeed.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { amountsAreHidden, onDidChangeSettings } from "../settings.ts";
import { spoken } from "../text/numberText.ts";
import { balanceContent } from "./balanceContent.ts";

/** The status bar item: the exchange, and the balance available there. */
export class BalanceItem implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #feed: BalanceFeed;
  readonly #venue: CurrentVenue;
  readonly #orders: Orders;
  readonly #quote: () => string | undefined;
  readonly #stop: (() => void)[];
  readonly #settings: vscode.Disposable;

  /** `quote` names the asset whose balance is shown, once the market is known. */
  constructor(feed: BalanceFeed, venue: CurrentVenue, orders: Orders, quote: () => string | undefined) {
    this.#feed = feed;
    this.#venue = venue;
    this.#orders = orders;
    this.#quote = quote;
    this.#item = vscode.window.createStatusBarItem(statusItemIds.balance, vscode.StatusBarAlignment.Left, 10);
    this.#item.name = vscode.l10n.t("Bidside Balance");
    const show = (): void => this.show();
    this.#stop = [feed.onDidChange(show), venue.onDidChange(show), orders.onDidChange(show)];
    this.#settings = onDidChangeSettings([settingKeys.hideAmounts], show);
    this.show();
    this.#item.show();
  }

  /** Repaints in place. Also called when the market first names its quote asset. */
  show(): void {
    const { icon, words, tooltip, command } = balanceContent({
      state: this.#venue.state,
      balance: this.#feed.state,
      needsCredentials: this.#feed.needsCredentials,
      attention: this.#orders.attention,
      quote: this.#quote(),
    });
    const text = `$(${icon}) ${words}${amountsAreHidden() ? " $(eye-closed)" : ""}`;
    if (this.#item.text !== text) this.#item.text = text;
    this.#item.backgroundColor =
      this.#orders.attention > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.tooltip = tooltip;
    this.#item.command = command;
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Bidside: {0}", spoken(words)) };
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.#settings.dispose();
    this.#item.dispose();
  }
}
