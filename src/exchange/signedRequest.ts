import { createHash } from "node:crypto";
import type { After } from "../time/timers.ts";
import type { EndpointCall } from "./call.ts";
import type { Endpoint } from "./endpoints.ts";
import { NotSentError } from "./errors.ts";
import { withTimeout } from "../http/withTimeout.ts";
import type { ServiceProfile } from "./profile.ts";
import { type Credentials, OtherKeyError, UnknownOwnerError } from "./signing/credentials.ts";
import type { ServerClock } from "./signing/serverClock.ts";
import { privateHeaders, signature, timeSignature, usable } from "./signing/signature.ts";

export interface SignerOptions {
  readonly profile: Pick<ServiceProfile, "headerPrefix">;
  /**
   * Called before each signature; the result is not stored. Undefined if no key is stored. Rejects with `OtherKeyError` if
   * the stored key is no longer the client's.
   */
  readonly credentials: () => Promise<Credentials | undefined>;
  /** Timeout for the credentials in ms; default 10,000. The secret storage may wait for hours until the user unlocks it. */
  readonly credentialsMs?: number;
  readonly after?: After;
}

/** Headers that authenticate a request, or fields that authenticate a stream. */
export interface SignedHeaders {
  readonly headers: Record<string, string>;
  /** Whether a text contains the key, the secret or the signature of the request. */
  readonly repeats: (text: string) => boolean;
}

const CREDENTIALS_MS = 10_000;

/** Signs private requests (api.md 5) with the exchange's time. Stores neither key nor secret. */
export class RequestSigner {
  readonly #options: SignerOptions;
  readonly #clock: ServerClock;

  constructor(options: SignerOptions, clock: ServerClock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Rejects with NotSentError if there is no usable key or no clock measurement. */
  async sign(call: EndpointCall): Promise<SignedHeaders> {
    const { label, method, url, body } = call;
    const path = url.pathname + url.search;
    const signatureOf = (secret: string, timestamp: string): string =>
      signature(secret, { timestamp, method, path, body });
    return await this.#prove(label, signatureOf, containsAny);
  }

  /** Authenticates a private stream by signing the time alone. Rejects as `sign` does. */
  async signTime(): Promise<SignedHeaders> {
    return await this.#prove("privateStream", timeSignature, containsAnyByDigest);
  }

  async #prove(
    endpoint: Endpoint,
    signatureOf: (secret: string, timestamp: string) => string,
    repeats: (proofs: readonly string[]) => SignedHeaders["repeats"],
  ): Promise<SignedHeaders> {
    // Fails early, before a needless measurement. Read again below, because measuring takes time.
    if (!this.#clock.isFresh) await this.#readCredentials(endpoint);
    let pair: Credentials;
    let serverMs: number | undefined;
    do {
      await this.#readyClock(endpoint);
      pair = await this.#readCredentials(endpoint);
      // The measurement may have been discarded while the secret storage waited for the user.
      serverMs = this.#clock.serverNow();
    } while (serverMs === undefined);
    const [key, secret] = [pair.apiKey.reveal(), pair.apiSecret.reveal()];
    const timestamp = String(serverMs);
    const sign = signatureOf(secret, timestamp);
    return {
      headers: privateHeaders(this.#options.profile.headerPrefix, key, timestamp, sign),
      repeats: repeats([key, secret, sign]),
    };
  }

  /** Measures the clock in advance if a signature would have to wait for it. Failures surface in `sign`. */
  async prepare(): Promise<void> {
    try {
      if (!this.#clock.isFresh && (await this.#credentials())) await this.#clock.ready();
    } catch {
      // Not awaited.
    }
  }

  /** Limits the wait: a confirmed order must not be sent when the user unlocks the secret storage much later. */
  #credentials(): Promise<Credentials | undefined> {
    const { credentials, credentialsMs = CREDENTIALS_MS, after } = this.#options;
    return withTimeout(credentials(), credentialsMs, after);
  }

  async #readCredentials(endpoint: Endpoint): Promise<Credentials> {
    let pair: Credentials | undefined;
    try {
      pair = await this.#credentials();
    } catch (error) {
      if (error instanceof OtherKeyError)
        throw new NotSentError(endpoint, "keyChanged", "another API key was stored meanwhile");
      if (error instanceof UnknownOwnerError)
        throw new NotSentError(
          endpoint,
          "keyOwnerUnknown",
          "the stored API key may belong to another account",
        );
      // The secret storage's own message is dropped, because it handles the secret.
      const detail = "the stored API key and secret could not be read";
      throw new NotSentError(endpoint, "credentialsUnreadable", detail);
    }
    if (!pair) throw new NotSentError(endpoint, "noCredentials", "no API key and secret are stored");
    if (usable(pair)) return pair;
    const detail = "the API key or secret is empty or contains characters that a key cannot have";
    throw new NotSentError(endpoint, "badCredentials", detail);
  }

  async #readyClock(endpoint: Endpoint): Promise<void> {
    try {
      await this.#clock.ready();
    } catch (cause) {
      throw new NotSentError(endpoint, "clockUnknown", "server time could not be measured", { cause });
    }
  }
}

function containsAny(proofs: readonly string[]): SignedHeaders["repeats"] {
  return (text) => proofs.some((each) => text.includes(each));
}

/** Like `containsAny`, but keeps only digests, for a stream that lives for hours. Slow for long texts. */
function containsAnyByDigest(proofs: readonly string[]): SignedHeaders["repeats"] {
  const known = proofs.map((each) => ({ length: each.length, digest: digestOf(each) }));
  return (text) =>
    known.some(({ length, digest }) => {
      const places = Math.max(0, text.length - length + 1);
      return Array.from({ length: places }, (_, from) => text.slice(from, from + length)).some(
        (part) => digestOf(part) === digest,
      );
    });
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
