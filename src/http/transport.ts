import { isUtf8 } from "node:buffer";
import type { ClientRequest, IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { systemTimers, type After } from "../time/timers.ts";
import { BodyBuffer } from "./bodyBuffer.ts";
import { Connection, detailOf, isNotHttp, type OpenConnection, type Target } from "./connection.ts";
import { TransportError, type TransportFailure } from "./errors.ts";

export interface HttpRequest extends Target {
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined sends neither body nor length. An empty body sends `Content-Length: 0`. */
  readonly body?: Buffer | undefined;
  /** Checked once connected, right before the first byte is written. False sends nothing. */
  readonly mayStillSend?: (() => boolean) | undefined;
  /** Provides a connection opened in advance, if one is still usable. */
  readonly prepared?: { take(target: Target): OpenConnection | undefined } | undefined;
  /** Maximum body size in bytes, before and after decompression. */
  readonly maxBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The `Date` header: the exchange's clock when it responded. */
  readonly date?: string | undefined;
  /** Decompressed. */
  readonly body: Buffer;
}

/** Sends a request once. Rejects with TransportError. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** Ten seconds, minus the time to abort. */
const TIMEOUT_MS = 9_900;
/** Maximum 1xx responses. Each takes memory, and only the timeout would end an endless stream of them. */
const MAX_INFORMATIONAL = 10;

/**
 * HTTP over one connection per request, or over a prepared one. `timeoutMs` covers everything from DNS lookup to the last
 * byte. Nothing is written before the connection is ready and its certificate is accepted, so an earlier failure proves
 * that nothing was sent.
 */
export function createTransport(options: { timeoutMs?: number; after?: After } = {}): Transport {
  const { timeoutMs = TIMEOUT_MS, after = systemTimers.after } = options;
  return (request) => send(request, timeoutMs, after);
}

function send(request: HttpRequest, timeoutMs: number, after: After): Promise<HttpResponse> {
  const { label, prepared } = request;
  return new Promise((resolve, reject) => {
    let connection: OpenConnection | undefined;
    let over = false;
    let sent = false;

    const cancelDeadline = after(timeoutMs, () => {
      const detail = `within ${timeoutMs} ms`;
      if (sent) failAs({ kind: "noAnswer", reason: "timeout" }, `no complete response ${detail}`);
      else failAs({ kind: "notSent", reason: "unreachable" }, `no connection ${detail}`);
    });

    function end(): void {
      over = true;
      cancelDeadline();
      connection?.close();
    }

    function fail(error: unknown): void {
      end();
      reject(error);
    }

    function failAs(failure: TransportFailure, detail: string): void {
      fail(new TransportError(label, failure, detail));
    }

    function connect(): void {
      if (over) return;
      try {
        connection = prepared?.take(request) ?? new Connection(request);
        connection.connected.then(write).catch(fail);
      } catch (error) {
        fail(error);
      }
    }

    function write(): void {
      if (over || !connection) return;
      const outgoing = connection.use();
      try {
        for (const [name, value] of Object.entries(headersOf(request))) outgoing.setHeader(name, value);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        return failAs({ kind: "notSent", reason: "unreachable" }, `the request cannot be made (${code})`);
      }
      if (request.mayStillSend?.() === false) {
        const detail = "it was no longer wanted when the connection was ready";
        return failAs({ kind: "notSent", reason: "tooLate" }, detail);
      }
      receive(outgoing);
      sent = true;
      outgoing.end(request.body);
    }

    function lost(error: Error): void {
      failAs({ kind: "noAnswer", reason: isNotHttp(error) ? "notHttp" : "connectionLost" }, detailOf(error));
    }

    function receive(outgoing: ClientRequest): void {
      let informational = 0;
      let hasResponded = false;
      outgoing.on("error", lost);
      outgoing.on("close", () => {
        if (!hasResponded) lost(new Error("closed without a response"));
      });
      outgoing.on("information", () => {
        informational += 1;
        if (informational > MAX_INFORMATIONAL) lost(new Error("too many informational responses"));
      });
      outgoing.on("response", (incoming) => {
        hasResponded = true;
        read(incoming, request).then((response) => {
          over = true;
          cancelDeadline();
          resolve(response);
          // Deferred, so that the response is handled first.
          setImmediate(() => connection?.close());
        }, fail);
      });
    }

    // Whether the server closed an idle connection is known only after the event loop has polled it, which two turns
    // guarantee.
    if (prepared) setImmediate(() => setImmediate(connect));
    else connect();
  });
}

function headersOf({ headers, body }: HttpRequest): Record<string, string> {
  return {
    ...headers,
    "Accept-Encoding": "gzip, br",
    ...(body && { "Content-Length": String(body.length) }),
  };
}

async function read(incoming: IncomingMessage, request: HttpRequest): Promise<HttpResponse> {
  const status = incoming.statusCode ?? 0;
  const unreadable = (reason: "tooLarge" | "notJson", detail: string): TransportError =>
    new TransportError(request.label, { kind: "unreadable", reason, status }, detail);
  if (status >= 300 && status < 400) {
    const failure = {
      kind: "unreadable",
      reason: "redirect",
      status,
      to: targetOf(incoming, request.url),
    } as const;
    throw new TransportError(request.label, failure, "redirects are not followed");
  }

  const tooLarge = (): TransportError => unreadable("tooLarge", `more than ${request.maxBytes} bytes`);
  if (Number(incoming.headers["content-length"]) > request.maxBytes) throw tooLarge();
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() || "identity";

  const gathered = new BodyBuffer();
  try {
    await new Promise<void>((resolve, reject) => {
      // Not `for await`, which queues chunks: a queue of small chunks takes many times their size.
      incoming.on("data", (chunk: Buffer) => {
        if (gathered.size + chunk.length > request.maxBytes) reject(tooLarge());
        else gathered.add(chunk);
      });
      finished(incoming).then(resolve, reject);
    });
  } catch (error) {
    if (error instanceof TransportError) throw error;
    const cause = error as NodeJS.ErrnoException;
    const failure = { kind: "noAnswer", reason: isNotHttp(cause) ? "notHttp" : "connectionLost" } as const;
    throw new TransportError(request.label, failure, `the response was cut off (${cause.code ?? ""})`);
  }
  const { "retry-after": retryAfter, date } = incoming.headers;
  try {
    // Decoded in one piece, because a stream would queue chunks again.
    const body = await decoded(gathered.bytes(), encoding, request.maxBytes);
    return { status, retryAfter, date, body };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    // The status of an error response is enough without its page.
    if (status >= 400) return { status, retryAfter, date, body: Buffer.alloc(0) };
    throw unreadable(
      "notJson",
      `not ${code === "" ? "a known content encoding" : `${encoding} data (${code})`}`,
    );
  }
}

/** A short path of plain words. A longer one may repeat a key. */
const PLAIN_PATH = /^(?:\/(?:[a-z][a-z._-]{0,19}|v\d{1,2})){1,5}\/?$/i;

/** Where a redirect leads: another host, or another path of the same one. */
function targetOf({ headers: { location = "" } }: IncomingMessage, from: URL): string | undefined {
  if (location === "" || !URL.canParse(location, from.href)) return undefined;
  const { protocol, host, pathname } = new URL(location, from);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  if (host !== from.host) return host;
  return PLAIN_PATH.test(pathname) ? pathname : undefined;
}

/**
 * Decompresses the body. Front ends label their own pages with the encoding of the response they replace, or with a
 * charset, so bytes that are plain text are used as they are. Rejects with the decoder's error.
 */
async function decoded(bytes: Buffer, encoding: string, maxOutputLength: number): Promise<Buffer> {
  try {
    const decode = decoders.get(encoding);
    if (!decode) throw new Error("unknown content encoding");
    return await decode(bytes, { maxOutputLength });
  } catch (error) {
    if (isPlainText(bytes)) return bytes;
    throw error;
  }
}

/** Whether the bytes start like JSON or HTML in UTF-8. Compressed data is never valid UTF-8 throughout. */
function isPlainText(bytes: Buffer): boolean {
  return /^\ufeff?\s*[[{"<\d-]/.test(bytes.toString("utf8", 0, 100)) && isUtf8(bytes);
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => Promise.resolve(bytes)],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);
