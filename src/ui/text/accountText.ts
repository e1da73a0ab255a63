import * as vscode from "vscode";

/** A short, stable name of a live account: `Account 3F2A`. Every live record has one. */
export function accountText(account = ""): string {
  return vscode.l10n.t("Account {0}", account.slice(0, 4).toUpperCase());
}
