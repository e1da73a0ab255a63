import * as vscode from "vscode";

/** A short, stable name of a live account: `Account 3F2A`. */
export function accountText(account: string | undefined): string {
  return account === undefined
    ? vscode.l10n.t("Unknown account")
    : vscode.l10n.t("Account {0}", account.slice(0, 4).toUpperCase());
}
