// "http" and "https" without "node:", and requests without an agent of our own: the extension host replaces exactly these
// two modules to honour the user's proxy and certificate settings, and leaves "node:https" and a caller's agent alone.
import * as http from "http";
import * as https from "https";
import type { Socket } from "node:net";
import { finished } from "node:stream/promises";
import { checkServerIdentity, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { NoAnswerError, NotSentError, UnreadableAnswerError, type Endpoint } from "./errors.ts";
import { Gathered } from "./gather.ts";
import { isLoopback } from "./profile.ts";
import { redact } from "./redact.ts";
import type { Method } from "./sign.ts";

export interface HttpRequest {
  readonly endpoint: Endpoint;
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined sends neither body nor length; an empty one sends `Content-Length: 0`. */
  readonly body: Buffer | undefined;
  /** Asked when the connection stands, right before the first byte is written; false sends nothing. */
  readonly mayStillGo?: (() => boolean) | undefined;
  /** Most bytes of body to accept, before and after decompression. */
  readonly maxBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The header of that name: the service's clock when it answered. */
  readonly date?: string | undefined;
  /** Decompressed. */
  readonly body: Buffer;
}

/** Sends a request once. Rejects with NotSentError, NoAnswerError or UnreadableAnswerError (redirect, tooLarge, notJson). */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

/** Ten seconds, less what giving up takes. */
const TIMEOUT_MS = 9_900;
/** Of the 1xx answers that may come before the answer. Each takes memory, and nothing else ends a stream of them before the time is up. */
const MOST_INFORMATIONAL = 10;

/** Runs `task` once, `ms` from now; the returned function cancels it. */
type After = (ms: number, task: () => void) => () => void;

const afterTime: After = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};

/**
 * HTTP on a connection of its own. `timeoutMs` covers everything from the name lookup to the last byte. Nothing is written
 * before the connection stands and its certificate is accepted, so a failure until then proves that nothing was sent.
 */
export function createTransport(options: { timeoutMs?: number; after?: After } = {}): Transport {
  const { timeoutMs = TIMEOUT_MS, after = afterTime } = options;
  return (request) => send(request, timeoutMs, after);
}

function send(request: HttpRequest, timeoutMs: number, after: After): Promise<HttpAnswer> {
  const { endpoint } = request;
  return new Promise((resolve, reject) => {
    const outgoing = open(request);
    let socket: Socket | undefined;
    let sent = false;
    let answered = false;
    let informational = 0;

    const cancelDeadline = after(timeoutMs, () => {
      const detail = `within ${timeoutMs} ms`;
      if (sent) fail(new NoAnswerError(endpoint, "timeout", `no complete answer ${detail}`));
      else fail(new NotSentError(endpoint, "unreachable", `no connection ${detail}`));
    });

    function fail(error: unknown): void {
      cancelDeadline();
      reject(error);
      outgoing.destroy();
    }

    function lost(error: NodeJS.ErrnoException): void {
      // The parts of it, never the error itself: a parser's error carries the raw packet, which may echo our headers.
      const detail = [error.code, redact(error.message)].filter(Boolean).join(": ");
      if (sent) fail(new NoAnswerError(endpoint, "connectionLost", detail));
      else
        fail(new NotSentError(endpoint, refusedCertificate(socket) ? "certificate" : "unreachable", detail));
    }

    outgoing.on("error", lost);
    outgoing.on("close", () => {
      if (!answered) lost(new Error("closed without an answer"));
    });
    outgoing.on("information", () => {
      informational += 1;
      if (informational > MOST_INFORMATIONAL) lost(new Error("informational answers without end"));
    });
    outgoing.on("socket", (assigned) => {
      socket = assigned;
      whenConnected(assigned, request.url, (isVerified) => {
        if (!isVerified) {
          fail(new NotSentError(endpoint, "certificate", "the certificate was not verified"));
          return;
        }
        if (request.mayStillGo?.() === false) {
          fail(new NotSentError(endpoint, "tooLate", "it no longer held when the connection stood"));
          return;
        }
        sent = true;
        outgoing.end(request.body);
      });
    });
    outgoing.on("response", (incoming) => {
      answered = true;
      read(incoming, request).then((answer) => {
        cancelDeadline();
        resolve(answer);
        outgoing.destroy();
      }, fail);
    });
  });
}

