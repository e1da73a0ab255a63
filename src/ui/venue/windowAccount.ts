import { isDeepStrictEqual } from "node:util";
import type * as vscode from "vscode";
import { stateKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { type Account, practiceAccount } from "../../market/account.ts";
import { accountSetting, profileSetting } from "../settings.ts";

/**
 * The account of this window, which the editor keeps for it. A new window opens with the account that was chosen last in
 * any window.
 */
export class WindowAccount extends Disposable {
  readonly #desk: Desk;
  readonly #memento: Pick<vscode.Memento, "get" | "update">;
  /** What the current account was opened with; undefined for one that is not in the list. */
  #opened: readonly unknown[] | undefined;
  /** This window changes the list itself, and opens the account afterwards. */
  #isChanging = false;

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
    this.#open(own ?? accounts.last ?? this.#ofSettings());
  }

  /** Opens the account of the settings, which may have changed, unless it is open as they are. */
  followSettings(): void {
    const account = this.#ofSettings();
    void this.#memento.update(stateKeys.account, account.id);
    // A set-up says so, and so does each setting that it saved: opening again would end an order that has begun.
    if (!this.#isOpened(account)) this.#open(account);
  }

  /** Switches this window alone. */
  choose(account: Account): void {
    void this.#memento.update(stateKeys.account, account.id);
    this.#change(() => this.#desk.accounts.choose(account));
    this.#open(account);
  }

  /** Adds the live exchange of the settings to the accounts, or updates its account there. */
  #ofSettings(): Account {
    const { accounts } = this.#desk;
    const account = accountSetting();
    const profile = profileSetting();
    if (account.kind === "practice" || profile.baseUrl === "") return account;
    const known = accounts.live.find(({ id }) => id === account.id);
    if (!known) this.#change(() => accounts.add({ ...account, profile: { ...profile } }));
    else if (!isDeepStrictEqual(known.profile, profile))
      this.#change(() => accounts.edit(account.id, { profile: { ...profile } }));
    return accounts.get(account.id) ?? account;
  }

  #open(account: Account): void {
    this.#opened = this.#contentOf(account);
    void this.#desk.venue.select(account);
  }

  /** Opens the account again if its label or profile changed, and practice if it was removed. */
  #follow(): void {
    if (this.#isChanging || !this.#opened) return;
    const { id } = this.#desk.venue.account;
    const account = this.#desk.accounts.get(id) ?? practiceAccount;
    if (!this.#isOpened(account)) this.#open(account);
  }

  #isOpened(account: Account): boolean {
    return this.#opened !== undefined && isDeepStrictEqual(this.#contentOf(account), this.#opened);
  }

  #contentOf(account: Account): readonly unknown[] | undefined {
    const { live } = this.#desk.accounts;
    if (!this.#desk.accounts.get(account.id)) return undefined;
    return [account, live.length > 1, live.find(({ id }) => id === account.id)?.profile];
  }

  #change(change: () => unknown): void {
    this.#isChanging = true;
    try {
      change();
    } catch (error) {
      this.#desk.log.error(`Accounts: ${errorLine(error)}`);
    } finally {
      this.#isChanging = false;
    }
  }
}
