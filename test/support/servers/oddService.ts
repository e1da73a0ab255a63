import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A service whose ticker answer is what the test says, for journeys; server time is always right. */
export interface OddService {
  readonly baseUrl: string;
  /** Status and body of every ticker answer from now on. */
  ticker: { readonly status: number; readonly type: string; readonly body: string };
  close(): Promise<void>;
}

export async function startOddService(): Promise<OddService> {
  const server = createServer((request, response) => {
    const answer = request.url?.includes("servertime")
      ? {
          status: 200,
          type: "application/json",
          body: `{"error":0,"result":${Math.floor(Date.now() / 1000)}}`,
        }
      : service.ticker;
    response.writeHead(answer.status, { "Content-Type": answer.type, Connection: "close" });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: OddService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ticker: { status: 200, type: "application/json", body: '{"error":0,"result":{}}' },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}
