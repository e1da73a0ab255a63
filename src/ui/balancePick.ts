import * as vscode from "vscode";
import { commandIds } from "../contributions.ts";
import type { BalanceFeed } from "../desk/balanceFeed.ts";
import type { CurrentVenue } from "../desk/venue.ts";
import { explain } from "./errorText.ts";
import { quantityText } from "./numberText.ts";

interface Entry extends vscode.QuickPickItem {
  readonly command?: string;
}

/** Balances at a glance, and what one wants to do next. */
export async function showBalance(feed: BalanceFeed, venue: CurrentVenue): Promise<void> {
  const pick = vscode.window.createQuickPick<Entry>();
  pick.title = venue.venue ? vscode.l10n.t("Balance on {0}", venue.venue.name) : vscode.l10n.t("Balance");
  pick.placeholder = vscode.l10n.t("Choose what to do");
  const show = (): void => {
    pick.items = [...actions(), ...balances(feed, venue)];
  };
  show();
  const stop = feed.onDidChange(show);
  pick.onDidAccept(() => {
    const command = pick.selectedItems[0]?.command;
    if (command === undefined) return;
    pick.hide();
    void vscode.commands.executeCommand(command);
  });
  pick.onDidHide(() => {
    stop();
    pick.dispose();
  });
  pick.show();
}

function actions(): Entry[] {
  return [
    { label: `$(add) ${vscode.l10n.t("Place Bid")}`, command: commandIds.placeBid },
    { label: `$(refresh) ${vscode.l10n.t("Refresh")}`, command: commandIds.refresh },
    { label: `$(arrow-swap) ${vscode.l10n.t("Switch Venue")}`, command: commandIds.switchVenue },
    { label: `$(key) ${vscode.l10n.t("Set API Key")}`, command: commandIds.setCredentials },
  ];
}

function balances(feed: BalanceFeed, venue: CurrentVenue): Entry[] {
  const { wallet, problem } = feed.state;
  const entries: Entry[] = [{ label: vscode.l10n.t("Balances"), kind: vscode.QuickPickItemKind.Separator }];
  if (problem !== undefined) {
    const { sentence, action } = explain(problem, venue.venue?.name ?? vscode.l10n.t("The venue"));
    entries.push({ label: `$(warning) ${action.title}`, detail: sentence, command: action.command });
  }
  for (const [asset, { available, reserved }] of wallet ?? []) {
    const bound = reserved.eq("0") ? "" : vscode.l10n.t("{0} reserved", quantityText(reserved));
    entries.push({ label: `${quantityText(available)} ${asset}`, description: bound });
  }
  if (wallet?.size === 0) entries.push({ label: vscode.l10n.t("The wallet is empty.") });
  return entries;
}
