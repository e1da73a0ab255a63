import * as vscode from "vscode";
import type { Orders } from "../../desk/orders/orders.ts";
import type { Secret } from "../../exchange/signing/credentials.ts";
import type { Account } from "../../market/account.ts";

/** Stores a key that the user entered for an account with `save`. Resolves to whether it was stored. */
export type SaveKey = (account: Account, apiKey: Secret, save: () => Promise<void>) => Promise<boolean>;

/**
 * Asks first if the key differs from the last one of the account, because it may be another account's. It is recorded
 * after it was stored: until then, no window uses it. Rejects if the disk or `save` fails.
 */
export function askAboutOwner(orders: Pick<Orders, "digestOf" | "lastKeyOf" | "recordAccountKey">): SaveKey {
  return async (account, apiKey, save) => {
    const digest = await orders.digestOf(apiKey);
    const last = await orders.lastKeyOf(account);
    if (last !== undefined && last !== digest && !(await isSameAccount(account))) return false;
    await save();
    if (last !== digest) await orders.recordAccountKey(account, digest);
    return true;
  };
}

async function isSameAccount({ label }: Account): Promise<boolean> {
  const same = vscode.l10n.t("Same Account, New Key");
  const detail = [
    vscode.l10n.t("Another API key was used for {0} before.", label),
    vscode.l10n.t(
      "The orders, fills and costs recorded so far are attributed to this key. If it belongs to another account, cancel.",
    ),
  ].join("\n\n");
  const question = vscode.l10n.t("Is this a new API key of the same account?");
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, same)) === same;
}
