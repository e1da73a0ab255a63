import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { AccountRef } from "../../market/order.ts";

/** `Practice`, the label of a live account, or the host of one that was removed. */
export function accountText(ref: AccountRef, accounts: Pick<AccountList, "labelOf">): string {
  if (ref.venue === "practice") return vscode.l10n.t("Practice");
  return accounts.labelOf(ref) ?? new URL(ref.origin).host;
}
