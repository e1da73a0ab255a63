// "http" and "https" without "node:", and no agent of our own for https: the extension host replaces exactly these two
// modules to honour the user's proxy and certificate settings, and leaves "node:https" and a caller's agent alone.
import * as http from "http";
import * as https from "https";
import type { Socket } from "node:net";
import { checkServerIdentity, type TLSSocket } from "node:tls";
import { NotSentError, type Endpoint } from "./errors.ts";
import { isLoopback } from "./profile.ts";
import { redact } from "./redact.ts";
import type { Method } from "./sign.ts";

/** Where a request goes. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly method: Method;
  readonly url: URL;
}

/**
 * A connection for one request, which may be opened long before the request is known: nothing is written to it until then.
 * It is a request of the `http` or `https` module whose headers are still open, so that it takes the very way that any other
 * request of the editor takes, through a proxy if need be.
 */
export class Connection {
  readonly #target: Target;
  readonly #outgoing: http.ClientRequest;
  readonly #standing = Promise.withResolvers<void>();
  #socket: Socket | undefined;
  #state: "opening" | "standing" | "lost" | "used" = "opening";

  /** Begins to connect. Throws NotSentError where the target does not allow it. */
  constructor(target: Target) {
    this.#target = target;
    this.#outgoing = open(target);
    // Of a connection that is never used, nobody asks how it ended.
    this.#standing.promise.catch(() => undefined);
    this.#outgoing
      .on("error", (error) => this.#lose(detailOf(error)))
      .on("close", () => this.#lose("closed"))
      .on("response", ({ statusCode }) => this.#lose(`answered before it was asked (HTTP ${statusCode})`))
      .on("information", () => this.#lose("answered before it was asked"))
      .on("socket", (socket) => this.#follow(socket));
  }

  /** Resolves when the connection stands and its certificate is verified. Rejects with NotSentError when it never will. */
  get stands(): Promise<void> {
    return this.#standing.promise;
  }

  get state(): "opening" | "standing" | "lost" | "used" {
    return this.#state;
  }

  goesTo({ method, url }: Target): boolean {
    return this.#target.method === method && this.#target.url.href === url.href;
  }

  /** Whether it stands, and no byte has crossed it in either direction since its handshake. */
  get isUntouched(): boolean {
    const socket = this.#socket;
    return (
      this.#state === "standing" && socket?.bytesRead === 0 && socket.bytesWritten === 0 && socket.writable
    );
  }

  /**
   * The request, to be written by the caller, who also hears of its end from now on. Once only, and while it stands: throws
   * NotSentError otherwise.
   */
  use(): http.ClientRequest {
    if (this.#state !== "standing") {
      throw new NotSentError(this.#target.endpoint, "unreachable", `the connection is ${this.#state}`);
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
        this.#state = "standing";
        this.#standing.resolve();
      }
    });
  }

  #lose(detail: string, reason?: "certificate"): void {
    if (this.#state === "lost" || this.#state === "used") return;
    this.#state = "lost";
    const why = reason ?? (refusedCertificate(this.#socket) ? "certificate" : "unreachable");
    this.#standing.reject(new NotSentError(this.#target.endpoint, why, detail));
    this.#outgoing.destroy();
  }
}

/** The parts of an error that may be told. Never the error itself: a parser's carries the raw packet, which may echo our headers. */
export function detailOf({ code, message }: NodeJS.ErrnoException): string {
  return [code, redact(message)].filter(Boolean).join(": ");
}

/** The request, connecting but with nothing written yet. */
function open({ endpoint, method, url }: Target): http.ClientRequest {
  const secure = url.protocol === "https:";
  if (!secure && !(url.protocol === "http:" && isLoopback(url))) {
    throw new NotSentError(endpoint, "insecure", "plain http is for this computer only; use https");
  }
  const options: https.RequestOptions = {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method,
    // A pooled connection may be closed by the server just as a bid is written to it, and nobody could tell what became of it.
    headers: { Connection: "close" },
  };
  try {
    // On this machine there is no proxy, and the shared pool may hold connections that others have used.
    if (!secure) return http.request({ ...options, agent: false });
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
