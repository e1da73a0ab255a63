import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from "node:net";

/** No test file takes longer. */
const LIFETIME_MS = 15 * 60_000;

/** One request as the server received it. */
export interface SeenRequest {
  readonly method: string;
  /** The path in the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface LoopbackServer {
  readonly url: string;
  readonly port: number;
  readonly seen: SeenRequest[];
  /** Connections accepted, and bytes received over all of them; for https, bytes before decryption. */
  readonly traffic: { connections: number; bytes: number };
  close(): Promise<void>;
}

export type Answer = (
  request: SeenRequest,
  response: Parameters<RequestListener>[1],
  nth: number,
) => void | Promise<void>;

/** The same response to every request. */
export function answerOf(status: number, body: string | Buffer, headers?: OutgoingHttpHeaders): Answer {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}

/**
 * An HTTP server on a random loopback port that stores all requests. Stops by itself after a minute without a connection,
 * and after 15 minutes.
 */
export function serveHttp(answer: Answer, tls?: { key: string; cert: string }): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const each = { method, path: url, headers, body: Buffer.concat(chunks) };
      seen.push(each);
      void answer(each, response, seen.length);
    });
    response.on("error", () => undefined);
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  return start(server, seen, tls ? "https" : "http");
}

/** A server of raw bytes: `respond` gets each socket when a whole request head has arrived. */
export function serveRaw(respond: (socket: Socket) => void): Promise<LoopbackServer> {
  const seen: SeenRequest[] = [];
  const server = createRawServer((socket) => {
    socket.on("error", () => undefined);
    let received = "";
    socket.on("data", (chunk) => {
      const before = received.includes("\r\n\r\n");
      received += chunk.toString("latin1");
      if (before || !received.includes("\r\n\r\n")) return;
      const [method = "", path = ""] = received.split(" ", 2);
      seen.push({ method, path, headers: {}, body: Buffer.alloc(0) });
      respond(socket);
    });
  });
  return start(server, seen, "http");
}

async function start(server: Server, seen: SeenRequest[], scheme: string): Promise<LoopbackServer> {
  const traffic = { connections: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  const end = setTimeout(() => void close(), LIFETIME_MS);
  server.on("connection", (socket: Socket) => {
    traffic.connections += 1;
    sockets.add(socket);
    socket.on("close", () => {
      traffic.bytes += socket.bytesRead;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function close(): Promise<void> {
    clearTimeout(end);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  const { port } = server.address() as AddressInfo;
  return { url: `${scheme}://127.0.0.1:${port}`, port, seen, traffic, close };
}
