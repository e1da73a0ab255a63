import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";

/** An API key and its secret, as text: the practice exchange protects play money only. */
export interface PracticeCredentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The signed parts of a request (spec 5.1): the bytes as they were received. */
export interface SignedRequest {
  readonly method: string;
  /** Request target with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export type AuthError = 2 | 3 | 6 | 8;

export const HEADER_PREFIX = "X-SVC-";

/** Largest difference between a request's timestamp and the exchange's clock, in both directions. */
export const TIMESTAMP_WINDOW_MS = 30_000;

const MILLISECONDS = /^\d{1,15}$/;

/** Checks requests against one key pair. */
export class SignatureCheck {
  readonly #apiKey: Buffer;
  readonly #secret: KeyObject;

  constructor({ apiKey, apiSecret }: PracticeCredentials) {
    this.#apiKey = Buffer.from(apiKey, "utf8");
    this.#secret = createSecretKey(apiSecret, "utf8");
  }

  /** The first matching error of 2, 3, 6 and 8 (spec section 7), or undefined. `now` in ms. */
  refusal(request: SignedRequest, now: number): AuthError | undefined {
    const key = header(request, "apikey");
    if (key === "") return 2;
    if (!sameBytes(Buffer.from(key, "latin1"), this.#apiKey)) return 3;
    const timestamp = header(request, "timestamp");
    const expected = createHmac("sha256", this.#secret)
      .update(timestamp + request.method + request.path, "utf8")
      .update(request.body)
      .digest("hex");
    if (!sameBytes(Buffer.from(header(request, "sign"), "latin1"), Buffer.from(expected, "latin1"))) return 6;
    if (!MILLISECONDS.test(timestamp)) return 8;
    return Math.abs(now - Number(timestamp)) > TIMESTAMP_WINDOW_MS ? 8 : undefined;
  }
}

/** A header's text; empty when missing. Node gives header names in lower case. */
function header(request: SignedRequest, name: string): string {
  const value = request.headers[HEADER_PREFIX.toLowerCase() + name];
  return typeof value === "string" ? value : "";
}

function sameBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
