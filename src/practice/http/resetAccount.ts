import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { RESET_PATH } from "./routes.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./signatureCheck.ts";

const TIMEOUT_MS = 5000;

/**
 * Resets the account of a running practice exchange, in any process. Rejects if the exchange cannot be reached, does not
 * respond within 5 s, or refuses.
 */
export async function resetAccount(options: {
  /** `http://127.0.0.1:port`. */
  readonly baseUrl: string;
  readonly credentials: PracticeCredentials;
  /** The exchange's clock, ms. */
  readonly now: () => number;
}): Promise<void> {
  const { baseUrl, credentials, now } = options;
  const timestamp = String(Math.floor(now()));
  const headers = {
    [`${HEADER_PREFIX}APIKEY`]: credentials.apiKey,
    [`${HEADER_PREFIX}TIMESTAMP`]: timestamp,
    [`${HEADER_PREFIX}SIGN`]: createHmac("sha256", credentials.apiSecret)
      .update(`${timestamp}POST${RESET_PATH}`)
      .digest("hex"),
    "Content-Length": "0",
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const outgoing = request(new URL(RESET_PATH, baseUrl), { method: "POST", headers, signal, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, "response", { signal })) as [IncomingMessage];
  const answer = await text(response);
  if (!answer.startsWith('{"error":0,')) throw new Error(`The practice exchange refused: ${answer}`);
}
