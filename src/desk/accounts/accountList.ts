import { isDeepStrictEqual } from "node:util";
import { type Account, practiceAccount } from "../../market/account.ts";
import { type AccountRef, accountId } from "../../market/order.ts";
import type { AccountFiles } from "../../storage/accountFiles.ts";
import { Event } from "../event.ts";

/** A live account with its exchange's profile, unvalidated. */
export interface LiveAccount extends Account {
  readonly profile: Readonly<Record<string, unknown>>;
}

const MAX_LABEL = 60;

/** The accounts of this computer: practice, which is always there, and the live ones, whose files all windows share. */
export class AccountList {
  readonly #files: AccountFiles;
  /** The id of an account that will be added: 16 random hex digits. */
  readonly newId: () => string;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #live: readonly LiveAccount[] = [];
  #recent: readonly string[] = [];

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote an account, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(files: AccountFiles, newId: () => string, onError: (error: unknown) => void) {
    this.#files = files;
    this.newId = newId;
    this.#onError = onError;
    this.reread();
  }

  /** By label. */
  get live(): readonly LiveAccount[] {
    return this.#live;
  }

  /** Number of accounts that a newer version of Bidside saved. They are not used, and not changed. */
  get newer(): number {
    return this.#files.newer;
  }

  /** Practice and the live accounts: those chosen last first, then the others by label. */
  get byRecency(): readonly Account[] {
    const chosen = this.#recent.flatMap((id) => this.get(id) ?? []);
    return [...new Set([...chosen, practiceAccount, ...this.#live])];
  }

  /** The account that a new window opens with; undefined if none was ever chosen. */
  get last(): Account | undefined {
    return this.#recent.map((id) => this.get(id)).find((each) => each);
  }

  get(id: string): Account | undefined {
    return id === practiceAccount.id ? practiceAccount : this.#live.find((each) => each.id === id);
  }

  /** The label of a recorded account; undefined for practice, and for one that was removed. */
  labelOf(ref: AccountRef): string | undefined {
    return this.#live.find(({ id }) => id === accountId(ref))?.label;
  }

  /** Reads what other windows wrote. If the folder is unreadable, nothing changes. */
  reread(): void {
    try {
      this.#show();
    } catch (error) {
      this.#onError(error);
    }
  }

  /**
   * Adds an account, by default with a new id. If the label is taken, a number follows it. Like all changes, it throws
   * if the disk fails; nothing changes then.
   */
  add({
    label,
    profile,
    id = this.newId(),
  }: Omit<LiveAccount, "kind" | "id"> & { readonly id?: string }): Account {
    this.#change(() => this.#files.put({ id, label: this.#freeLabel(label), profile }));
    return this.get(id) ?? practiceAccount;
  }

  /** Changes the label or profile of a live account, if it still exists. A label that is taken gets a number. */
  edit(id: string, { label, profile }: Partial<Pick<LiveAccount, "label" | "profile">>): void {
    this.#change(() => {
      const stored = this.#files.read(id);
      if (!stored) return;
      this.#files.put({
        ...stored,
        ...(label !== undefined && { label: this.#freeLabel(label, id) }),
        ...(profile && { profile }),
      });
    });
  }

  remove(id: string): void {
    this.#change(() => this.#files.remove(id));
  }

  /** New windows open with this account. */
  choose({ id }: Account): void {
    if (this.#recent[0] !== id) this.#change(() => this.#files.choose(id));
  }

  #change(change: () => void): void {
    change();
    this.#show();
    this.#written.fire();
  }

  #show(): void {
    this.#recent = this.#files.recent;
    const live = this.#files.list().map((each): LiveAccount => ({ ...each, kind: "live" }));
    live.sort((a, b) => a.label.localeCompare(b.label));
    if (isDeepStrictEqual(live, this.#live)) return;
    this.#live = live;
    this.#changed.fire();
  }

  #freeLabel(wanted: string, id?: string): string {
    const label = wanted.trim().slice(0, MAX_LABEL - 4) || "Account";
    const others = this.#files.list().filter((each) => each.id !== id);
    const taken = new Set([practiceAccount.label, ...others.map((each) => each.label)]);
    for (let number = 1; ; number += 1) {
      const free = number === 1 ? label : `${label} ${number}`;
      if (!taken.has(free)) return free;
    }
  }
}
