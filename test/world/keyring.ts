import type { Credentials } from "../../src/exchange/signing/credentials.ts";

/** The computer's keyring. While it is locked, whoever asks for the key of the live exchange waits. */
export class Keyring {
  #isLocked = false;
  readonly #waiting: (() => void)[] = [];

  lock(): void {
    this.#isLocked = true;
  }

  /** `later`: runs each answer in a step of its own. */
  unlock(later: (answer: () => void) => void): void {
    this.#isLocked = false;
    for (const answer of this.#waiting.splice(0)) later(answer);
  }

  give(pair: Credentials): Promise<Credentials> {
    if (!this.#isLocked) return Promise.resolve(pair);
    return new Promise((resolve) => this.#waiting.push(() => resolve(pair)));
  }
}
