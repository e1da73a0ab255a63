import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Exchange, type EventLog } from "../account/exchange.ts";
import { DEFAULT_SEED, createMarket, type Market } from "../market/market.ts";
import { Faults, faultyAnswer, type Answer, type Endpoint, type FaultPlan } from "./faults.ts";
import { answerHistory } from "./history.ts";
import { RESET_PATH } from "./resetAccount.ts";
import { HEADER_PREFIX, SignatureCheck, type AuthError, type PracticeCredentials } from "./signatureCheck.ts";
import {
  bidResult,
  errorText,
  readObject,
  successText,
  tickersResult,
  walletResult,
  type WalletShape,
} from "./wire.ts";

export interface PracticeOptions {
  readonly credentials: PracticeCredentials;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  /** Chooses the market: the same seed gives the same market. */
  readonly seed?: string | number;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Keeps the account. Without it, the account ends with the exchange. */
  readonly log?: EventLog;
  readonly faults?: FaultPlan;
  readonly walletShape?: WalletShape;
  /** How long a request may take to arrive, in ms; default 10,000. */
  readonly requestMs?: number;
}

/** A running practice exchange. */
export interface PracticeExchange {
  /** `http://127.0.0.1:port`, without a closing slash. */
  readonly baseUrl: string;
  readonly headerPrefix: typeof HEADER_PREFIX;
  /** Number of requests for each endpoint, including refused ones. */
  readonly requests: Readonly<Record<Endpoint, number>>;
  readonly faults: Faults;
  /** Stops listening and closes every open connection. The log remains the caller's. */
  close(): Promise<void>;
}

/** Names the serving process in every answer, so that a second window recognises the exchange. */
export const PROCESS_HEADER = "X-Practice-Process";

const HOST = "127.0.0.1";
const REQUEST_MS = 10_000;
const MAX_BODY_BYTES = 64 * 1024;
/** A body that is too large is read and dropped up to this size, so that its sender sees the answer. */
const MAX_DROPPED_BYTES = 1024 * 1024;

const ROUTES: Readonly<Record<string, { readonly endpoint: Endpoint; readonly methods: readonly string[] }>> =
  {
    "/api/servertime": { endpoint: "serverTime", methods: ["GET"] },
    "/api/market/ticker": { endpoint: "tickers", methods: ["GET"] },
    "/api/market/wallet": { endpoint: "wallet", methods: ["GET", "POST"] },
    "/api/market/place-bid": { endpoint: "placeBid", methods: ["POST"] },
    "/tradingview/history": { endpoint: "history", methods: ["GET"] },
    [RESET_PATH]: { endpoint: "reset", methods: ["POST"] },
  };

const AUTH_MESSAGES: Readonly<Record<AuthError, string>> = {
  2: `The header ${HEADER_PREFIX}APIKEY is missing.`,
  3: "The API key is not valid.",
  6: "The signature is missing or does not match.",
  8: "The timestamp is not in milliseconds, or more than 30 s from the exchange's clock.",
};

/**
 * Starts an exchange on loopback: the four endpoints of spec section 4, a price history, and a signed reset of the
 * account, over a simulated market. Rejects if the port is in use or the log cannot be replayed or written.
 */
export async function startPractice(options: PracticeOptions): Promise<PracticeExchange> {
  const service = new Service(options);
  const { requestMs = REQUEST_MS } = options;
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    // Node checks for late requests only every 30 s by default.
    connectionsCheckingInterval: Math.min(500, requestMs),
    keepAliveTimeout: 60_000,
  });
  server.on("request", (request, response) => void service.handle(request, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    const [status, sentence] = isLate
      ? ["408 Request Timeout", "The request did not come to its end in time."]
      : ["400 Bad Request", "Not an HTTP request this exchange can read."];
    const text = errorText(10, sentence);
    const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n`;
    // The sender may never close its own side.
    if (socket.writable) socket.end(head + text, () => socket.destroy());
    else socket.destroy();
  });
  server.listen(options.port ?? 0, HOST);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  service.port = port;
  return {
    baseUrl: `http://${HOST}:${port}`,
    headerPrefix: HEADER_PREFIX,
    requests: service.requests,
    faults: service.faults,
    close: () => close(server, service),
  };
}

