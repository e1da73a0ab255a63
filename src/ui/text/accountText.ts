import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { AccountRef } from "../../market/order.ts";

/** `Practice`, the label of a live account, or the host of one that was removed. With one live account, its host. */
export function accountText(ref: AccountRef, accounts: Pick<AccountList, "live" | "labelOf">): string {
  if (ref.venue === "practice") return vscode.l10n.t("Practice");
  const label = accounts.live.length > 1 ? accounts.labelOf(ref) : undefined;
  return label ?? new URL(ref.origin).host;
}
