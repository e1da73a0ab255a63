import { compareText } from "../../market/compareText.ts";
import { accountKey, type Account } from "../../market/order.ts";
import type { AccountAnswer, OrderRecord } from "./records.ts";

/**
 * Merges accounts according to the user's answers. A replaced API key looks like a new account at first.
 */
export class Accounts {
  /** The newest answer for each account that was signed in, by the account that the question was about. */
  readonly #answers = new Map<string, Map<string, AccountAnswer>>();

  /** Returns whether the name of any account changed. Ignores records of other kinds. */
  add(record: OrderRecord): boolean {
    if (record.kind !== "accountAnswer") return false;
    const { venue, origin, other, account, isSame, at } = record;
    const about = { venue, origin, account: other };
    const before = this.#mergedInto(about);
    const answers = this.#answers.get(accountKey(about)) ?? new Map<string, AccountAnswer>();
    this.#answers.set(accountKey(about), answers);
    const earlier = answers.get(account);
    // Of two windows that wrote in the same millisecond, the one that separates the accounts counts.
    if (!earlier || earlier.at < at || (earlier.at === at && !isSame)) answers.set(account, record);
    return this.#mergedInto(about) !== before;
  }

  /** The account that the newest "same account" answer merges this one into. */
  #mergedInto(about: Account): string | undefined {
    const same = [...(this.#answers.get(accountKey(about))?.values() ?? [])].filter(
      ({ isSame, other, account }) => isSame && other !== account,
    );
    // Ties are broken by text.
    return same.sort((one, other) => one.at - other.at || compareText(one.account, other.account)).at(-1)
      ?.account;
  }

  /** The accounts at the same exchange that are merged into this one by an answer about each. */
  mergedWith({ origin, account }: Account): readonly string[] {
    return [...this.#answers.values()].flatMap((answers) => {
      const [first] = answers.values();
      if (!first || first.origin !== origin) return [];
      return this.#mergedInto({ ...first, account: first.other }) === account ? [first.other] : [];
    });
  }

  /** The merged name of an account; undefined for the practice account. */
  nameOf({ venue, origin, account }: Account): string | undefined {
    if (venue === "practice") return undefined;
    let name = account;
    for (const seen = new Set<string | undefined>(); !seen.has(name);) {
      seen.add(name);
      name = this.#mergedInto({ venue, origin, account: name }) ?? name;
    }
    return name;
  }

  /** Whether the user has said whether `other` is the signed-in account. */
  isAnswered({ venue, origin, account }: Account, other: string): boolean {
    return this.#answers.get(accountKey({ venue, origin, account: other }))?.has(account ?? "") === true;
  }

  /** The record under the merged name of its account. */
  named(record: OrderRecord): OrderRecord {
    if (this.#answers.size === 0 || !("origin" in record) || record.kind === "accountAnswer") return record;
    const account = this.nameOf(record);
    return account === record.account ? record : { ...record, account };
  }
}
