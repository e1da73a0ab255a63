import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from "node:crypto";

/** API key and secret as plain text: the practice exchange protects play money only. */
export interface PracticeCredentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The signed parts of a request (api.md 5.1): the bytes as received. */
export interface SignedRequest {
  readonly method: string;
  /** Request target with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

interface ProofTexts {
  readonly apiKey?: string | undefined;
  readonly sign?: string | undefined;
  readonly timestamp?: string | undefined;
}

export type AuthError = 2 | 3 | 6 | 8;

export const HEADER_PREFIX = "X-SVC-";

/** Maximum difference between a request's timestamp and the exchange's clock, in both directions. */
export const TIMESTAMP_WINDOW_MS = 30_000;

const MILLISECONDS = /^\d{1,15}$/;

export class SignatureCheck {
  readonly #apiKey: Buffer;
  readonly #secret: KeyObject;

  constructor({ apiKey, apiSecret }: PracticeCredentials) {
    this.#apiKey = Buffer.from(apiKey, "utf8");
    this.#secret = createSecretKey(apiSecret, "utf8");
  }

  /** The first matching error of 2, 3, 6 and 8 (api.md 7), or undefined. `now` in ms. */
  refusal(request: SignedRequest, now: number): AuthError | undefined {
    const [apiKey, sign, timestamp] = ["apikey", "sign", "timestamp"].map((name) => header(request, name));
    const { method, path, body } = request;
    return this.refusalOf(
      { apiKey, sign, timestamp },
      Buffer.concat([Buffer.from(method + path), body]),
      now,
    );
  }

  /** Checks the credentials and what was signed after the timestamp. */
  refusalOf(
    { apiKey = "", sign = "", timestamp = "" }: ProofTexts,
    signed: Uint8Array | string,
    now: number,
  ): AuthError | undefined {
    if (apiKey === "") return 2;
    if (!sameBytes(Buffer.from(apiKey, "latin1"), this.#apiKey)) return 3;
    const expected = createHmac("sha256", this.#secret)
      .update(timestamp, "utf8")
      .update(signed)
      .digest("hex");
    if (!sameBytes(Buffer.from(sign, "latin1"), Buffer.from(expected, "latin1"))) return 6;
    if (!MILLISECONDS.test(timestamp)) return 8;
    return Math.abs(now - Number(timestamp)) > TIMESTAMP_WINDOW_MS ? 8 : undefined;
  }
}

/** A header's value; empty when missing. Node lower-cases header names. */
function header(request: SignedRequest, name: string): string {
  const value = request.headers[HEADER_PREFIX.toLowerCase() + name];
  return typeof value === "string" ? value : "";
}

function sameBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
