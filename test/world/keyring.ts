import type { Credentials } from "../../src/exchange/signing/credentials.ts";

/** The computer's keyring. While the keyring is locked, a request for a live account's key waits. */
export class Keyring {
  /** The keys of the live accounts, by id. */
  readonly pairs: Map<string, Credentials>;
  #isLocked = false;
  readonly #waiting: (() => void)[] = [];

  constructor(pairs: ReadonlyMap<string, Credentials>) {
    this.pairs = new Map(pairs);
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  lock(): void {
    this.#isLocked = true;
  }

  /** `later`: runs each answer in its own step. */
  unlock(later: (answer: () => void) => void): void {
    this.#isLocked = false;
    for (const answer of this.#waiting.splice(0)) later(answer);
  }

  /** The key that is stored for an account when the keyring answers. */
  give(account: string): Promise<Credentials | undefined> {
    if (!this.#isLocked) return Promise.resolve(this.pairs.get(account));
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.pairs.get(account))));
  }
}
