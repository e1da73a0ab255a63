import type { IncomingMessage, Server } from "node:http";
import { STATUS_CODES } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import type { PracticeSocket } from "./session.ts";
import type { PracticeStreams } from "./streams.ts";

/** Clients send only short messages. */
const MAX_BYTES = 16 * 1024;

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
    maxPayload: MAX_BYTES,
  });
  let isEnded = false;
  server.on("upgrade", (request, connection, head) => {
    connection.on("error", () => connection.destroy());
    const target = request.url ?? "";
    const refused = isOurs(request)
      ? streams.refusal({ target, userAgent: request.headers["user-agent"] })
      : 403;
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
    close: (code) => socket.close(code),
  };
  const events = streams.open(target, way);
  socket.on("message", (data, isBinary) => {
    if (!isBinary && Buffer.isBuffer(data)) events.received(data.toString("utf8"));
  });
  socket.on("close", () => events.ended());
  // The close event follows.
  socket.on("error", () => socket.terminate());
}

function refusalText(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}
