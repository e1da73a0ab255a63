import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { Orders } from "../../desk/orders/orders.ts";
import type { Secret } from "../../exchange/signing/credentials.ts";
import type { Account } from "../../market/account.ts";
import type { ProfileDraft } from "../../exchange/profile.ts";
import { profileOf } from "./profileOf.ts";
import type { WindowAccount } from "./windowAccount.ts";

/**
 * Stores a key that the user entered for an account with `save`, which gets the account that the key is of. Resolves to
 * that account; undefined if nothing was stored.
 */
export type SaveKey = (
  account: Account,
  apiKey: Secret,
  save: (owner: Account) => Promise<void>,
) => Promise<Account | undefined>;

interface OwnerParts {
  readonly orders: Orders;
  readonly accounts: AccountList;
  readonly windowAccount: Pick<WindowAccount, "choose">;
}

/**
 * Asks first if the key differs from the last one of the account, because it may be another account's. It is then
 * stored for the account at the same exchange that used it last, or for a new one. A key may also be that of an account
 * that was removed, whose records then continue. A key is recorded after it was stored: until then, no window uses it. Rejects if the disk or
 * `save` fails.
 */
export function askAboutOwner({ orders, accounts, windowAccount }: OwnerParts): SaveKey {
  return async (account, apiKey, save) => {
    const digest = await orders.digestOf(apiKey);
    const last = await orders.lastKeyOf(account);
    const answer = last === undefined || last === digest ? "same" : await askWhose(account);
    if (!answer) return undefined;
    const id = last === digest ? undefined : await orders.accountOfKey(digest);
    const known = id === undefined ? undefined : accounts.get(id);
    const profile = profileOf(accounts, account);
    const isAtOrigin = known && originOf(profileOf(accounts, known)) === originOf(profile);
    let owner = account;
    if (id !== undefined && !known && (answer === "another" || last === undefined))
      owner = { ...account, id };
    else if (answer === "another") owner = isAtOrigin ? known : { ...account, id: accounts.newId() };
    await save(owner);
    if ((await orders.lastKeyOf(owner)) !== digest) await orders.recordAccountKey(owner, digest);
    if (answer === "another")
      windowAccount.choose(accounts.get(owner.id) ?? accounts.add({ ...owner, profile: { ...profile } }));
    return owner;
  };
}

function originOf({ baseUrl }: ProfileDraft): string {
  return URL.parse(baseUrl)?.origin ?? "";
}

async function askWhose({ label }: Account): Promise<"same" | "another" | undefined> {
  const same = vscode.l10n.t("Same Account, New Key");
  const another = vscode.l10n.t("Another Account");
  const detail = [
    vscode.l10n.t("Another API key was used for {0} before.", label),
    vscode.l10n.t(
      "{0}: the orders, fills and costs recorded so far are attributed to this key. {1}: it is added as an account of its own, and {2} stays as it is.",
      same,
      another,
      label,
    ),
    vscode.l10n.t("To undo this answer, remove the key or the account and enter the key for the right one."),
  ].join("\n\n");
  const question = vscode.l10n.t("Is this a new API key of the same account?");
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, same, another);
  if (chosen === undefined) return undefined;
  return chosen === same ? "same" : "another";
}
