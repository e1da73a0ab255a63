// "http" and "https" without "node:", and no custom agent for https: the extension host patches exactly these two
// modules to apply the user's proxy and certificate settings, but neither "node:https" nor custom agents.
import * as http from "http";
import * as https from "https";
import type { Socket } from "node:net";
import { checkServerIdentity, type TLSSocket } from "node:tls";
import { TransportError, type ConnectionFault } from "./errors.ts";
import { isLoopback } from "./loopback.ts";
import { redact } from "./redact.ts";
import { attemptTimeout, noteFailure } from "./slowHosts.ts";

export type Method = "GET" | "POST";

export interface Target {
  /** What the request is for, in the messages of its errors. */
  readonly label: string;
  readonly method: Method;
  readonly url: URL;
}

/**
 * A connection for one request. It may be opened long before the request is known, and nothing is written until then.
 * It is a request of the `http` or `https` module whose headers are not sent yet, so it goes through the editor's proxy
 * if there is one.
 */
export class Connection {
  readonly #target: Target;
  readonly #outgoing: http.ClientRequest;
  readonly #connected = Promise.withResolvers<void>();
  #socket: Socket | undefined;
  #state: "opening" | "ready" | "lost" | "used" = "opening";

  /** Starts connecting. Throws TransportError (`notSent`) if the target is not allowed. */
  constructor(target: Target) {
    this.#target = target;
    this.#outgoing = open(target);
    // Avoids an unhandled rejection if the connection is never used.
    this.#connected.promise.catch(() => undefined);
    this.#outgoing
      .on("error", (error) => {
        noteFailure(hostOf(target.url), error);
        this.#lose(detailOf(error), reasonOf(error));
      })
      .on("close", () => this.#lose("closed"))
      .on("response", ({ statusCode }) => this.#loseToAnswer(statusCode))
      .on("information", () => this.#lose("responded before the request"))
      .on("socket", (socket) => this.#follow(socket));
  }

  /** Resolves once connected, with the certificate verified. Rejects with TransportError (`notSent`) if that fails. */
  get connected(): Promise<void> {
    return this.#connected.promise;
  }

  get state(): "opening" | "ready" | "lost" | "used" {
    return this.#state;
  }

  goesTo({ method, url }: Target): boolean {
    return this.#target.method === method && this.#target.url.href === url.href;
  }

  /** Whether the connection is ready, and no byte has crossed it in either direction since its handshake. */
  get isUntouched(): boolean {
    const socket = this.#socket;
    return this.#state === "ready" && socket?.bytesRead === 0 && socket.bytesWritten === 0 && socket.writable;
  }

  /**
   * Returns the request for the caller to write; the caller handles its errors from then on. May be called once, while
   * connected; throws TransportError (`notSent`) otherwise.
   */
  use(): http.ClientRequest {
    if (this.#state !== "ready") {
      throw notSent(this.#target, "unreachable", `the connection is ${this.#state}`);
    }
    this.#state = "used";
    return this.#outgoing;
  }

  close(): void {
    this.#lose("closed");
    this.#outgoing.destroy();
  }

  #follow(socket: Socket): void {
    this.#socket = socket;
    whenConnected(socket, this.#target.url, (isVerified) => {
      if (this.#state !== "opening") return;
      if (!isVerified) this.#lose("the certificate was not verified", "certificate");
      else {
        this.#state = "ready";
        this.#connected.resolve();
      }
    });
  }

  /** A response before the handshake can only come from a proxy; the editor passes it on as if it were the exchange's. */
  #loseToAnswer(status: number | undefined): void {
    const isProxy = this.#target.url.protocol === "https:" && this.#state === "opening";
    this.#lose(`responded before the request (HTTP ${status})`, isProxy ? proxyReason(status) : undefined);
  }

  #lose(detail: string, reason: ConnectionFault = "unreachable"): void {
    if (this.#state === "lost" || this.#state === "used") return;
    this.#state = "lost";
    const why = refusedCertificate(this.#socket) && reason !== "unknownIssuer" ? "certificate" : reason;
    this.#connected.reject(notSent(this.#target, why, detail));
    this.#outgoing.destroy();
  }
}

function notSent({ label }: Target, reason: ConnectionFault, detail: string): TransportError {
  return new TransportError(label, { kind: "notSent", reason }, detail);
}

/**
 * The safe parts of an error, never the error itself: a parser error contains the raw packet, which may echo our headers.
 */
export function detailOf({ code, message }: NodeJS.ErrnoException): string {
  return [code, redact(message)].filter(Boolean).join(": ");
}

const REASONS: ReadonlyMap<string, ConnectionFault> = new Map<string, ConnectionFault>([
  ["ENOTFOUND", "hostNotFound"],
  ["EAI_AGAIN", "hostNotFound"],
  ["ECONNREFUSED", "connectionRefused"],
  // OpenSSL codes of a chain whose root is not known, such as that of a company or an antivirus program.
  ["SELF_SIGNED_CERT_IN_CHAIN", "unknownIssuer"],
  ["UNABLE_TO_GET_ISSUER_CERT", "unknownIssuer"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unknownIssuer"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unknownIssuer"],
]);
/** OpenSSL and Node codes of handshakes that failed for a reason other than the certificate. */
const HANDSHAKE_FAULT = /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/;

/** Whether the server sent something that is not valid HTTP. */
export function isNotHttp({ code = "" }: NodeJS.ErrnoException): boolean {
  return code.startsWith("HPE_");
}

/** Why the connection failed, as far as the network error reveals it. */
function reasonOf(error: NodeJS.ErrnoException): ConnectionFault | undefined {
  const { code = "" } = error;
  if (code === "ERR_PROXY_TUNNEL") return proxyReason((error as { statusCode?: number }).statusCode);
  if (isNotHttp(error)) return "notHttp";
  return REASONS.get(code) ?? (HANDSHAKE_FAULT.test(code) ? "handshake" : undefined);
}

function proxyReason(status: number | undefined): ConnectionFault {
  return status === 407 ? "proxySignIn" : "proxyRefused";
}

/** The public interface of `Connection`, over any network. */
export type OpenConnection = Pick<Connection, keyof Connection>;

/** Starts a request without writing to it. */
function open(target: Target): http.ClientRequest {
  const { method, url } = target;
  const secure = url.protocol === "https:";
  if (!secure && !(url.protocol === "http:" && isLoopback(url))) {
    throw notSent(target, "insecure", "plain http is for this computer only; use https");
  }
  const options: https.RequestOptions = {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method,
    // A server may close a pooled connection while an order is being written, leaving the outcome unknown.
    headers: { Connection: "close" },
    ...attemptTimeout(hostOf(url)),
  };
  try {
    // Loopback has no proxy, and the shared pool may hold connections that others have used.
    if (!secure) return http.request({ ...options, agent: false });
    // Explicit, so that no environment variable disables verification. The context name separates our connections from
    // those of other extensions in the shared pool. Sessions are not resumed, because a resumed session skips the check of
    // the certificate's host.
    return https.request({
      ...options,
      rejectUnauthorized: true,
      sessionIdContext: "bidside",
      session: undefined,
    } as https.RequestOptions);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw notSent(target, "unreachable", `the request cannot be made (${code})`);
  }
}

/** Strips the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/**
 * Calls back when connected, with whether the certificate was verified (true for plain http). Options of the shared agent
 * override those of a request, and any extension may have disabled verification there, so both checks are repeated here.
 */
function whenConnected(socket: Socket, url: URL, use: (isVerified: boolean) => void): void {
  if (url.protocol === "https:") {
    const secured = socket as TLSSocket;
    const check = (): void => use(verifies(secured, url));
    // A socket from a proxy agent may have completed its handshake already.
    if (secured.authorized) check();
    else secured.once("secureConnect", check);
  } else if (socket.connecting) socket.once("connect", () => use(true));
  else use(true);
}

/** Whether the certificate is trusted and belongs to the host of `url`. */
export function verifies(socket: TLSSocket, url: URL): boolean {
  return socket.authorized && namesHost(socket, hostOf(url));
}

/**
 * Whether the certificate belongs to the host. A proxy agent may have resumed a session, which has no certificate: it was
 * checked when the session began.
 */
function namesHost(socket: TLSSocket, host: string): boolean {
  return socket.isSessionReused() || checkServerIdentity(host, socket.getPeerCertificate()) === undefined;
}

function refusedCertificate(socket: Socket | undefined): boolean {
  return Boolean((socket as Partial<TLSSocket> | undefined)?.authorizationError);
}
