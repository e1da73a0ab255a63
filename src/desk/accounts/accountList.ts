import { type Account, practiceAccount } from "../../market/account.ts";
import { type AccountRef, accountId } from "../../market/order.ts";
import type { AccountFile, StoredAccounts } from "../../storage/accountFile.ts";
import { Event } from "../event.ts";

/** A live account with its exchange's profile, unvalidated. */
export interface LiveAccount extends Account {
  readonly profile: Readonly<Record<string, unknown>>;
}

const MAX_LABEL = 60;

/** The accounts of this computer: practice, which is always there, and the live ones of a file that all windows share. */
export class AccountList {
  readonly #file: Pick<AccountFile, "read" | "write">;
  /** The id of an account that will be added: 16 random hex digits. */
  readonly newId: () => string;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #stored: StoredAccounts = { accounts: [] };
  #live: readonly LiveAccount[] = [];

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote the file, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(
    file: Pick<AccountFile, "read" | "write">,
    newId: () => string,
    onError: (error: unknown) => void,
  ) {
    this.#file = file;
    this.newId = newId;
    this.#onError = onError;
    this.reread();
  }

  get live(): readonly LiveAccount[] {
    return this.#live;
  }

  /** The account that a new window opens with; undefined if none was ever chosen. */
  get last(): Account | undefined {
    return this.#stored.last === undefined ? undefined : this.get(this.#stored.last);
  }

  get(id: string): Account | undefined {
    return id === practiceAccount.id ? practiceAccount : this.#live.find((each) => each.id === id);
  }

  /** The label of a recorded account; undefined for practice, and for one that was removed. */
  labelOf(ref: AccountRef): string | undefined {
    return this.#live.find(({ id }) => id === accountId(ref))?.label;
  }

  /** Reads what other windows wrote. An unreadable file changes nothing. */
  reread(): void {
    try {
      this.#show(this.#file.read());
    } catch (error) {
      this.#onError(error);
    }
  }

  /**
   * Adds an account, by default with a new id. If the label is taken, a number follows it. Like all changes, it throws
   * if the file cannot be read or written; nothing changes then.
   */
  add({
    label,
    profile,
    id = this.newId(),
  }: Omit<LiveAccount, "kind" | "id"> & { readonly id?: string }): Account {
    this.#change((stored) => ({
      ...stored,
      accounts: [...stored.accounts, { id, label: freeLabel(label, stored), profile }],
    }));
    return this.get(id) ?? practiceAccount;
  }

  /** Changes the label or profile of a live account, if it still exists. A label that is taken gets a number. */
  edit(id: string, { label, profile }: Partial<Pick<LiveAccount, "label" | "profile">>): void {
    this.#change((stored) => ({
      ...stored,
      accounts: stored.accounts.map((each) =>
        each.id === id
          ? {
              ...each,
              ...(label !== undefined && { label: freeLabel(label, stored, id) }),
              ...(profile && { profile }),
            }
          : each,
      ),
    }));
  }

  remove(id: string): void {
    this.#change(({ last, accounts }) => ({
      ...(last !== undefined && last !== id && { last }),
      accounts: accounts.filter((each) => each.id !== id),
    }));
  }

  /** New windows open with this account. */
  choose({ id }: Account): void {
    if (this.#stored.last !== id) this.#change((stored) => ({ ...stored, last: id }));
  }

  /** Applies a change to what is on the disk now, whichever window wrote it. */
  #change(change: (stored: StoredAccounts) => StoredAccounts): void {
    const next = change(this.#file.read());
    this.#file.write(next);
    this.#show(next);
    this.#written.fire();
  }

  #show(stored: StoredAccounts): void {
    const isSame = JSON.stringify(stored) === JSON.stringify(this.#stored);
    if (isSame) return;
    this.#stored = stored;
    this.#live = stored.accounts.map((each) => ({ ...each, kind: "live" }));
    this.#changed.fire();
  }
}

function freeLabel(wanted: string, { accounts }: StoredAccounts, id?: string): string {
  const label = wanted.trim().slice(0, MAX_LABEL - 4) || "Account";
  const taken = new Set([
    practiceAccount.label,
    ...accounts.filter((each) => each.id !== id).map((each) => each.label),
  ]);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? label : `${label} ${number}`;
    if (!taken.has(free)) return free;
  }
}
