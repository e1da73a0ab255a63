import { serveHttp, type LoopbackServer } from "./loopback.ts";

/** An exchange of one pair that counts requests by time and window. Stops by itself after a minute. */
export interface CountedExchange {
  readonly url: string;
  /** The times of the requests for the ticker, ms since the epoch. */
  readonly asked: number[];
  /** The requesting window: the first part of each request's path, as a number. */
  readonly askers: number[];
  /** The number of other requests. */
  readonly others: { wallet: number };
  /** The price from now on. */
  price: number;
  close(): Promise<void>;
}

export async function serveCounted(): Promise<CountedExchange> {
  const asked: number[] = [];
  const askers: number[] = [];
  const others = { wallet: 0 };
  const market = { price: 100 };
  const server: LoopbackServer = await serveHttp(({ path }, response) => {
    if (path.endsWith("/ticker")) {
      asked.push(Date.now());
      askers.push(Number(path.split("/")[1]));
    }
    if (path.endsWith("/wallet")) others.wallet += 1;
    const result = path.endsWith("/servertime")
      ? Date.now()
      : path.endsWith("/ticker")
        ? { THB_BTC: { last: market.price } }
        : { THB: 1000 };
    response.end(JSON.stringify({ error: 0, result }));
  });
  return {
    url: server.url,
    asked,
    askers,
    others,
    get price() {
      return market.price;
    },
    set price(price) {
      market.price = price;
    },
    close: server.close,
  };
}
