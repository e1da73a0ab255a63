import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { offer, addAccountLink, showLogLink } from "../commands.ts";
import { ask } from "../quickInput.ts";
import { accountDocument } from "./accountDocuments.ts";
import type { CredentialStore } from "./credentialStore.ts";

/** Command "Edit Account…": opens this window's live account as a JSON document. */
export async function editAccount({ venue: { account } }: Desk): Promise<void> {
  if (account.kind === "practice") return await showLiveOnly();
  await vscode.window.showTextDocument(accountDocument(account));
}

/** Command "Rename Account…": changes the label of this window's live account. */
export async function renameAccount({ accounts, venue, log }: Desk): Promise<void> {
  const { account } = venue;
  if (account.kind === "practice") return await showLiveOnly();
  const label = await ask({
    title: vscode.l10n.t("Rename Account"),
    prompt: vscode.l10n.t("Enter a name for {0}.", account.label),
    value: account.label,
    problem: (text) =>
      text.trim() === "" ? vscode.l10n.t("Enter a name, or press Escape to cancel.") : undefined,
  });
  if (label === undefined) return;
  await isSaved(log, () => accounts.edit(account.id, { label }));
}

/** Command "Remove Account…": removes this window's live account and its key from this computer, after one confirmation. */
export async function removeAccount({ accounts, venue, log }: Desk, store: CredentialStore): Promise<void> {
  const { account } = venue;
  if (account.kind === "practice") return await showLiveOnly();
  const remove = vscode.l10n.t("Remove Account");
  const detail = [
    vscode.l10n.t("Its address, API key and secret are deleted from this computer."),
    vscode.l10n.t(
      "Recorded orders, fills and alerts stay, and continue if you add an account with the same API key. The key stays valid until you delete it on the exchange.",
    ),
  ].join("\n");
  const question = vscode.l10n.t("Remove the account {0}?", account.label);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  await isSaved(log, async () => {
    await store.remove(account.id);
    accounts.remove(account.id);
  });
}

/** Changes the accounts, and shows an error if that fails. */
export async function isSaved(log: Desk["log"], change: () => unknown): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    log.error(`Accounts: ${errorLine(error)}`);
    const text = vscode.l10n.t("The account could not be changed.");
    void offer("showErrorMessage", text, showLogLink());
    return false;
  }
}

async function showLiveOnly(): Promise<void> {
  const text = vscode.l10n.t("The practice account cannot be edited, renamed or removed.");
  await offer("showInformationMessage", text, addAccountLink());
}
