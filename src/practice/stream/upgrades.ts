import type { IncomingMessage, Server } from "node:http";
import { STATUS_CODES } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import type { PracticeSocket } from "./outlet.ts";
import type { PracticeStreams, StreamRefusal } from "./streams.ts";

/** Clients send only short messages. */
const MOST_BYTES = 16 * 1024;

/**
 * Opens the streams requested by HTTP upgrades. `isOurs` filters requests. The returned function terminates all streams and
 * rejects new ones.
 */
export function serveStreams(
  server: Server,
  streams: PracticeStreams,
  isOurs: (request: IncomingMessage) => boolean,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MOST_BYTES,
    // A stalled stream does not respond.
    autoPong: false,
  });
  let isEnded = false;
  server.on("upgrade", (request, connection, head) => {
    connection.on("error", () => connection.destroy());
    const target = request.url ?? "";
    const refused: StreamRefusal | undefined = isOurs(request)
      ? streams.refusal({ target, userAgent: request.headers["user-agent"] })
      : { status: 403 };
    if (isEnded) connection.destroy();
    else if (refused) connection.end(refusalText(refused), () => connection.destroy());
    else sockets.handleUpgrade(request, connection, head, (socket) => follow(socket, target, streams));
  });
  return () => {
    isEnded = true;
    for (const socket of sockets.clients) socket.terminate();
  };
}

function follow(socket: WebSocket, target: string, streams: PracticeStreams): void {
  const send = (write: () => void): void => {
    if (socket.readyState === socket.OPEN) write();
  };
  const way: PracticeSocket = {
    send: (data) => send(() => socket.send(data)),
    ping: () => send(() => socket.ping()),
    pong: () => send(() => socket.pong()),
    close: (code) => socket.close(code),
    drop: () => socket.terminate(),
  };
  const events = streams.open(target, way);
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) events.received(data.toString("utf8"));
  });
  socket.on("ping", () => events.pinged());
  socket.on("close", () => events.ended());
  // The close event follows.
  socket.on("error", () => socket.terminate());
}

function refusalText({ status, location }: StreamRefusal): string {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...(location === undefined ? [] : [`Location: ${location}`]),
    "Content-Length: 0",
    "Connection: close",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}
