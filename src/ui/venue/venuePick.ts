import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import { readProfile } from "../../exchange/profile.ts";
import { type Account, practiceAccount } from "../../market/account.ts";
import { executeCommand } from "../commands.ts";
import { choose } from "../quickInput.ts";
import { notOfferedText } from "./featureText.ts";
import { profileOf } from "./profileOf.ts";

interface AccountEntry extends vscode.QuickPickItem {
  /** Undefined: add another account. */
  readonly account: Account | undefined;
}

/** Command "Switch Account…": lets the user pick an account for this window, or add one. */
export async function pickAccount(accounts: AccountList, current: Account): Promise<Account | undefined> {
  const entries = [practiceAccount, ...accounts.live].map((account): AccountEntry => ({
    account,
    ...textsOf(accounts, account),
    description: account.id === current.id ? vscode.l10n.t("current") : "",
  }));
  entries.push({
    account: undefined,
    label: `$(add) ${vscode.l10n.t("Add Account…")}`,
    detail: vscode.l10n.t("Enter the address and the API key, then test the connection."),
  });
  const chosen = await choose(entries, {
    title: vscode.l10n.t("Switch Account…"),
    placeHolder: vscode.l10n.t("Choose an account for this window"),
  });
  if (chosen && !chosen.account) await executeCommand("addAccount");
  return chosen?.account;
}

function textsOf(
  accounts: AccountList,
  account: Account,
): { readonly label: string; readonly detail: string } {
  if (account.kind === "practice")
    return {
      label: `$(beaker) ${vscode.l10n.t("Practice")}`,
      detail: vscode.l10n.t("A built-in simulated exchange on this computer. No real money."),
    };
  const profile = readProfile(profileOf(accounts, account));
  const isUsable = !Array.isArray(profile);
  const missing = isUsable ? notOfferedText(profile.features) : undefined;
  const host = isUsable && profile.baseUrl.host !== account.label ? profile.baseUrl.host : undefined;
  return {
    label: `$(broadcast) ${account.label}`,
    detail: [host, vscode.l10n.t("Your account on this exchange. Real money."), missing]
      .filter(Boolean)
      .join(" · "),
  };
}
