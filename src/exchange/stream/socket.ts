import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
// The package names "http" and "https" without "node:", so it takes the editor's proxy and certificates as they are
// described in ../http/connection.ts.
import { WebSocket, type ClientOptions } from "ws";
import { verifies } from "../http/connection.ts";
import { isLoopback } from "../loopback.ts";
import { targetOf, type ServiceProfile } from "../profile.ts";
import { redact } from "../redact.ts";

/**
 * Why a stream ended. `silent`: nothing came for too long; `flood`: more came than any market has. `status`: the HTTP
 * status of a refused connection. `detail` is safe for the log.
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
  readonly detail: string;
}

/** The callbacks of a socket. None is called after `close`, or after `ended`. */
export interface SocketEvents {
  /** The connection is ready and its certificate is verified. */
  readonly opened: () => void;
  /** One text frame of at most 1 MB. Frames of other types are left out. */
  readonly frame: (text: string) => void;
  /** The socket is gone. Called once, also if it never opened. */
  readonly ended: (end: StreamEnd) => void;
}

/** A connection of a stream, open or opening. */
export interface StreamSocket {
  /** Sends a text frame. Nothing happens unless the socket is open. */
  send(text: string): void;
  /** Ends the connection at once. No callback is called afterwards. */
  close(): void;
}

/**
 * Opens a socket. Never throws: failures are reported to `ended`, later. `headers`: in addition to those of a
 * WebSocket.
 */
export type OpenSocket = (
  url: URL,
  events: SocketEvents,
  headers?: Readonly<Record<string, string>>,
) => StreamSocket;

/** A larger frame ends its connection before it is read whole. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** The address of a stream: that of the profile, or the same at another host, with the scheme of WebSockets. */
export function streamUrl(profile: ServiceProfile, path: string, host?: string): URL {
  const url =
    host === undefined ? targetOf(profile, path) : new URL(path, `${profile.baseUrl.protocol}//${host}`);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}

/** Opens a socket over the network, as the port `OpenSocket` describes it. Redirects are refused. */
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
    return { send: () => undefined, close: () => (isOver = true) };
  }
  const options: ClientOptions = {
    headers,
    followRedirects: false,
    // A compressed megabyte may become any size.
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
    // Explicit, so that no environment variable turns verification off.
    rejectUnauthorized: true,
    ...(!isSecure && { agent: false as never }),
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
  socket.on("error", (error) => finish(endOf(error)));
  socket.on("close", (code) => finish({ reason: "lost", detail: `closed (${code})` }));
  return {
    send: (text) => {
      if (!isOver && socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => {
      isOver = true;
      socket.terminate();
    },
  };
};

function refusalOf({ statusCode = 0 }: IncomingMessage): StreamEnd {
  const reason = statusCode >= 300 && statusCode < 400 ? "redirect" : "refused";
  return { reason, status: statusCode, detail: `HTTP ${statusCode}` };
}

/** The codes of certificates that OpenSSL or Node refused. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/;

function endOf({ code = "", message }: NodeJS.ErrnoException): StreamEnd {
  const detail = [code, redact(message)].filter(Boolean).join(": ");
  if (code.startsWith("WS_ERR_UNSUPPORTED_MESSAGE_LENGTH")) return { reason: "tooLarge", detail };
  return { reason: CERTIFICATE.test(code) ? "certificate" : "lost", detail };
}
