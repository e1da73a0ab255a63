import type { ServerResponse } from "node:http";
import { writings } from "../builders/canaries.ts";
import { pick, type Random } from "../random.ts";
import type { Answer, SeenRequest } from "./loopback.ts";

/** Data that a service has about its customer, and may leak. */
export interface Known {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Slip {
  readonly random: Random;
  readonly known: Known;
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  /** All leaked data, as one text in some encoding. */
  readonly leak: string;
}

const HEAD = "HTTP/1.1 200 OK\r\n";

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

/** Text that node:http accepts as a header or a status line. */
function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "");
}

/** Writes raw bytes to the socket, then ends or resets the connection. */
function raw({ response }: Slip, text: string, reset = false): void {
  response.socket?.end(text, () => {
    if (reset) response.socket?.resetAndDestroy();
  });
}

const codes = [1, 3, 6, 8, 18, 19, 30, 90, 777] as const;
const errorStatuses = [400, 401, 403, 404, 405, 429, 500, 502, 520] as const;

/** Failures that echo the service's data. */
const slips: Readonly<Record<string, (slip: Slip) => void>> = {
  "an error's message": ({ random, response, leak }) =>
    json(response, 200, { error: pick(random, codes), message: leak }),
  "the message of a failed request": ({ random, response, leak }) =>
    json(response, pick(random, errorStatuses), { error: pick(random, codes), message: leak }),
  "a text for an error": ({ response, leak }) => json(response, 200, { error: leak }),
  "an error that is the key itself": ({ response, known }) =>
    void response.end(
      `{"error":${/^[1-9]\d*$/.test(known.apiKey) ? known.apiKey : JSON.stringify(known.apiKey)}}`,
    ),
  "a text code": ({ random, response, leak, known }) =>
    json(response, pick(random, errorStatuses), { code: known.apiKey, message: leak, data: {} }),
  "a numeric code": ({ random, response, known }) => {
    const code = /^[1-9]\d*$/.test(known.apiKey) ? known.apiKey : "1";
    response.writeHead(pick(random, errorStatuses)).end(`{"code":${code},"message":"no"}`);
  },
  "an error object": ({ response, leak }) => json(response, 200, { error: { message: leak } }),
  "a web page": ({ response, leak }) => void response.end(`<html>${leak}`),
  "an error page": ({ random, response, leak }) =>
    void response.writeHead(pick(random, errorStatuses)).end(`<html><title>${leak}</title>`),
  "broken JSON": ({ response, leak }) => void response.end(`{"error":0,"result":"${leak}`),
  "an unknown shape": ({ response, leak }) => json(response, 200, [leak, { say: leak }]),
  "an order id": ({ response, known }) => json(response, 200, { error: 0, result: { id: known.apiKey } }),
  "names of assets and pairs": ({ response, leak, known }) =>
    json(response, 200, {
      error: 0,
      result: { [leak]: null, [known.apiKey]: null, THB: 1_000_000, THB_BTC: { last: 100 } },
    }),
  "a place to go to": ({ response, leak }) =>
    void response.writeHead(302, { Location: `/${encodeURIComponent(leak)}` }).end(),
  "a time to wait": ({ response, known, leak }) =>
    void response.writeHead(429, { "Retry-After": known.apiKey }).end(leak),
  "its headers": ({ random, response, leak }) => {
    const value = inHeader(leak).slice(0, 4000);
    response.writeHead(pick(random, errorStatuses), { "X-Echo": value, "Set-Cookie": value }).end(leak);
  },
  "a status line": (slip) =>
    raw(slip, `HTTP/1.1 400 ${inHeader(slip.leak).slice(0, 4000)}\r\n\r\n${slip.leak}`),
  "headers beyond the limit": (slip) =>
    raw(slip, `${HEAD}X-Echo: ${inHeader(slip.leak).repeat(300)}\r\n\r\n`),
  "a broken header": (slip) => raw(slip, `${HEAD}${inHeader(slip.leak)}\u0000\r\n\r\n{}`),
  "what is not HTTP": (slip) => raw(slip, slip.leak),
  "broken chunks": (slip) => raw(slip, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${slip.leak}\r\n`),
  trailers: (slip) =>
    raw(slip, `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nX-Echo: ${inHeader(slip.leak)}\r\n\r\n`),
  "a body cut off": (slip) =>
    raw(slip, `${HEAD}Content-Length: 99999\r\n\r\n{"error":18,"message":"${slip.leak}"`),
  "a body and a reset": (slip) => raw(slip, `${HEAD}Content-Length: 99999\r\n\r\n${slip.leak}`, true),
  "what is not gzip": ({ response, leak }) =>
    void response.writeHead(200, { "Content-Encoding": "gzip" }).end(leak),
  "an unknown encoding": ({ response, leak }) =>
    void response.writeHead(200, { "Content-Encoding": inHeader(leak).slice(0, 4000) }).end(leak),
};

/** A response that leaks the service's data, in a random way and encoding. `used` counts the ways. */
export function letSlip(random: Random, known: Known, used: Map<string, number>): Answer {
  return (request, response) => {
    const [way, slip] = pick(random, Object.entries(slips));
    used.set(way, (used.get(way) ?? 0) + 1);
    slip({ random, known, request, response, leak: leakedText(random, known, request) });
  };
}

/** Some of key, secret, signature, all headers and the body, each in some encoding, in a sentence. */
function leakedText(random: Random, { apiKey, apiSecret }: Known, { headers, body }: SeenRequest): string {
  const things = [
    apiKey,
    apiSecret,
    String(headers["x-svc-sign"] ?? apiKey),
    JSON.stringify(headers),
    `${apiKey}:${apiSecret}`,
    `${body.toString()} ${apiKey}`,
  ];
  const ways = Object.values(writings);
  const count = 1 + Math.floor(random() * 3);
  const leaks = Array.from({ length: count }, () => pick(random, ways)(pick(random, things)));
  return `${pick(random, ["Bad key ", "", "x".repeat(190)])}${leaks.join(pick(random, [" ", "", ", ", "\n"]))}`;
}
