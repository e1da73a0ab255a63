import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An exchange that puts markup wherever its answers hold text: symbols, assets, ids, codes and messages. */
export interface MarkupService {
  readonly baseUrl: string;
  /** Bids that arrived. */
  readonly bids: number;
  /** The body, and status, of the answer to the next bids. */
  bidAnswer: { readonly status: number; readonly body: unknown };
  close(): Promise<void>;
}

export async function startMarkupService(markup: readonly string[]): Promise<MarkupService> {
  const entry = { id: 1, last: 100, percentChange: 1, isFrozen: 0 };
  const tickers = Object.fromEntries(["BTC", ...markup].map((base) => [`THB_${base}`, entry]));
  const wallet = Object.fromEntries([["THB", 1_000_000], ...markup.map((asset) => [asset, 1])]);
  let bids = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (path.includes("place-bid")) bids += 1;
    const { status, body } = path.includes("place-bid")
      ? service.bidAnswer
      : { status: 200, body: { error: 0, result: resultOf(path) } };
    request.resume();
    response.writeHead(status, { "Content-Type": "application/json", Connection: "close" });
    response.end(JSON.stringify(body));
  });
  const resultOf = (path: string): unknown => {
    if (path.includes("servertime")) return Math.floor(Date.now() / 1000);
    return path.includes("ticker") ? tickers : wallet;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: MarkupService = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get bids() {
      return bids;
    },
    bidAnswer: { status: 200, body: { error: 0 } },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}
