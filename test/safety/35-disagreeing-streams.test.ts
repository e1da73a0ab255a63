import assert from "node:assert/strict";
import { openLiveDesk, watchStream, type StreamedDesk } from "../support/desks/streamedDesk.ts";
import { tickerFrame } from "../support/fakes/streams.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

/** Lets time pass with true prices from the stream, one of each pair a second, and small moves of the market. */
async function tellTruth(bench: StreamedDesk, random: Random, seconds: number): Promise<void> {
  const { timers, streams, prices } = bench;
  for (let second = 0; second < seconds; second += 1) {
    for (const [symbol, last] of prices) {
      const moved = Number((last * (1 + (random() - 0.5) / 200)).toFixed(4));
      prices.set(symbol, moved);
      streams.current.at(-1)?.frame(tickerFrame(symbol, moved));
    }
    await timers.advance(1000);
  }
}

safetyLine(
  35,
  "A stream that disagrees with a reading is dropped and said once, its price is gone, and it comes back only by proof",
  async (proof) => {
    const total = { agreed: 0, dropped: 0, liesAgain: 0, back: 0 };
    const rounds = await proof.each(1000, async ({ random }) => {
      const bench = await openLiveDesk();
      const { desk, timers, streams, prices, warnings, client } = bench;
      try {
        // A stream that is right is never dropped, however long.
        await tellTruth(bench, random, 1 + Math.floor(random() * 150));
        assert.equal(desk.stream?.phase, "live");
        assert.deepEqual(warnings, []);
        total.agreed += 1;

        // It lies about one pair, for longer than a reading may be old.
        const symbol = pick(random, [...prices.keys()]);
        const lie = Number(
          ((prices.get(symbol) ?? 0) * pick(random, [0.2, 0.9, 0.98, 1.02, 1.1, 5])).toFixed(4),
        );
        const [reader, before] = [desk.tickers.poll, client.calls.tickers];
        let isOwnReading = false;
        for (let second = 0; second < 75 && desk.stream?.phase === "live"; second += 1) {
          for (const [each, last] of prices)
            streams.current.at(-1)?.frame(tickerFrame(each, each === symbol ? lie : last));
          await timers.advance(1000);
          // The person may read again at any time.
          if (!isOwnReading && second >= 10 && random() < 0.02) {
            isOwnReading = true;
            await reader.refresh();
          }
        }
        assert.equal(desk.stream?.phase, "dropped");
        assert.equal(desk.tickers.ticker(symbol)?.last, prices.get(symbol));
        assert.ok(client.calls.tickers > before);
        assert.deepEqual([warnings.length, streams.current.length], [1, 0]);
        total.dropped += 1;

        // It lies again each time that it is tried, and is not shown once.
        const lies = Math.floor(random() * 3);
        for (let again = 0; again < lies; again += 1) {
          await waitForSocket(bench);
          streams.current[0]?.open();
          for (let second = 0; second < 20 && desk.stream?.phase === "proving"; second += 1) {
            for (const [each, last] of prices)
              streams.current[0]?.frame(tickerFrame(each, each === symbol ? lie : last));
            await timers.advance(1000);
            assert.equal(desk.tickers.ticker(symbol)?.last, prices.get(symbol));
          }
          assert.equal(desk.stream?.phase, "dropped");
          total.liesAgain += 1;
        }
        assert.equal(warnings.length, 1);

        // It tells the truth, and comes back by a reading that agrees.
        await waitForSocket(bench);
        const readings = client.calls.tickers;
        streams.current[0]?.open();
        await tellTruth(bench, random, 3);
        assert.equal(desk.stream?.phase, "live");
        assert.ok(client.calls.tickers > readings);
        assert.equal(warnings.length, 2);
        total.back += 1;
      } finally {
        desk.dispose();
      }
    });
    return (
      `${rounds} streams: ${total.agreed} right ones kept through every reading, ${total.dropped} dropped by the reading after ` +
      `a lie and said once, tried again ${total.liesAgain} times while they lied and never shown, ${total.back} back by proof`
    );
  },
);

/** Until the stream is tried again. */
async function waitForSocket(bench: StreamedDesk): Promise<void> {
  for (let second = 0; second < 700 && bench.streams.current.length === 0; second += 1)
    await bench.timers.advance(1000);
  await watchStream(bench);
}
