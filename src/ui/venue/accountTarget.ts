import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { Account } from "../../market/account.ts";
import { liveAccountAt, profileSetting } from "../settings.ts";
import { type AccountTarget, profileOf } from "./profileOf.ts";
import { setUpLive, type SetupParts } from "./setUpLive.ts";
import type { WindowAccount } from "./windowAccount.ts";

/** The set-up of a live account that is not that of the settings; undefined for any other account. */
export function targetOf(accounts: AccountList, { id, kind }: Account): AccountTarget | undefined {
  if (kind === "practice" || id === liveAccountAt(profileSetting().baseUrl).id) return undefined;
  return {
    id,
    draft: profileOf(accounts, { id }),
    use: (draft) => accounts.edit(id, { profile: { ...draft } }),
  };
}

/** Parts of a set-up that keep no answers when it is left. */
export function withTarget(parts: SetupParts, target: AccountTarget | undefined): SetupParts {
  if (!target) return parts;
  const answers = new Map<string, unknown>();
  const memento = {
    get: <T>(key: string) => answers.get(key) as T | undefined,
    update: async (key: string, value: unknown) => void answers.set(key, value),
  } as SetupParts["memento"];
  return { ...parts, memento, target };
}

/**
 * Command "Add Account…": the set-up of a live exchange, for another account. Nothing is added before its page was
 * confirmed. A key that another account uses at the same exchange is not stored again: the user is offered that account.
 */
export async function addAccount(
  parts: SetupParts,
  accounts: AccountList,
  windowAccount: Pick<WindowAccount, "choose">,
): Promise<void> {
  const id = accounts.newId();
  let isAdded = false;
  const target: AccountTarget = {
    id,
    draft: { ...profileSetting(), baseUrl: "" },
    twinOf: async (origin, apiKey) => {
      for (const account of accounts.live) {
        const pair = await parts.store.read({ account: account.id, origin }).catch(() => undefined);
        if (pair?.apiKey.reveal() !== apiKey.reveal()) continue;
        if (await prefersTwin(account)) windowAccount.choose(account);
        return true;
      }
      return false;
    },
    use: (draft) => {
      isAdded = true;
      windowAccount.choose(accounts.add({ id, label: new URL(draft.baseUrl).host, profile: { ...draft } }));
    },
  };
  await setUpLive(withTarget(parts, target), "address");
  if (!isAdded) await parts.store.remove(id).catch(() => undefined);
}

async function prefersTwin({ label }: Account): Promise<boolean> {
  const button = vscode.l10n.t("Switch to {0}", label);
  const text = vscode.l10n.t("This API key is already used for {0}, so no second account was added.", label);
  return (await vscode.window.showInformationMessage(text, button)) === button;
}
