import { createHmac } from "node:crypto";
import type { Method } from "../../http/connection.ts";
import type { Credentials } from "./credentials.ts";

/** The parts of a private request that are signed, exactly as sent. */
export interface SignedParts {
  /** Server time, ms since the epoch: the exact text of the timestamp header. */
  readonly timestamp: string;
  readonly method: Method;
  /** Path exactly as in the request line, including the base URL's prefix and the query string. */
  readonly path: string;
  /** The exact bytes of the body; undefined or empty without one. */
  readonly body: Uint8Array | undefined;
}

/** Lower-case hex HMAC-SHA256 over timestamp, method, path and body, without separators (api.md 5.1). */
export function signature(apiSecret: string, { timestamp, method, path, body }: SignedParts): string {
  const hmac = createHmac("sha256", apiSecret).update(timestamp + method + path);
  return (body?.length ? hmac.update(body) : hmac).digest("hex");
}

/**
 * Signs the timestamp alone, for the first message of a private stream. Anyone who obtains it can use it while it is
 * fresh.
 */
export function timeSignature(apiSecret: string, timestamp: string): string {
  return createHmac("sha256", apiSecret).update(timestamp).digest("hex");
}

/** The three private headers (api.md 5) with the profile's prefix. */
export function privateHeaders(
  prefix: string,
  apiKey: string,
  timestamp: string,
  sign: string,
): Record<string, string> {
  return { [`${prefix}APIKEY`]: apiKey, [`${prefix}TIMESTAMP`]: timestamp, [`${prefix}SIGN`]: sign };
}

export function usable({ apiKey, apiSecret }: Credentials): boolean {
  return isUsableKey(apiKey.reveal()) && isUsableSecret(apiSecret.reveal());
}

/** Visible ASCII, because the key is sent verbatim in a header. */
export function isUsableKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/**
 * Any visible characters: the secret is used as UTF-8 (api.md 5.1). Blank or invisible characters come from careless copying.
 */
export function isUsableSecret(text: string): boolean {
  return /^[^\s\p{C}]+$/u.test(text);
}
