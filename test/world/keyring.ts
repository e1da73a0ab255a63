import type { Credentials } from "../../src/exchange/signing/credentials.ts";

/** The computer's keyring. While the keyring is locked, a request for the live exchange's key waits. */
export class Keyring {
  /** The live exchange's key. */
  pair: Credentials;
  #isLocked = false;
  readonly #waiting: (() => void)[] = [];

  constructor(pair: Credentials) {
    this.pair = pair;
  }

  lock(): void {
    this.#isLocked = true;
  }

  /** `later`: runs each answer in its own step. */
  unlock(later: (answer: () => void) => void): void {
    this.#isLocked = false;
    for (const answer of this.#waiting.splice(0)) later(answer);
  }

  /** The key that is stored when the keyring answers. */
  give(): Promise<Credentials> {
    if (!this.#isLocked) return Promise.resolve(this.pair);
    return new Promise((resolve) => this.#waiting.push(() => resolve(this.pair)));
  }
}
