import * as vscode from "vscode";
import { stateKeys } from "../../contributions.ts";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import { draftOf } from "../../exchange/profile.ts";
import type { Secret } from "../../exchange/signing/credentials.ts";
import type { Account } from "../../market/account.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { profileOf } from "./profileOf.ts";
import type { AccountSetup } from "./setUpAccount.ts";
import type { WindowAccount } from "./windowAccount.ts";

interface NewAccountParts {
  readonly accounts: AccountList;
  readonly store: CredentialStore;
  /** Keeps the answers of an unfinished setup across sessions. */
  readonly memento: Pick<vscode.Memento, "get" | "update">;
  readonly windowAccount: Pick<WindowAccount, "choose">;
}

/** The setup of a live account that exists. */
export function setupOf(accounts: AccountList, account: Account): AccountSetup {
  return {
    account,
    draft: profileOf(accounts, account),
    use: (draft) => accounts.edit(account.id, { profile: { ...draft } }),
  };
}

/**
 * The setup of another live account, which continues where the user left off. `removed`: the id of an account that is
 * added again. Nothing is added before its page was
 * confirmed. A key that another account uses at the same exchange is not stored again: the user is offered that account.
 */
export function setupOfNew(
  { accounts, store, memento, windowAccount }: NewAccountParts,
  removed?: string,
): AccountSetup {
  const begun = memento.get<Record<string, unknown>>(stateKeys.liveSetup);
  const { address, headerPrefix } = begun ?? {};
  const given = removed ?? begun?.["id"];
  const id = typeof given === "string" && !accounts.get(given) ? given : accounts.newId();
  return {
    account: { id, label: vscode.l10n.t("New Account"), kind: "live" },
    draft: draftOf({}),
    answers: {
      ...(typeof address === "string" && { address }),
      ...(typeof headerPrefix === "string" && { headerPrefix }),
    },
    keepAnswers: (answers) => memento.update(stateKeys.liveSetup, answers && { ...answers, id }),
    isOtherAccounts: async (origin, apiKey) => {
      const twin = await accountWith(apiKey, origin, { accounts, store });
      if (!twin) return false;
      await store.remove(id).catch(() => undefined);
      await memento.update(stateKeys.liveSetup, undefined);
      if (await prefersTwin(twin)) windowAccount.choose(twin);
      return true;
    },
    use: (draft) => {
      const { host } = new URL(draft.baseUrl);
      windowAccount.choose(accounts.add({ id, label: host, profile: { ...draft } }));
    },
  };
}

async function accountWith(
  apiKey: Secret,
  origin: string,
  { accounts, store }: Pick<NewAccountParts, "accounts" | "store">,
): Promise<Account | undefined> {
  for (const account of accounts.live) {
    const pair = await store.read({ account: account.id, origin }).catch(() => undefined);
    if (pair?.apiKey.reveal() === apiKey.reveal()) return account;
  }
  return undefined;
}

async function prefersTwin({ label }: Account): Promise<boolean> {
  const button = vscode.l10n.t("Switch to {0}", label);
  const text = vscode.l10n.t("This API key is already used for {0}, so no second account was added.", label);
  return (await vscode.window.showInformationMessage(text, button)) === button;
}
