import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
// This package imports "http" and "https" without "node:", so it uses the editor's proxy and certificates, as
// ../http/connection.ts explains.
import { WebSocket, type ClientOptions } from "ws";
import { hostOf, verifies } from "../../http/connection.ts";
import { isLoopback } from "../../http/loopback.ts";
import { targetOf } from "../call.ts";
import type { ServiceProfile } from "../profile.ts";
import { pauseMs } from "../rateLimits.ts";
import { redact } from "../../http/redact.ts";
import { attemptTimeout, noteFailure } from "../../http/slowHosts.ts";

/**
 * Why a stream ended. `silent`: no frame arrived for too long. `flood`: more frames arrived than any market produces.
 * `status`: the HTTP status of a rejected connection. `pauseMs`: how long the exchange wants no other one. `detail` is safe
 * to log.
 */
export interface StreamEnd {
  readonly reason:
    | "insecure"
    | "certificate"
    | "refused"
    | "redirect"
    | "tooLarge"
    | "lost"
    | "silent"
    | "flood";
  readonly status?: number | undefined;
  readonly pauseMs?: number | undefined;
  readonly detail: string;
}

/** Callbacks of a socket. None is called after `close` or `ended`. */
export interface SocketEvents {
  /** The connection is ready and its certificate is verified. */
  readonly opened: () => void;
  /** A text frame of at most 1 MB. Other frames are ignored. */
  readonly frame: (text: string) => void;
  /** The response to a ping. */
  readonly pong?: () => void;
  /** The socket closed or failed to open. Called once. */
  readonly ended: (end: StreamEnd) => void;
}

/** A stream's connection, open or opening. */
export interface StreamSocket {
  /** Sends a text frame. Does nothing unless the socket is open. */
  send(text: string): void;
  /** Sends a WebSocket ping. Does nothing unless the socket is open. */
  ping(): void;
  /** Terminates the connection immediately. No callback is called afterwards. */
  close(): void;
}

/**
 * Opens a socket. Never throws: failures are reported asynchronously to `ended`. `headers` are added to those of the
 * WebSocket handshake.
 */
export type OpenSocket = (
  url: URL,
  events: SocketEvents,
  headers?: Readonly<Record<string, string>>,
) => StreamSocket;

/** A larger frame ends the connection before all of it is received. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** The WebSocket URL of a stream: the path below the profile's base URL, or at `host` if given. */
export function streamUrl(profile: ServiceProfile, path: string, host?: string): URL {
  const url =
    host === undefined
      ? targetOf(profile.baseUrl, path)
      : new URL(path, `${profile.baseUrl.protocol}//${host}`);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

/** Opens a socket over the network. Redirects are not followed. */
export const openWebSocket: OpenSocket = (url, events, headers = {}) => {
  const end = Promise.withResolvers<StreamEnd>();
  let isOver = false;
  void end.promise.then((found) => {
    if (isOver) return;
    isOver = true;
    events.ended(found);
  });
  const isSecure = url.protocol === "wss:";
  if (!isSecure && !(url.protocol === "ws:" && isLoopback(url))) {
    end.resolve({ reason: "insecure", detail: "plain ws is for this computer only" });
    return { send: () => undefined, ping: () => undefined, close: () => (isOver = true) };
  }
  const options: ClientOptions = {
    headers,
    followRedirects: false,
    // A compressed frame could expand to any size.
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    // Explicit, so that no environment variable disables verification.
    rejectUnauthorized: true,
    ...(!isSecure && { agent: false as never }),
    ...attemptTimeout(hostOf(url)),
  };
  const socket = new WebSocket(url, options);
  const finish = (found: StreamEnd): void => {
    end.resolve(found);
    socket.terminate();
  };
  socket.on("upgrade", (response) => {
    if (isSecure && !verifies(response.socket as TLSSocket, url))
      finish({ reason: "certificate", detail: "the certificate was not verified" });
  });
  socket.on("unexpected-response", (_, response) => {
    finish(refusalOf(response));
  });
  socket.on("open", () => !isOver && events.opened());
  socket.on("message", (data, isBinary) => {
    if (!isOver && !isBinary) events.frame(String(data));
  });
  socket.on("pong", () => !isOver && events.pong?.());
  socket.on("error", (error) => {
    noteFailure(hostOf(url), error);
    finish(endOf(error));
  });
  socket.on("close", (code) => finish({ reason: "lost", detail: `closed (${code})` }));
  return {
    send: (text) => {
      if (!isOver && socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    ping: () => {
      if (!isOver && socket.readyState === WebSocket.OPEN) socket.ping();
    },
    close: () => {
      isOver = true;
      socket.terminate();
    },
  };
};

function refusalOf({ statusCode: status = 0, headers }: IncomingMessage): StreamEnd {
  const reason = status >= 300 && status < 400 ? "redirect" : "refused";
  const pause = pauseMs(status, headers, Date.now());
  return { reason, status, detail: `HTTP ${status}`, ...(pause !== undefined && { pauseMs: pause }) };
}

/** OpenSSL and Node error codes for rejected certificates. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/;

function endOf({ code = "", message }: NodeJS.ErrnoException): StreamEnd {
  const detail = [code, redact(message)].filter(Boolean).join(": ");
  if (code.startsWith("WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")) return { reason: "tooLarge", detail };
  return { reason: CERTIFICATE.test(code) ? "certificate" : "lost", detail };
}
