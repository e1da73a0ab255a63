import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { stateKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { type Account, practiceAccount } from "../../market/account.ts";

/**
 * The account of this window, which the editor keeps for it. A new window opens with the account that was chosen last in
 * any window.
 */
export class WindowAccount extends Disposable {
  readonly #desk: Desk;
  readonly #memento: Pick<vscode.Memento, "get" | "update">;
  /** What the current account was opened with. */
  #opened: unknown;

  constructor(desk: Desk, memento: Pick<vscode.Memento, "get" | "update">) {
    super();
    this.#desk = desk;
    this.#memento = memento;
    this.register(desk.accounts.onDidChange(() => this.#follow()));
  }

  /** Opens the account that this window had. */
  begin(): void {
    const { accounts } = this.#desk;
    const id = this.#memento.get<unknown>(stateKeys.account);
    const own = typeof id === "string" ? accounts.get(id) : undefined;
    this.#open(own ?? accounts.last ?? practiceAccount);
    if (accounts.newer > 0)
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          "Accounts of a newer version of Bidside: {0}. They cannot be used here. Update Bidside to use them.",
          accounts.newer,
        ),
      );
  }

  /** Switches this window alone. */
  choose(account: Account): void {
    void this.#memento.update(stateKeys.account, account.id);
    this.#open(account);
    try {
      this.#desk.accounts.choose(account);
    } catch (error) {
      // Only new windows open with another account then.
      this.#desk.log.error(`Accounts: ${errorLine(error)}`);
    }
  }

  #open(account: Account): void {
    this.#opened = this.#contentOf(account);
    void this.#desk.venue.select(account);
  }

  /** Opens the account again if its label or profile changed, and practice if it was removed. */
  #follow(): void {
    const { id } = this.#desk.venue.account;
    const account = this.#desk.accounts.get(id) ?? practiceAccount;
    if (account.id !== id || !isDeepStrictEqual(this.#contentOf(account), this.#opened)) this.#open(account);
  }

  /** What a live account is opened with. */
  #contentOf({ id }: Account): unknown {
    const { live } = this.#desk.accounts;
    const own = live.find((each) => each.id === id);
    return own && { ...own, isOneOfSeveral: live.length > 1 };
  }
}
