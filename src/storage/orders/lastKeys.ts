import { compareText } from "../../market/compareText.ts";
import type { AccountKeyRecord, OrderRecord } from "./records.ts";

/** The API key last used with each account. Another key may belong to somebody else. */
export class LastKeys {
  readonly #newest = new Map<string, AccountKeyRecord>();
  /** How often an account got another key. */
  replaced = 0;

  /** Ignores records of other kinds. */
  add(record: OrderRecord): void {
    if (record.kind !== "accountKey") return;
    const before = this.#newest.get(record.account);
    const order = before ? before.at - record.at || compareText(before.digest, record.digest) : -1;
    if (order >= 0) return;
    this.#newest.set(record.account, record);
    if (before && before.digest !== record.digest) this.replaced += 1;
  }

  /** The newest record of an account, by id; undefined if no key was used with it. */
  of(account: string): AccountKeyRecord | undefined {
    return this.#newest.get(account);
  }

  /** The account whose newest key has this digest. */
  accountOf(digest: string): string | undefined {
    return [...this.#newest.values()].find((each) => each.digest === digest)?.account;
  }
}
