import { accountKey, type Account } from "../../market/order.ts";
import type { AccountAnswer, OrderRecord } from "./records.ts";

/**
 * Merges accounts according to the user's answers. A replaced API key looks like a new account at first.
 */
export class Accounts {
  /** "Same account" answers, by the account they merge into another. */
  readonly #same = new Map<string, AccountAnswer>();
  readonly #answered = new Set<string>();

  /** Returns whether the name of any account changed. Ignores records of other kinds. */
  add(record: OrderRecord): boolean {
    if (record.kind !== "accountAnswer") return false;
    const { venue, origin, other, account, isSame, at } = record;
    const about = accountKey({ venue, origin, account: other });
    this.#answered.add(`${about} ${account}`);
    const before = this.#same.get(about);
    // Ties between windows that wrote in the same millisecond are broken by text.
    const isNewest = !before || before.at < at || (before.at === at && before.account < account);
    if (!isSame || !isNewest || other === account) return false;
    this.#same.set(about, record);
    return before?.account !== account;
  }

  /** The merged name of an account; undefined for the practice account. */
  nameOf({ venue, origin, account }: Account): string | undefined {
    if (venue === "practice") return undefined;
    let name = account;
    for (const seen = new Set<string | undefined>(); !seen.has(name);) {
      seen.add(name);
      name = this.#same.get(accountKey({ venue, origin, account: name }))?.account ?? name;
    }
    return name;
  }

  /** Whether the user has said whether `other` is the signed-in account. */
  isAnswered({ venue, origin, account }: Account, other: string): boolean {
    return this.#answered.has(`${accountKey({ venue, origin, account: other })} ${account}`);
  }

  /** The record under the merged name of its account. */
  named(record: OrderRecord): OrderRecord {
    if (this.#same.size === 0 || !("origin" in record) || record.kind === "accountAnswer") return record;
    const account = this.nameOf(record);
    return account === record.account ? record : { ...record, account };
  }
}
