import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { commandLink, run, setKeyLink, addAccountLink, switchLink } from "../commands.ts";
import { openInput } from "../quickInput.ts";
import { amountsAreHidden, onDidChangeSettings, privacyKeys } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";
import { unreadableText } from "./balanceContent.ts";
import {
  reservedOfTotalText,
  currentPortfolio,
  gainText,
  reservedText,
  totalText,
  worthText,
} from "./portfolioText.ts";

interface Entry extends vscode.QuickPickItem {
  readonly action?: vscode.Command;
  /** The pick stays open after the action. */
  readonly staysOpen?: true;
}

/** A pick with the account's balances and the most useful actions. */
export function showBalance(desk: Desk): void {
  const { balances, tickers, venue } = desk;
  const pick = vscode.window.createQuickPick<Entry>();
  pick.title = venue.venue ? vscode.l10n.t("Balance on {0}", venue.venue.name) : vscode.l10n.t("Balance");
  pick.placeholder = vscode.l10n.t("Choose an action");
  pick.keepScrollPosition = true;
  const show = (): void => {
    const active = pick.activeItems[0]?.label;
    pick.items = itemsOf(desk);
    if (active !== undefined) pick.activeItems = pick.items.filter(({ label }) => label === active);
  };
  show();
  const stops = [
    balances.onDidChange(show),
    tickers.onDidChangePaced(({ change }) => change && show()),
    // Polls prices for the values even if no view is visible.
    tickers.demand.add(),
  ];
  const settings = onDidChangeSettings(privacyKeys, show);
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    if (!chosen?.action) return;
    if (!chosen.staysOpen) pick.hide();
    void run(chosen.action);
  });
  pick.onDidHide(() => {
    for (const stop of stops) stop();
    settings.dispose();
    pick.dispose();
  });
  void openInput(pick);
}

/** An action that fixes a problem is listed only beside that problem. */
function itemsOf(desk: Desk): Entry[] {
  const ofAccount = account(desk);
  const remedies = new Set(ofAccount.flatMap(({ action }) => action?.command ?? []));
  return [...actions(desk.venue).filter(({ action }) => !remedies.has(action?.command ?? "")), ...ofAccount];
}

const entry = (icon: string, action: vscode.Command): Entry => ({
  label: `$(${icon}) ${action.title}`,
  action,
});

function actions(venue: CurrentVenue): Entry[] {
  const [icon, title] = amountsAreHidden()
    ? ["eye", vscode.l10n.t("Turn Off Privacy Mode")]
    : ["eye-closed", vscode.l10n.t("Turn On Privacy Mode")];
  return [
    entry("add", commandLink("placeBid", vscode.l10n.t("Buy…"))),
    entry("refresh", commandLink("refresh", vscode.l10n.t("Refresh"))),
    entry("arrow-swap", switchLink()),
    // The practice exchange has its own key.
    venue.venue?.account.kind === "live" ? entry("key", setKeyLink()) : entry("plug", addAccountLink()),
    { ...entry(icon, commandLink("togglePrivacy", title)), staysOpen: true },
  ];
}

function account(desk: Desk): Entry[] {
  const { balances, tickers, venue } = desk;
  const { wallet, problem } = balances.state;
  const amounts = shownAmounts();
  const entries: Entry[] = [{ label: vscode.l10n.t("Balances"), kind: vscode.QuickPickItemKind.Separator }];
  if (problem !== undefined) {
    const { sentence, action } = explain(problem, amounts, venue.venue?.name);
    entries.push({ label: `$(warning) ${action.title}`, detail: sentence, action });
  }
  const portfolio = currentPortfolio(desk);
  if (!portfolio) return entries;
  if (portfolio.quote !== "" && portfolio.holdings.length + portfolio.elsewhere.length > 0) {
    const stale = tickers.isStale ? vscode.l10n.t("stale prices") : "";
    entries.push({
      label: vscode.l10n.t("Total {0}", totalText(portfolio, amounts)),
      description: [gainText(portfolio, amounts), reservedText(portfolio, amounts), stale]
        .filter(Boolean)
        .join(" · "),
    });
  }
  for (const holding of portfolio.holdings) {
    const { asset, available } = holding;
    const reservedPart = reservedOfTotalText(holding, portfolio, amounts);
    entries.push({
      label: `${amounts.holding(available, asset, portfolio.quote)} ${asset}`,
      description: [worthText(holding, portfolio, amounts), reservedPart].filter(Boolean).join(" · "),
    });
  }
  if (portfolio.elsewhere.length > 0)
    entries.push({ label: vscode.l10n.t("Elsewhere"), kind: vscode.QuickPickItemKind.Separator });
  for (const held of portfolio.elsewhere) {
    const { asset, amount, entry } = held;
    entries.push({
      label: `${amounts.holding(amount, asset, portfolio.quote)} ${asset}`,
      description: [worthText(held, portfolio, amounts), sanitizeText(entry.place)]
        .filter(Boolean)
        .join(" · "),
    });
  }
  for (const asset of portfolio.unreadable) {
    const label = `$(warning) ${asset}`;
    entries.push({ label, description: vscode.l10n.t("unknown"), detail: unreadableText([asset]) });
  }
  if (wallet && portfolio.holdings.length === 0 && portfolio.unreadable.length === 0) {
    entries.push({ label: vscode.l10n.t("The wallet is empty.") });
  }
  return entries;
}
