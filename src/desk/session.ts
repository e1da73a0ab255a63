import { withTimeout } from "../http/withTimeout.ts";
import { type Credentials, OtherKeyError, type Secret } from "../exchange/signing/credentials.ts";
import type { Timers } from "../time/timers.ts";

/** Identifies a key without containing it. */
export interface KeyIdentity {
  /** The key's own digest. */
  readonly digest: string;
  /** The account id used in records: several keys may belong to one account. */
  readonly account: string;
}

export interface SessionOptions {
  readonly credentials: () => Promise<Credentials | undefined>;
  /** Rejects if the disk fails. */
  readonly identify: (apiKey: Secret) => Promise<KeyIdentity>;
  /** Called once, with the account of the first key that is read. */
  readonly onDidSignIn: (account: string) => void;
  /** Called when the stored key is no longer the session's. */
  readonly onOtherKey: () => void;
  readonly timers: Pick<Timers, "after">;
}

/** The secret storage may wait for hours until the user unlocks it. */
const SECRET_STORAGE_MS = 10_000;

/**
 * One API key in use at a live exchange. The first key read becomes the session's key, and no other key signs for it,
 * so that each response belongs to one account even if the stored key changes. Another key begins another session.
 */
export class Session {
  readonly #options: SessionOptions;
  /** The digest of the session's key; undefined until one was read. */
  #digest: string | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The session's key; undefined if none is stored yet. Rejects with `OtherKeyError` if it is no longer stored. */
  async credentials(): Promise<Credentials | undefined> {
    const { credentials, identify, onDidSignIn, onOtherKey } = this.#options;
    const pair = await credentials();
    const identity = pair && (await identify(pair.apiKey));
    if (this.#digest === undefined && identity) {
      this.#digest = identity.digest;
      onDidSignIn(identity.account);
    } else if (identity?.digest !== this.#digest) {
      onOtherKey();
      throw new OtherKeyError();
    }
    return pair;
  }

  /** Reads the key if none was read yet. Rejects if the secret storage does not respond in time. */
  async signIn(): Promise<void> {
    if (this.#digest === undefined)
      await withTimeout(this.credentials(), SECRET_STORAGE_MS, this.#options.timers.after);
  }
}
