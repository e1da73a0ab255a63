import { withTimeout } from "../http/withTimeout.ts";
import { type Credentials, OtherKeyError, type Secret } from "../exchange/signing/credentials.ts";
import type { Timers } from "./time/timers.ts";

/** Identifies a key without containing it. */
export interface KeyIdentity {
  /** The key's own digest. */
  readonly digest: string;
  /** The account id used in records: several keys may belong to one account. */
  readonly account: string;
}

export interface SessionEvents {
  /** Called once, when the account is known. */
  readonly onDidLearn: () => void;
  /** Called when the stored key is no longer the session's. */
  readonly onOtherKey: () => void;
}

export interface SessionOptions extends SessionEvents {
  readonly credentials: () => Promise<Credentials | undefined>;
  /** Rejects if the disk fails. */
  readonly identify: (apiKey: Secret) => Promise<KeyIdentity>;
  readonly timers: Pick<Timers, "after">;
}

/** The secret storage may wait for hours until the user unlocks it. */
const SECRET_STORAGE_MS = 10_000;
/** The account of a session for which no key is stored. */
export const NO_ACCOUNT = "none";

/**
 * One API key in use at a live exchange. The first key read becomes the session's key, and no other key signs for it,
 * so that each response belongs to one account even if the stored key changes. Another key begins another session.
 */
export class Session {
  readonly #options: SessionOptions;
  /** Undefined until a key was read. */
  #identity: KeyIdentity | typeof NO_ACCOUNT | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The currently stored key. */
  get stored(): SessionOptions["credentials"] {
    return this.#options.credentials;
  }

  /** The account that is signed in; `NO_ACCOUNT` if no key is stored, and undefined before a key was read. */
  get account(): string | undefined {
    return this.#identity === NO_ACCOUNT ? NO_ACCOUNT : this.#identity?.account;
  }

  /** The session's key. Rejects with `OtherKeyError` if another one is stored now. */
  async credentials(): Promise<Credentials | undefined> {
    const { credentials, identify, onDidLearn, onOtherKey } = this.#options;
    const pair = await credentials();
    const identity = pair ? await identify(pair.apiKey) : NO_ACCOUNT;
    if (this.#identity === undefined) {
      this.#identity = identity;
      onDidLearn();
    } else if (digestOf(identity) !== digestOf(this.#identity)) {
      onOtherKey();
      throw new OtherKeyError();
    }
    return pair;
  }

  /** Reads the key if none was read yet. Rejects if the secret storage does not respond in time. */
  async ready(): Promise<void> {
    // Without a key, reads again: one may have been stored since, or the secret storage may fail now.
    if (this.#identity !== undefined && this.#identity !== NO_ACCOUNT) return;
    await withTimeout(this.credentials(), SECRET_STORAGE_MS, this.#options.timers.after);
  }
}

function digestOf(identity: KeyIdentity | typeof NO_ACCOUNT): string {
  return identity === NO_ACCOUNT ? NO_ACCOUNT : identity.digest;
}
