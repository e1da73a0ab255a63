import type { Credentials } from "../../src/exchange/signing/credentials.ts";

/** The computer's keyring. While the keyring is locked, a request for the live exchange's key waits. */
export class Keyring {
  #isLocked = false;
  readonly #waiting: (() => void)[] = [];

  lock(): void {
    this.#isLocked = true;
  }

  /** `later`: runs each answer in its own step. */
  unlock(later: (answer: () => void) => void): void {
    this.#isLocked = false;
    for (const answer of this.#waiting.splice(0)) later(answer);
  }

  give(pair: Credentials): Promise<Credentials> {
    if (!this.#isLocked) return Promise.resolve(pair);
    return new Promise((resolve) => this.#waiting.push(() => resolve(pair)));
  }
}
