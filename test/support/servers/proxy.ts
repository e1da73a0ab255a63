import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** A CONNECT proxy on a random loopback port, and the number of requested tunnels. */
export interface TunnelProxy {
  readonly count: { tunnels: number };
  readonly port: number;
  close(): void;
}

/** Starts a proxy that tunnels, or rejects with an HTTP status; `host` overrides the destination of every tunnel. */
export async function startProxy({
  refuse,
  host,
}: { refuse?: number; host?: string } = {}): Promise<TunnelProxy> {
  const count = { tunnels: 0 };
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", (request, socket: Socket) => {
    count.tunnels += 1;
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} Refused\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), host ?? hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const each of [socket, target]) sockets.add(each.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A proxy left open by a failed test must not keep the process alive.
  server.unref();
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { count, close, port: (server.address() as AddressInfo).port };
}
