import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { offer, showLogLink, switchLink } from "../commands.ts";
import { showStatusMessage } from "../statusMessage.ts";

/**
 * Command "Reset Practice Account…": confirms first, and shows what is lost. `practice` resets the account in whichever
 * window serves it.
 */
export async function resetPractice(
  { venue, orders, balances, log }: Desk,
  practice: { reset(): Promise<void> },
): Promise<void> {
  if (venue.account.kind !== "practice") return await showPracticeOnly();
  if (!(await confirmed())) return;
  // Checked again, because the dialog may have been open for a long time.
  if (venue.account.kind !== "practice") return await showPracticeOnly();
  try {
    await follow(venue);
    // Recorded first, because an old order must never be compared with the new account's balance.
    await orders.recordAccountReset();
    await practice.reset();
  } catch (error) {
    log.error(`Reset Practice Account: ${errorLine(error)}`);
    const text = vscode.l10n.t("The practice account could not be reset. Refresh, then try again.");
    return await offer("showErrorMessage", text, showLogLink());
  }
  log.info("The practice account was reset");
  balances.refreshEverywhere();
  showStatusMessage(vscode.l10n.t("The practice account was reset."));
}

/** Reopens the exchange if the window that served it was closed. */
async function follow(current: Desk["venue"]): Promise<void> {
  const { venue } = current;
  if (venue) await current.read(venue, (client) => client.serverTime());
}

async function confirmed(): Promise<boolean> {
  const reset = vscode.l10n.t("Reset Practice Account");
  const detail = [
    vscode.l10n.t("Your practice balances and all open practice orders will be lost, in every window."),
    vscode.l10n.t("The account starts again with 1,000,000 THB of play money."),
    vscode.l10n.t("The Orders view keeps its list. Your live account is not affected."),
  ].join("\n");
  const question = vscode.l10n.t("Reset the practice account?");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, reset)) === reset;
}

async function showPracticeOnly(): Promise<void> {
  const text = vscode.l10n.t("Only the practice account can be reset. Switch to it first.");
  await offer("showInformationMessage", text, switchLink());
}
