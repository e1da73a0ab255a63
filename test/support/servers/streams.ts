import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";

/** No test file takes longer. */
const LIFETIME_MS = 15 * 60_000;

/** A WebSocket server on this computer. */
export interface StreamServer {
  /** `ws://127.0.0.1:PORT` or `wss://`. */
  readonly url: string;
  /** The path of every requested connection, including rejected ones. */
  readonly asked: string[];
  /** The open connections. */
  readonly sockets: ReadonlySet<WebSocket>;
  close(): Promise<void>;
}

export interface StreamServing {
  /** A connection was opened. */
  readonly opened?: (socket: WebSocket, path: string) => void;
  /** Handles all other requests. */
  readonly answer?: RequestListener;
  /** Responds instead of opening: a complete HTTP response, or undefined to open. */
  readonly refuse?: (path: string) => string | undefined;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Serves WebSockets on a random loopback port. Stops by itself after 15 minutes. */
export async function serveStreams({
  opened,
  answer,
  refuse,
  tls,
}: StreamServing = {}): Promise<StreamServer> {
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  const streams = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const asked: string[] = [];
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const path = request.url ?? "";
    asked.push(path);
    socket.on("error", () => undefined);
    const refusal = refuse?.(path);
    if (refusal === undefined)
      streams.handleUpgrade(request, socket, head, (open) => {
        open.on("error", () => undefined);
        opened?.(open, path);
      });
    else socket.end(refusal);
  });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const close = (): Promise<void> => {
    clearTimeout(lifetime);
    for (const socket of streams.clients) socket.terminate();
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  const lifetime = setTimeout(() => void close(), LIFETIME_MS).unref();
  const { port } = server.address() as AddressInfo;
  return { url: `${tls ? "wss" : "ws"}://127.0.0.1:${port}`, asked, sockets: streams.clients, close };
}
