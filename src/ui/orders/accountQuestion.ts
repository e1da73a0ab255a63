import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import { choose } from "../quickInput.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { accountText } from "../text/accountText.ts";
import type { OtherAccount } from "./orderRows.ts";

type AccountDesk = Pick<Desk, "orders" | "venue">;

/**
 * Asks whether another account's orders belong to the signed-in account, and records the answer. Does nothing if no
 * account is signed in.
 */
export async function askAboutAccount({ orders, venue: current }: AccountDesk, other: string): Promise<void> {
  const { signedIn: venue } = current;
  const account = venue?.account.account;
  if (!venue || account === undefined) return;
  const yes = vscode.l10n.t("Same Account");
  const no = vscode.l10n.t("Different Account");
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t("Do the orders of {0} belong to the account you use now?", accountText(other)),
    {
      modal: true,
      detail: [
        vscode.l10n.t("They were placed with another API key. Several API keys can belong to one account."),
        vscode.l10n.t("Signed in to {0}: {1}.", venue.name, accountText(account)),
        vscode.l10n.t(
          "Same account: Bidside tracks these orders with this API key and includes their fills and costs. Different account: they stay listed but are not tracked.",
        ),
        vscode.l10n.t("You can change your answer with the command Same Account…."),
      ].join("\n\n"),
    },
    yes,
    no,
  );
  if (chosen === undefined) return;
  if (current.signedIn !== venue) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t("Your answer was not saved, because the account changed in the meantime."),
    );
    return;
  }
  if (await orders.answerAccount(venue, other, chosen === yes)) {
    // The account of the key may have another name now.
    current.changeKey();
    return;
  }
  void vscode.window.showErrorMessage(
    vscode.l10n.t("Your answer could not be saved. The orders are unchanged."),
  );
}

/** Lets the user pick another account, or one that an earlier answer merged with the signed-in one. */
export async function pickAccount(
  { orders, venue: { signedIn } }: AccountDesk,
  others: readonly string[],
): Promise<string | undefined> {
  const merged = signedIn ? orders.mergedWith(signedIn) : [];
  const items = [
    ...others.map((account) => ({ account, description: vscode.l10n.t("another account") })),
    ...merged.map((account) => ({
      account,
      description: vscode.l10n.t("same account as the one you use now"),
    })),
  ].map((item) => ({ ...item, label: accountText(item.account) }));
  if (!signedIn || items.length === 0) {
    showStatusMessage(vscode.l10n.t("There are no orders of another API key on this exchange."));
    return undefined;
  }
  const chosen = await choose(items, {
    title: vscode.l10n.t("Same Account"),
    placeHolder: vscode.l10n.t("Choose an account to compare with the one you use now"),
  });
  return chosen?.account;
}

/** Offers to ask, once per account and in the focused window, if orders depend on the answer. */
export class AccountOffer {
  readonly #desk: AccountDesk;
  readonly #offered = new Set<string>();

  constructor(desk: AccountDesk) {
    this.#desk = desk;
  }

  async offer(accounts: readonly OtherAccount[]): Promise<void> {
    const { orders, venue: current } = this.#desk;
    const { signedIn: venue } = current;
    const account = venue?.account.account;
    if (!venue || account === undefined || !vscode.window.state.focused) return;
    for (const { account: other } of accounts) {
      const key = `${account} ${other}`;
      if (this.#offered.has(key) || orders.isAnswered(venue, other)) continue;
      this.#offered.add(key);
      const answer = vscode.l10n.t("Choose Account…");
      const chosen = await vscode.window.showInformationMessage(
        vscode.l10n.t(
          "Orders on {0} were placed with another API key ({1}), so they are not tracked.",
          venue.name,
          accountText(other),
        ),
        answer,
      );
      if (chosen === answer) await askAboutAccount(this.#desk, other);
    }
  }
}
