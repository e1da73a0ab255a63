import { createHmac } from "node:crypto";
import { request } from "node:http";
import type { PracticeCredentials } from "../../../src/practice/http/signatureCheck.ts";

/** A fake key pair for practice exchanges started by tests. */
export const testPair: PracticeCredentials = { apiKey: "test-key", apiSecret: "test-secret" };

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The envelope's code; undefined if the body is no envelope. */
  readonly error: number | undefined;
  readonly result: unknown;
}

/** Sends exactly these bytes and headers; rejects if the connection ends without a response. */
export function send(
  baseUrl: string,
  method: string,
  path: string,
  options: { readonly headers?: Record<string, string>; readonly body?: string | Uint8Array } = {},
): Promise<Answered> {
  const { headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const url = new URL(baseUrl);
    const outgoing = request({ host: url.hostname, port: url.port, method, path, headers, agent: false });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ...envelope(text) });
      });
    });
    outgoing.end(body);
  });
}

function envelope(text: string): { error: number | undefined; result: unknown } {
  try {
    const { error, result } = JSON.parse(text) as { error?: number; result?: unknown };
    return { error, result };
  } catch {
    return { error: undefined, result: undefined };
  }
}

/** Spec 5.1, computed independently: HMAC-SHA256 over timestamp, method, path and body, in lower-case hex. */
export function signature(secret: string, payload: string | Uint8Array): string {
  return createHmac("sha256", secret).update(payload).digest("hex");
}

/** The three headers of a private request (api.md 5). */
export function signedHeaders(
  method: string,
  path: string,
  body: string,
  timestamp: number | string,
  pair: PracticeCredentials = testPair,
): Record<string, string> {
  return {
    "X-SVC-APIKEY": pair.apiKey,
    "X-SVC-TIMESTAMP": String(timestamp),
    "X-SVC-SIGN": signature(pair.apiSecret, `${timestamp}${method}${path}${body}`),
  };
}

const WALLET = "/api/market/wallet";
const PLACE_BID = "/api/market/place-bid";

export function getWallet(baseUrl: string, timestamp: number, pair = testPair): Promise<Answered> {
  return send(baseUrl, "GET", WALLET, { headers: signedHeaders("GET", WALLET, "", timestamp, pair) });
}

/** Places a bid with this text as its body, signed as sent. */
export function postBid(
  baseUrl: string,
  body: string,
  timestamp: number,
  pair = testPair,
): Promise<Answered> {
  return send(baseUrl, "POST", PLACE_BID, {
    headers: {
      ...signedHeaders("POST", PLACE_BID, body, timestamp, pair),
      "Content-Type": "application/json",
    },
    body,
  });
}

/** A limit bid's body; amounts are JSON number texts. */
export function bidBody(symbol: string, amount: string | number, rate: string | number): string {
  return `{"sym":"${symbol}","amt":${amount},"rat":${rate},"typ":"limit"}`;
}
