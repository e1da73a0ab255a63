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
  readonly say: string;
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
  "an error's message": ({ random, response, say }) =>
    json(response, 200, { error: pick(random, codes), message: say }),
  "the message of a failed request": ({ random, response, say }) =>
    json(response, pick(random, errorStatuses), { error: pick(random, codes), message: say }),
  "a text for an error": ({ response, say }) => json(response, 200, { error: say }),
  "an error that is the key itself": ({ response, known }) =>
    void response.end(
      `{"error":${/^[1-9]\d*$/.test(known.apiKey) ? known.apiKey : JSON.stringify(known.apiKey)}}`,
    ),
  "a text code": ({ random, response, say, known }) =>
    json(response, pick(random, errorStatuses), { code: known.apiKey, message: say, data: {} }),
  "a numeric code": ({ random, response, known }) => {
    const code = /^[1-9]\d*$/.test(known.apiKey) ? known.apiKey : "1";
    response.writeHead(pick(random, errorStatuses)).end(`{"code":${code},"message":"no"}`);
  },
  "an error object": ({ response, say }) => json(response, 200, { error: { message: say } }),
  "a web page": ({ response, say }) => void response.end(`<html>${say}`),
  "an error page": ({ random, response, say }) =>
    void response.writeHead(pick(random, errorStatuses)).end(`<html><title>${say}</title>`),
  "broken JSON": ({ response, say }) => void response.end(`{"error":0,"result":"${say}`),
  "an unknown shape": ({ response, say }) => json(response, 200, [say, { say }]),
  "an order id": ({ response, known }) => json(response, 200, { error: 0, result: { id: known.apiKey } }),
  "names of assets and pairs": ({ response, say, known }) =>
    json(response, 200, {
      error: 0,
      result: { [say]: null, [known.apiKey]: null, THB: 1_000_000, THB_BTC: { last: 100 } },
    }),
  "a place to go to": ({ response, say }) =>
    void response.writeHead(302, { Location: `/${encodeURIComponent(say)}` }).end(),
  "a time to wait": ({ response, known, say }) =>
    void response.writeHead(429, { "Retry-After": known.apiKey }).end(say),
  "its headers": ({ random, response, say }) => {
    const value = inHeader(say).slice(0, 4000);
    response.writeHead(pick(random, errorStatuses), { "X-Echo": value, "Set-Cookie": value }).end(say);
  },
  "a status line": (slip) =>
    raw(slip, `HTTP/1.1 400 ${inHeader(slip.say).slice(0, 4000)}\r\n\r\n${slip.say}`),
  "headers beyond the limit": (slip) => raw(slip, `${HEAD}X-Echo: ${inHeader(slip.say).repeat(300)}\r\n\r\n`),
  "a broken header": (slip) => raw(slip, `${HEAD}${inHeader(slip.say)}\u0000\r\n\r\n{}`),
  "what is not HTTP": (slip) => raw(slip, slip.say),
  "broken chunks": (slip) => raw(slip, `${HEAD}Transfer-Encoding: chunked\r\n\r\n${slip.say}\r\n`),
  trailers: (slip) =>
    raw(slip, `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nX-Echo: ${inHeader(slip.say)}\r\n\r\n`),
  "a body cut off": (slip) =>
    raw(slip, `${HEAD}Content-Length: 99999\r\n\r\n{"error":18,"message":"${slip.say}"`),
  "a body and a reset": (slip) => raw(slip, `${HEAD}Content-Length: 99999\r\n\r\n${slip.say}`, true),
  "what is not gzip": ({ response, say }) =>
    void response.writeHead(200, { "Content-Encoding": "gzip" }).end(say),
  "an unknown encoding": ({ response, say }) =>
    void response.writeHead(200, { "Content-Encoding": inHeader(say).slice(0, 4000) }).end(say),
};

/** A response that leaks the service's data, in a random way and encoding. `used` counts the ways. */
export function letSlip(random: Random, known: Known, used: Map<string, number>): Answer {
  return (request, response) => {
    const [way, slip] = pick(random, Object.entries(slips));
    used.set(way, (used.get(way) ?? 0) + 1);
    slip({ random, known, request, response, say: said(random, known, request) });
  };
}

/** Some of key, secret, signature, all headers and the body, each in some encoding, in a sentence. */
function said(random: Random, { apiKey, apiSecret }: Known, { headers, body }: SeenRequest): string {
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
  const told = Array.from({ length: count }, () => pick(random, ways)(pick(random, things)));
  return `${pick(random, ["Bad key ", "", "x".repeat(190)])}${told.join(pick(random, [" ", "", ", ", "\n"]))}`;
}
