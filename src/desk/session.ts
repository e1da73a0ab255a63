import { withTimeout } from "../http/withTimeout.ts";
import {
  type Credentials,
  OtherKeyError,
  type Secret,
  UnknownOwnerError,
} from "../exchange/signing/credentials.ts";
import type { Timers } from "../time/timers.ts";

export interface SessionOptions {
  readonly credentials: () => Promise<Credentials | undefined>;
  /** The digest of a key. Rejects if the disk fails. */
  readonly digestOf: (apiKey: Secret) => Promise<string>;
  /** Whether the key of this digest may be used for the account. Rejects if the disk fails. */
  readonly admits: (digest: string) => Promise<boolean>;
  /** Called once, when the first key was read. */
  readonly onDidSignIn: () => void;
  /** Called when the stored key is no longer the session's. */
  readonly onOtherKey: () => void;
  readonly timers: Timers;
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
  /** Whether the key that was read may belong to another account. */
  isOwnerUnknown = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * The session's key; undefined if none is stored yet. Rejects with `UnknownOwnerError` if it may belong to another
   * account, and with `OtherKeyError` if it is no longer stored.
   */
  async credentials(): Promise<Credentials | undefined> {
    const { credentials, digestOf, admits, onDidSignIn, onOtherKey } = this.#options;
    const pair = await credentials();
    const digest = pair && (await digestOf(pair.apiKey));
    if (this.#digest === undefined && digest !== undefined) {
      // Before the journal is asked: the answer may change meanwhile.
      this.isOwnerUnknown = true;
      if (!(await admits(digest))) throw new UnknownOwnerError();
    }
    if (this.#digest === undefined && digest !== undefined) {
      this.#digest = digest;
      this.isOwnerUnknown = false;
      onDidSignIn();
    } else if (digest !== this.#digest) {
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