/** The request, connecting but with nothing written yet. */
function open({ endpoint, method, url, headers, body }: HttpRequest): http.ClientRequest {
  const secure = url.protocol === "https:";
  if (!secure && !(url.protocol === "http:" && isLoopback(url))) {
    throw new NotSentError(endpoint, "insecure", "plain http is for this machine only; use https");
  }
  const options: https.RequestOptions = {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: {
      ...headers,
      "Accept-Encoding": "gzip, br",
      // A pooled connection may be closed by the server just as a bid is written to it, and nobody could tell what became of it.
      Connection: "close",
      ...(body && { "Content-Length": String(body.length) }),
    },
  };
  try {
    if (!secure) return http.request(options);
    // Explicit, so that no environment variable switches verification off. The context's name keeps connections that other
    // extensions left in the shared pool from being taken for ours. No session is resumed: of one, the certificate's host is
    // never checked.
    return https.request({
      ...options,
      rejectUnauthorized: true,
      sessionIdContext: "bidside",
      session: undefined,
    } as https.RequestOptions);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new NotSentError(endpoint, "unreachable", `the request cannot be made (${code})`);
  }
}

/** Without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/**
 * Calls back when the connection stands, with whether its certificate was verified (true in plain http). The shared agent's
 * options outweigh a request's, and any extension may have set them not to verify: so both checks are looked at here again.
 */
function whenConnected(socket: Socket, url: URL, use: (isVerified: boolean) => void): void {
  if (url.protocol === "https:") {
    const secured = socket as TLSSocket;
    const check = (): void => use(secured.authorized && namesHost(secured, hostOf(url)));
    // Handed over by a proxy's agent, it may have its handshake behind it.
    if (secured.authorized) check();
    else secured.once("secureConnect", check);
  } else if (socket.connecting) socket.once("connect", () => use(true));
  else use(true);
}

/** Whether the certificate is the host's. A proxy's agent may have resumed a session, which shows none: it was checked before. */
function namesHost(socket: TLSSocket, host: string): boolean {
  return socket.isSessionReused() || checkServerIdentity(host, socket.getPeerCertificate()) === undefined;
}

function refusedCertificate(socket: Socket | undefined): boolean {
  return Boolean((socket as Partial<TLSSocket> | undefined)?.authorizationError);
}

async function read(incoming: http.IncomingMessage, request: HttpRequest): Promise<HttpAnswer> {
  const status = incoming.statusCode ?? 0;
  const unreadable = (reason: "redirect" | "tooLarge" | "notJson", detail: string): UnreadableAnswerError =>
    new UnreadableAnswerError(request.endpoint, reason, status, detail);
  if (status >= 300 && status < 400) throw unreadable("redirect", "redirects are not followed");

  const tooLarge = (): UnreadableAnswerError => unreadable("tooLarge", `more than ${request.maxBytes} bytes`);
  if (Number(incoming.headers["content-length"]) > request.maxBytes) throw tooLarge();
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  const decode = decoders.get(encoding);
  if (!decode) throw unreadable("notJson", "unknown content encoding");

  const gathered = new Gathered();
  try {
    await new Promise<void>((resolve, reject) => {
      // Not `for await`: it queues what comes, and a queue of small chunks takes many times their size.
      incoming.on("data", (chunk: Buffer) => {
        if (gathered.size + chunk.length > request.maxBytes) reject(tooLarge());
        else gathered.add(chunk);
      });
      finished(incoming).then(resolve, reject);
    });
    // Decoded in one, for the same reason.
    const body = await decode(gathered.bytes(), { maxOutputLength: request.maxBytes });
    const { "retry-after": retryAfter, date } = incoming.headers;
    return { status, retryAfter, date, body };
  } catch (error) {
    if (error instanceof UnreadableAnswerError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    if (DECODER_FAULT.test(code)) throw unreadable("notJson", `broken ${encoding} data (${code})`);
    throw new NoAnswerError(request.endpoint, "connectionLost", `the answer was cut off (${code})`);
  }
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Codes of zlib and brotli errors; a lost connection has a system code. */
const DECODER_FAULT = /^(?:Z_|ERR__|ERR_BROTLI)/;