function close(server: Server, service: Service): Promise<void> {
  service.stop();
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

class Service {
  port = 0;
  readonly requests: Record<Endpoint, number> = {
    serverTime: 0,
    tickers: 0,
    wallet: 0,
    placeBid: 0,
    history: 0,
    reset: 0,
  };
  readonly faults: Faults;
  readonly #now: () => number;
  readonly #market: Market;
  readonly #exchange: Exchange;
  readonly #walletShape: WalletShape;
  readonly #stopped = new AbortController();
  readonly #check: SignatureCheck;

  constructor(options: PracticeOptions) {
    this.faults = new Faults(options.faults);
    this.#now = () => Math.floor(options.now()) + this.faults.clockSkewMs;
    this.#market = createMarket(String(options.seed ?? DEFAULT_SEED));
    this.#exchange = new Exchange(this.#market, options.log);
    this.#walletShape = options.walletShape ?? "available";
    this.#check = new SignatureCheck(options.credentials);
  }

  stop(): void {
    this.#stopped.abort();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request, response);
      if (answer === "reset") request.socket.resetAndDestroy();
      else send(response, answer);
    } catch {
      // The connection ended before its request did, or the exchange was closed: an answer is not needed.
      request.socket.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | "reset"> {
    const { method = "", url: path = "", headers } = request;
    if (!this.#isOurs(request)) {
      response.setHeader("Connection", "close");
      return refusal(403, 52, "Only programs on this machine may use this exchange, under its own address.");
    }
    const pathname = path.split("?", 1)[0] ?? "";
    const route = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
    if (!route) return refusal(404, 10, "No such path.");
    if (!route.methods.includes(method)) {
      response.setHeader("Allow", route.methods.join(", "));
      return refusal(405, 10, `This path takes ${route.methods.join(" or ")} only.`);
    }
    const body = await readBody(request);
    if (!body) {
      response.setHeader("Connection", "close");
      return refusal(413, 10, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
    }
    const { endpoint } = route;
    this.requests[endpoint] += 1;
    return this.#withFault(endpoint, () => this.#process(endpoint, { method, path, headers, body }));
  }

  /**
   * A page of another site, or a host name that points here, must not reach the exchange; nor one hidden behind a
   * second header.
   */
  #isOurs({ headersDistinct: { host = [], origin = [] } }: IncomingMessage): boolean {
    const hosts = new Set([`${HOST}:${this.port}`, `localhost:${this.port}`]);
    const [onlyHost = "", ...moreHosts] = host;
    return (
      hosts.has(onlyHost) &&
      moreHosts.length === 0 &&
      origin.every((each) => each.startsWith("http://") && hosts.has(each.slice("http://".length)))
    );
  }

  async #withFault(endpoint: Endpoint, process: () => Answer): Promise<Answer | "reset"> {
    const fault = this.faults.take(endpoint);
    if (!fault) return process();
    if (fault.kind === "delay") {
      const early = fault.when === "after" ? process() : undefined;
      await delay(fault.ms, undefined, { signal: this.#stopped.signal });
      return early ?? process();
    }
    const isLate = fault.kind === "cutJson" || fault.when === "after";
    return faultyAnswer(fault, isLate ? process() : undefined);
  }

  #process(endpoint: Endpoint, request: Parameters<SignatureCheck["refusal"]>[0]): Answer {
    const now = this.#now();
    if (endpoint === "serverTime") return success(Math.floor(now / 1000));
    if (endpoint === "tickers") return success(tickersResult(this.#market.tickersAt(now)));
    if (endpoint === "history") {
      const query = new URLSearchParams(request.path.split("?")[1]);
      return { status: 200, type: "json", text: answerHistory(query, this.#market, now) };
    }
    const code = this.#check.refusal(request, now);
    if (code !== undefined) return refusal(200, code, AUTH_MESSAGES[code]);
    try {
      this.#exchange.match(now);
      if (endpoint === "placeBid") return this.#placeBid(request.body, now);
      if (endpoint === "reset") this.#exchange.reset(now);
      return success(walletResult(this.#exchange.wallet(), this.#walletShape));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return refusal(
        500,
        90,
        `The practice ledger could not be written (${reason}). The request had no effect.`,
      );
    }
  }

  #placeBid(bytes: Uint8Array, now: number): Answer {
    const body = readObject(bytes);
    if ("problem" in body) return refusal(200, 1, body.problem);
    const outcome = this.#exchange.placeBid(body.fields, now);
    return "code" in outcome
      ? refusal(200, outcome.code, outcome.message)
      : success(bidResult(outcome.bid, outcome.received));
  }
}

function success(result: unknown): Answer {
  return { status: 200, type: "json", text: successText(result) };
}

function refusal(status: number, code: number, message: string): Answer {
  return { status, type: "json", text: errorText(code, message) };
}

function send(response: ServerResponse, { status, type, text, retryAfter }: Answer): void {
  const bytes = Buffer.from(text, "utf8");
  response.writeHead(status, {
    "Content-Type": type === "json" ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
    "Content-Length": bytes.length,
    "Cache-Control": "no-store",
    ...(retryAfter !== undefined && { "Retry-After": retryAfter }),
    [PROCESS_HEADER]: process.pid,
  });
  response.end(bytes);
}

/** The body's bytes; undefined if it is too large. Rejects if the connection ends before the body does. */
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
