import { createClient, type ExchangeClient } from "../../src/exchange/client.ts";
import { compareTickers, type Ticker } from "../../src/market/ticker.ts";
import { testCredentials, testProfile } from "../support/builders/client.ts";
import { tickerBytes } from "./market.ts";
import { against, ratioFigure, type Figure } from "./measure.ts";

/** A client whose service is a buffer: all steps from bytes to tickers, without a network. */
export function clientOf(body: () => Buffer): ExchangeClient {
  return createClient({
    profile: testProfile("http://127.0.0.1:1"),
    credentials: () => Promise.resolve(testCredentials),
    now: Date.now,
    transport: () => Promise.resolve({ status: 200, retryAfter: undefined, body: body() }),
  });
}

/** Decoding an answer and comparing it with the one before. The floor is `JSON.parse` of the same bytes. */
export async function decodingFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [pairs, times, rounds] of [
    [500, 200, 9],
    [5000, 20, 9],
    // More rounds: each has so few runs that a single cleaning of the memory counts.
    [50_000, 3, 21],
  ] as const) {
    const answers = Array.from({ length: 4 }, (_, turn) => Buffer.from(tickerBytes(pairs, turn)));
    let turn = 0;
    const next = (): Buffer => answers[(turn += 1) % answers.length] ?? Buffer.of();
    const client = clientOf(next);
    let before: ReadonlyMap<string, Ticker> = new Map();
    const result = await against(
      async () => {
        const { tickers } = await client.tickers();
        compareTickers(before, tickers);
        before = tickers;
      },
      () => JSON.parse(next().toString()),
      { rounds, times },
    );
    figures.push(
      ratioFigure(
        `decode ${pairs}`,
        `decode and diff ${pairs.toLocaleString("en")} pairs (floor: JSON.parse)`,
        result,
        3,
      ),
    );
  }
  return figures;
}
