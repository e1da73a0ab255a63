/**
 * A separate process: a server at 127.0.0.1 that prints its port and then accepts no connection until a line arrives on its
 * input. The system completes the handshakes of two connections; later ones wait.
 */
import { readSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";

const BODY = '{"error":0,"result":{"THB_BTC":{"last":1}}}';
const RESPONSE = `HTTP/1.1 200 OK\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`;

const server = createServer((socket) => {
  socket.on("error", () => undefined).on("data", () => socket.end(RESPONSE));
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`, () => {
    readSync(0, Buffer.alloc(1));
    process.stdin.on("end", () => process.exit(0)).resume();
  });
});
