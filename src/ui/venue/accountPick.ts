import * as vscode from "vscode";
import type { AccountList } from "../../desk/accounts/accountList.ts";
import type { Desk } from "../../desk/desk.ts";
import { readProfile } from "../../exchange/profile.ts";
import type { Account } from "../../market/account.ts";
import { valueOf, type ValueSnapshot } from "../../market/holdings/valueSnapshot.ts";
import { executeCommand } from "../commands.ts";
import { choose } from "../quickInput.ts";
import { shownAmounts } from "../text/amountText.ts";
import { momentText } from "../text/timeText.ts";
import { notOfferedText } from "./featureText.ts";
import { profileOf } from "./profileOf.ts";

interface AccountEntry extends vscode.QuickPickItem {
  /** Undefined: add another account. */
  readonly account: Account | undefined;
}

/** Command "Switch Account…": lets the user pick an account for this window, or add one. */
export async function pickAccount(desk: Desk): Promise<Account | undefined> {
  const chosen = await choose(accountEntries(desk), {
    title: vscode.l10n.t("Switch Account…"),
    placeHolder: vscode.l10n.t("Choose an account for this window"),
  });
  if (chosen && !chosen.account) await executeCommand("addAccount");
  return chosen?.account;
}

/** The accounts, those chosen last first, each with the value that was recorded of it last. */
export function accountEntries({ accounts, venue, values, timers }: Desk): readonly AccountEntry[] {
  const latest = values.latest();
  const entries = accounts.byRecency.map((account): AccountEntry => ({
    account,
    ...textsOf(accounts, account),
    description: [
      ...(account.id === venue.account.id ? [vscode.l10n.t("current")] : []),
      ...valueTexts(latest.get(account.id), timers.now()),
    ].join(" · "),
  }));
  return [
    ...entries,
    {
      account: undefined,
      label: `$(add) ${vscode.l10n.t("Add Account…")}`,
      detail: vscode.l10n.t("Enter the address and the API key, then test the connection."),
    },
  ];
}

function valueTexts(snapshot: ValueSnapshot | undefined, now: number): readonly string[] {
  if (!snapshot) return [];
  const value = shownAmounts().value(valueOf(snapshot.balances));
  return [`${value} ${snapshot.quote}`, momentText(snapshot.at, now)];
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
