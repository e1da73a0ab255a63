import * as vscode from "vscode";
import { commandIds } from "../../contributions.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { showStatusMessage } from "../statusMessage.ts";

export interface ResetParts {
  readonly venue: CurrentVenue;
  readonly orders: Pick<Orders, "recordAccountReset">;
  /** Resets the account, in whichever window serves it. */
  readonly practice: { reset(): Promise<void> };
  readonly balance: { refreshEverywhere(): void };
  readonly log: vscode.LogOutputChannel;
}

/** Command "Reset Practice Account…": asks first, and says what is lost. */
export async function resetPractice({ venue, orders, practice, balance, log }: ResetParts): Promise<void> {
  if (venue.id !== "practice") return await sayPracticeOnly();
  if (!(await confirmed())) return;
  // The question may have been open for a long time.
  if (venue.id !== "practice") return await sayPracticeOnly();
  try {
    // Recorded first: an order of the old account must never be compared with the balance of the new one.
    await orders.recordAccountReset();
    await practice.reset();
  } catch (error) {
    log.error(`Reset Practice Account: ${errorLine(error)}`);
    await sayFailed();
    return;
  }
  log.info("The practice account was reset");
  balance.refreshEverywhere();
  showStatusMessage(vscode.l10n.t("The practice account was reset."));
}

async function confirmed(): Promise<boolean> {
  const reset = vscode.l10n.t("Reset Practice Account");
  const detail = [
    vscode.l10n.t("Your practice balances and all open practice orders are lost, in every window."),
    vscode.l10n.t("The account starts again with 1,000,000 THB of play money."),
    vscode.l10n.t("The Orders view keeps its list. Your live account is not touched."),
  ].join("\n");
  const question = vscode.l10n.t("Reset the practice account?");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, reset)) === reset;
}

async function sayPracticeOnly(): Promise<void> {
  const change = vscode.l10n.t("Switch Exchange…");
  const text = vscode.l10n.t("Only the practice account can be reset. Switch to it first.");
  if ((await vscode.window.showInformationMessage(text, change)) === change) {
    await vscode.commands.executeCommand(commandIds.switchVenue);
  }
}

async function sayFailed(): Promise<void> {
  const showLog = vscode.l10n.t("Show Log");
  const text = vscode.l10n.t("The practice account could not be reset. Refresh, then try again.");
  if ((await vscode.window.showErrorMessage(text, showLog)) === showLog) {
    await vscode.commands.executeCommand(commandIds.showLog);
  }
}
