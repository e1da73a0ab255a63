import { createClient, type ExchangeClient } from "../../src/exchange/client.ts";
import { testCredentials, testProfile } from "../support/builders/client.ts";

/** Bytes of a ticker answer of `pairs` pairs, in the specification's envelope; `turn` moves one price in `every`. */
export function tickerBytes(pairs: number, turn: number, every = 10): string {
  const entries: string[] = [];
  for (let id = 1; id <= pairs; id += 1) {
    const last = 100 + id + (id % every === turn % every ? (1 + turn) / 100 : 0);
    entries.push(
      `"THB_A${id}":{"id":${id},"last":${last},"lowestAsk":${last + 0.5},"highestBid":${last - 0.5},` +
        `"percentChange":${(id % 700) / 100},"baseVolume":${id * 3.25},"quoteVolume":${id * 325.125},` +
        `"isFrozen":0,"high24hr":${last + 5},"low24hr":${last - 5}}`,
    );
  }
  return `{"error":0,"result":{${entries.join(",")}}}`;
}

/** A client whose service is a buffer: all steps from bytes to tickers, without a network. */
export function clientOf(body: () => Buffer): ExchangeClient {
  return createClient({
    profile: testProfile("http://127.0.0.1:1"),
    credentials: () => Promise.resolve(testCredentials),
    now: Date.now,
    transport: () => Promise.resolve({ status: 200, retryAfter: undefined, body: body() }),
  });
}
