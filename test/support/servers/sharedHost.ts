import { once } from "node:events";
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";

/** An exchange at which several accounts trade: each API key has an exchange of its own behind one address. */
export interface SharedHost {
  /** The address of all accounts, without a trailing slash. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

/** Relays each request to the exchange of its API key in `exchanges`, and public ones to the first. */
export async function shareHost(exchanges: ReadonlyMap<string, string>): Promise<SharedHost> {
  const [first = ""] = exchanges.values();
  const server = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    const target = exchanges.get(String(headers["x-svc-apikey"])) ?? first;
    const relayed = requestHttp(target + url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    relayed.on("error", () => incoming.socket.destroy());
    incoming.pipe(relayed);
  });
  server.listen(0, HOST);
  await once(server, "listening");
  return {
    baseUrl: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
