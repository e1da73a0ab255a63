import assert from "node:assert/strict";
import { openLiveDesk, type StreamedDesk } from "../support/desks/streamedDesk.ts";
import { tickerFrame } from "../support/fakes/streams.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const LONGEST_WAIT_S = 600;

/** Lets time pass with a frame of each pair a second, and small moves of the market. One pair's price may be wrong. */
async function stream(
  bench: StreamedDesk,
  random: Random,
  seconds: number,
  lie?: { readonly symbol: string; readonly factor: number },
): Promise<void> {
  const { timers, streams, prices } = bench;
  for (let second = 0; second < seconds; second += 1) {
    for (const [symbol, last] of prices) {
      const moved = Number((last * (1 + (random() - 0.5) / 200)).toFixed(4));
      prices.set(symbol, moved);
      const factor = lie?.symbol === symbol ? lie.factor : 1;
      streams.current.at(-1)?.frame(tickerFrame(symbol, Number((moved * factor).toFixed(4))));
    }
    await timers.advance(1000);
  }
}

safetyLine(
  35,
  "A stream that contradicts two polls in a row is closed and logged once, its price is dropped, and it is retried with backoff",
  async (proof) => {
    const total = { correct: 0, closed: 0, again: 0, back: 0 };
    const rounds = await proof.each(1000, async ({ random }) => {
      const bench = await openLiveDesk();
      const { desk, timers, streams, prices, warnings, client } = bench;
      try {
        // A correct stream is never closed, however long.
        await stream(bench, random, 1 + Math.floor(random() * 150));
        assert.deepEqual([streams.all.length, warnings], [1, []]);
        total.correct += 1;

        const symbol = pick(random, [...prices.keys()]);
        const lie = { symbol, factor: pick(random, [0.2, 0.9, 0.97, 1.03, 1.1, 5]) };
        const lies = 1 + Math.floor(random() * 3);
        for (let time = 1; time <= lies; time += 1) {
          // One poll may come before the first wrong price.
          const before = client.calls.tickers;
          while (streams.current.length > 0) {
            assert.ok(client.calls.tickers - before <= 3, "open after three polls");
            await stream(bench, random, 1, lie);
          }
          assert.equal(desk.tickers.ticker(symbol)?.last, desk.tickers.readTicker(symbol)?.last);
          assert.equal(warnings.length, time);
          const closedFor = await secondsUntilSocket(bench);
          assert.ok(closedFor >= 15 * 2 ** (time - 1) - 1, `tried again after ${closedFor} s`);
          streams.current[0]?.open();
          if (time > 1) total.again += 1;
        }
        total.closed += 1;

        // Its prices are correct from now on.
        await stream(bench, random, 60);
        assert.deepEqual([streams.current.length, warnings.length], [1, lies]);
        await timers.advance(10);
        streams.current[0]?.frame(tickerFrame(symbol, (prices.get(symbol) ?? 0) + 0.0001));
        await timers.advance(50);
        assert.ok(desk.tickers.streamedPrice(symbol));
        total.back += 1;
      } finally {
        desk.dispose();
      }
    });
    return (
      `${rounds} streams: ${total.correct} stayed open while correct, ${total.closed} closed by the second poll in a row ` +
      `that they contradicted, ${total.again} more times when they were wrong again, each logged once, and ${total.back} back once correct`
    );
  },
);

async function secondsUntilSocket({ timers, streams }: StreamedDesk): Promise<number> {
  for (let second = 0; second < LONGEST_WAIT_S; second += 1) {
    if (streams.current.length > 0) return second;
    await timers.advance(1000);
  }
  return assert.fail("never tried again");
}
