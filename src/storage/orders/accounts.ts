import { accountKey, type Account } from "../../market/order.ts";
import type { AccountAnswer, OrderRecord } from "./records.ts";

/**
 * Which accounts are one, by the answers of the person: a key that replaces another one names another account at first,
 * and records of early versions name none.
 */
export class Accounts {
  /** The answers "it is the same account" by the account that they were about. */
  readonly #same = new Map<string, AccountAnswer>();
  readonly #answered = new Set<string>();

  /** Whether accounts have other names now. Ignores records of other kinds. */
  add(record: OrderRecord): boolean {
    if (record.kind !== "accountAnswer") return false;
    const { venue, origin, other, account, isSame, at } = record;
    const about = accountKey({ venue, origin, account: other });
    this.#answered.add(`${about} ${account}`);
    const before = this.#same.get(about);
    // A text decides between two windows that wrote at the same time.
    const isNewest = !before || before.at < at || (before.at === at && before.account < account);
    if (!isSame || !isNewest || other === account) return false;
    this.#same.set(about, record);
    return before?.account !== account;
  }

  /** The name of an account; undefined while nobody said whose records without an account are. */
  nameOf({ venue, origin, account }: Account): string | undefined {
    if (venue === "practice") return undefined;
    let name = account;
    for (const seen = new Set<string | undefined>(); !seen.has(name);) {
      seen.add(name);
      name = this.#same.get(accountKey({ venue, origin, account: name }))?.account ?? name;
    }
    return name;
  }

  /** Whether the person answered if `other` is the account that is signed in. */
  isAnswered({ venue, origin, account }: Account, other: string | undefined): boolean {
    return this.#answered.has(`${accountKey({ venue, origin, account: other })} ${account}`);
  }

  /** The record with the name of its account. */
  named(record: OrderRecord): OrderRecord {
    if (this.#same.size === 0 || !("origin" in record) || record.kind === "accountAnswer") return record;
    const account = this.nameOf(record);
    return account === record.account ? record : { ...record, account };
  }
}
