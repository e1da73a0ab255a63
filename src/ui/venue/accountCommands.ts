import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { offer, setUpLink, showLogLink } from "../commands.ts";
import { ask } from "../quickInput.ts";
import type { CredentialStore } from "./credentialStore.ts";

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
  await saved(log, () => accounts.edit(account.id, { label }));
}

/** Command "Remove Account…": removes this window's live account and its key from this computer, after one confirmation. */
export async function removeAccount({ accounts, venue, log }: Desk, store: CredentialStore): Promise<void> {
  const { account } = venue;
  if (account.kind === "practice") return await showLiveOnly();
  const remove = vscode.l10n.t("Remove Account");
  const detail = [
    vscode.l10n.t("Its address, API key and secret are deleted from this computer."),
    vscode.l10n.t(
      "Recorded orders, fills and alerts stay. The API key stays valid until you delete it on the exchange.",
    ),
  ].join("\n");
  const question = vscode.l10n.t("Remove the account {0}?", account.label);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  await saved(log, async () => {
    await store.remove(account.id);
    accounts.remove(account.id);
  });
}

async function saved(log: Desk["log"], change: () => unknown): Promise<void> {
  try {
    await change();
  } catch (error) {
    log.error(`Accounts: ${errorLine(error)}`);
    const text = vscode.l10n.t("The account could not be changed.");
    await offer("showErrorMessage", text, showLogLink());
  }
}

async function showLiveOnly(): Promise<void> {
  const text = vscode.l10n.t("The practice account cannot be renamed or removed.");
  await offer("showInformationMessage", text, setUpLink());
}
