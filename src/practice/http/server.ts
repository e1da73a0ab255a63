import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Exchange } from "../account/exchange.ts";
import { createMarket, DEFAULT_SEED } from "../market/market.ts";
import { PracticeService, refusal, type PracticeResponse, type ServiceOptions } from "./service.ts";
import { HEADER_PREFIX } from "./signatureCheck.ts";
import { errorText } from "./wire.ts";
import { serveStreams } from "../stream/upgrades.ts";
import { systemTimers } from "../../time/timers.ts";

export interface PracticeOptions extends Omit<ServiceOptions, "account"> {
  /** Default: a new account on the default market, discarded when the exchange closes. */
  readonly account?: Exchange;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Timeout for receiving a request, in ms; default 10,000. */
  readonly requestMs?: number;
}

export interface PracticeExchange {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly baseUrl: string;
  readonly headerPrefix: typeof HEADER_PREFIX;
  /** Stops listening and closes all connections. The log stays open. */
  close(): Promise<void>;
}

/** Identifies the serving process in every response, so that another window recognises the exchange. */
export const PROCESS_HEADER = "X-Practice-Process";

const HOST = "127.0.0.1";
const REQUEST_MS = 10_000;
const MAX_BODY_BYTES = 64 * 1024;
/** An oversized body is read and discarded up to this size, so that the client sees the response. */
const MAX_DROPPED_BYTES = 1024 * 1024;

/**
 * Starts an exchange on loopback: the four endpoints of api.md 4, the complete order lifecycle, market data, and a
 * signed account reset, over a simulated market. Rejects if the port is in use.
 */
export async function startPractice(options: PracticeOptions): Promise<PracticeExchange> {
  const { requestMs = REQUEST_MS, account = new Exchange(createMarket(DEFAULT_SEED)) } = options;
  const service = new PracticeService({ ...options, account });
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // By default Node checks for late requests only every 30 s.
    connectionsCheckingInterval: Math.min(500, requestMs),
    keepAliveTimeout: 60_000,
  });
  let port = 0;
  server.on("request", (request, response) => void handle(request, response, service, port));
  const endStreams = serveStreams(server, service.openStreams(systemTimers.after), (request) =>
    isOurs(request, port),
  );
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    const [status, sentence] = isLate
      ? ["408 Request Timeout", "The request did not come to its end in time."]
      : ["400 Bad Request", "Not an HTTP request this exchange can read."];
    const text = errorText(10, sentence);
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n`;
    // The client may never close its side.
    if (socket.writable) socket.end(head + text, () => socket.destroy());
    else socket.destroy();
  });
  server.listen(options.port ?? 0, HOST);
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  return {
    baseUrl: `http://${HOST}:${port}`,
    headerPrefix: HEADER_PREFIX,
    close: () => {
      endStreams();
      return close(server);
    },
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  service: PracticeService,
  port: number,
): Promise<void> {
  try {
    send(response, await answerTo(request, response, service, port));
  } catch {
    // The connection ended before the request was complete.
    request.socket.destroy();
  }
}

async function answerTo(
  request: IncomingMessage,
  response: ServerResponse,
  service: PracticeService,
  port: number,
): Promise<PracticeResponse> {
  const { method = "", url: path = "", headers } = request;
  if (!isOurs(request, port)) {
    response.setHeader("Connection", "close");
    return refusal(403, 52, "Only programs on this machine may use this exchange, under its own address.");
  }
  const refused = service.refusal(method, path);
  if (refused) return refused;
  const body = await readBody(request);
  if (!body) {
    response.setHeader("Connection", "close");
    return refusal(413, 10, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  }
  return service.answer({ method, path, headers, body });
}

/**
 * Rejects requests from web pages, and those to a host name that resolves to this address, even if a duplicate header
 * hides it. Browsers send `Sec-Fetch-Site` even with requests that have no `Origin`, such as those for images.
 */
function isOurs({ headersDistinct }: IncomingMessage, port: number): boolean {
  const { host = [], origin = [], "sec-fetch-site": site = [] } = headersDistinct;
  const hosts = new Set([`${HOST}:${port}`, `localhost:${port}`]);
  const [onlyHost = "", ...moreHosts] = host;
  return (
    hosts.has(onlyHost) &&
    moreHosts.length === 0 &&
    site.every((each) => each === "none" || each === "same-origin") &&
    origin.every((each) => each.startsWith("http://") && hosts.has(each.slice("http://".length)))
  );
}

function send(response: ServerResponse, { status, type, text, allow }: PracticeResponse): void {
  const bytes = Buffer.from(text, "utf8");
  response.writeHead(status, {
    "Content-Type": type === "json" ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
    "Content-Length": bytes.length,
    "Cache-Control": "no-store",
    ...(allow !== undefined && { Allow: allow }),
    [PROCESS_HEADER]: process.pid,
  });
  response.end(bytes);
}

/** The body's bytes; undefined if too large. Rejects if the connection ends first. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers["content-length"] ?? 0) > MAX_DROPPED_BYTES) return resolve(undefined);
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (size > MAX_DROPPED_BYTES) {
        request.pause();
        resolve(undefined);
      }
    });
    request.on("end", () => resolve(size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(new Error("The connection ended before the request did."));
    });
  });
}
