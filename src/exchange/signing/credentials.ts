import { inspect } from "node:util";

const MASK = "[secret]";

/** Text that cannot be printed by accident: string conversion, JSON, inspection and templates return a mask. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The plain text. Only for the signer, the request header, the secret storage and keyed digests. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

/** The stored API key is no longer the one that a client signs with. */
export class OtherKeyError extends Error {
  override readonly name = "OtherKeyError";
}

/** The stored API key was never used with its account, so it may belong to another one. */
export class UnknownOwnerError extends Error {
  override readonly name = "UnknownOwnerError";
}

/** An API key and its secret (api.md 5.2). */
export interface Credentials {
  readonly apiKey: Secret;
  readonly apiSecret: Secret;
}
