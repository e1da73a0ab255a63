import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { OrderPlacer } from "../../src/desk/orders/orderPlacer.ts";
import { openStreamedDesk, watchStream, type StreamedDesk } from "../support/desks/streamedDesk.ts";
import { tickerFrame, type FakeSocket } from "../support/fakes/streams.ts";
import { snapshotOf, tickerOf } from "../support/fakes/venue.ts";
import { defaultLimits } from "../../src/market/order.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const SYMBOLS = ["THB_BTC", "THB_ETH"] as const;
type Name = (typeof SYMBOLS)[number];
const STEPS = 40;
/** Below and above the distance from the last price at which a bid is refused (20 %). */
const [ALLOWED, REFUSED] = [1.19, 1.21];
const MAX_GROWTH = 50 * 1024 * 1024;
/** What a lie multiplies a price by. */
const LIES = [0.5, 0.95, 1.05, 1.5];
/** Makes a frame as large as no ticker is. */
const NOTE = `,"note":"${"x".repeat(1_000_000)}"}`;

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Where a price of the run comes from. Each price is used once, so that a shown price names its origin. */
interface Origin {
  readonly kind: "poll" | "frame";
  /** Of a poll: when it was requested; of a frame: when it arrived. */
  readonly at: number;
}

/** One desk before a stream and polls that the run makes up, and what may be shown of both. */
class Run {
  readonly #bench: StreamedDesk;
  readonly #random: Random;
  readonly #origins = new Map<number, Origin>();
  readonly #sent: string[] = [];
  readonly #shown = new Map<Name, Origin>();
  /** The true prices. */
  readonly #truth = new Map<Name, number>([
    ["THB_BTC", 100],
    ["THB_ETH", 10],
  ]);
  #serial = 0;
  /** The time from the request of a poll to its answer. */
  #answerMs = 0;
  /** How often the stream was closed as wrong. */
  #closings = 0;
  #placer: OrderPlacer | undefined;
  readonly counts = { frames: 0, hostile: 0, shown: 0, guarded: 0, streamed: 0 };

  constructor(bench: StreamedDesk, random: Random) {
    this.#bench = bench;
    this.#random = random;
    const first = bench.timers.now();
    for (const last of this.#truth.values()) this.#origins.set(last, { kind: "poll", at: first });
    bench.client.tickersAnswer = async (gate) => {
      gate?.mayStillSend?.();
      const at = bench.timers.now();
      const read = SYMBOLS.map((symbol) =>
        tickerOf(symbol, { last: this.#price(symbol, { kind: "poll", at }) }),
      );
      if (this.#answerMs > 0)
        await new Promise<void>((resolve) => bench.timers.after(this.#answerMs, resolve));
      return snapshotOf(...read);
    };
  }

  async run(): Promise<void> {
    await watchStream(this.#bench);
    this.#placer = this.#bench.desk.placer;
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      this.#check();
    }
  }

  /** A price close to the truth that was never used before. */
  #price(symbol: Name, origin: Origin, factor = 1): number {
    this.#serial += 1;
    const last = Number(((this.#truth.get(symbol) ?? 0) * factor + this.#serial / 1e7).toFixed(7));
    this.#origins.set(last, origin);
    return last;
  }

  get #socket(): FakeSocket | undefined {
    return this.#bench.streams.current.at(-1);
  }

  #send(text: string, socket = this.#socket): void {
    this.counts.frames += 1;
    this.#sent.push(text);
    socket?.frame(text);
  }

  #frame(symbol: Name, factor = 1): string {
    const origin = { kind: "frame", at: this.#bench.timers.now() } as const;
    return tickerFrame(symbol, this.#price(symbol, origin, factor));
  }

  /** A frame, true or not, arrives while a poll is on its way. */
  async #crossReading(symbol: Name): Promise<void> {
    const { timers, desk } = this.#bench;
    this.#answerMs = 300;
    void desk.tickers.refresh();
    await timers.advance(100);
    this.#send(this.#frame(symbol, pick(this.#random, [1, ...LIES])));
    await timers.advance(pick(this.#random, [250, 1500]));
    this.#answerMs = 0;
  }

  async #step(): Promise<void> {
    const { timers, streams, desk } = this.#bench;
    const random = this.#random;
    const symbol = pick(random, SYMBOLS);
    const hostile = (): void => void (this.counts.hostile += 1);
    switch (Math.floor(random() * 19)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        for (const each of SYMBOLS) this.#send(this.#frame(each));
        return await timers.advance(pick(random, [1, 25, 300]));
      case 5:
        this.#socket?.open();
        return await timers.advance(1);
      case 6:
        return await timers.advance(pick(random, [1000, 5000, 20_000, 61_000]));
      case 7:
        return void (await desk.tickers.refresh());
      case 8:
        this.#truth.set(symbol, (this.#truth.get(symbol) ?? 1) * (1 + (random() - 0.5) / 250));
        return;
      case 9:
        hostile();
        this.#socket?.end({
          reason: pick(random, ["lost", "tooLarge", "refused"]),
          status: pick(random, [414, 429, 500]),
        });
        return await timers.advance(pick(random, [0, 2000]));
      case 10: {
        // A socket that was given up still sends.
        const old = pick(random, streams.all);
        if (!old.isClosed) return;
        hostile();
        old.isClosed = false;
        this.#send(this.#frame(symbol), old);
        old.isClosed = true;
        return;
      }
      case 11:
        hostile();
        this.#send(this.#frame(symbol).slice(0, Math.floor(random() * 100)));
        return;
      case 12:
        hostile();
        this.#send(
          pick(random, [
            "",
            "null",
            "[]",
            "<html>",
            "\u0000",
            "[".repeat(50_000),
            '{"stream":"market.ticker.thb_btc"}',
          ]),
        );
        return;
      case 13:
        hostile();
        this.#send(tickerFrame(pick(random, ["THB_DOGE", "BTC_THB", "__proto__", "THB_<img src=x>"]), 1));
        return;
      case 14:
        hostile();
        this.#send(tickerFrame(symbol, pick(random, ["<b>1</b>", "NaN", "-1", "0", "1e400", "1,5", ""])));
        return;
      case 15:
        hostile();
        this.#send(tickerFrame(symbol, 1).slice(0, -1) + NOTE);
        return;
      case 16:
        hostile();
        for (let frame = 0; frame < 3100; frame += 1) this.#socket?.frame('{"event":"global.ticker"}');
        return await timers.advance(1);
      case 17:
        return await this.#crossReading(symbol);
      default:
        hostile();
        this.#send(this.#frame(symbol, pick(random, LIES)));
    }
  }

  #check(): void {
    const { desk } = this.#bench;
    for (const symbol of SYMBOLS) {
      const origin = this.#originOf(desk.tickers.ticker(symbol)?.last);
      const read = desk.tickers.readTicker(symbol)?.last;
      if (!origin || read === undefined) continue;
      this.counts.shown += 1;
      if (origin.kind === "frame") this.counts.streamed += 1;
      this.#checkOrder(symbol, origin);
      this.#checkGuard(symbol, read);
    }
    this.#closings = this.#bench.warnings.length;
  }

  #originOf(last: number | undefined): Origin | undefined {
    const origin = last === undefined ? undefined : this.#origins.get(last);
    if (last !== undefined) assert.ok(origin, `${last} is shown, which nobody sent`);
    return origin;
  }

  /** A price may be replaced by an older one only if the stream that sent it was closed as wrong. */
  #checkOrder(symbol: Name, origin: Origin): void {
    const before = this.#shown.get(symbol);
    this.#shown.set(symbol, origin);
    if (!before || before === origin || origin.at >= before.at) return;
    const wasClosed = before.kind === "frame" && this.#bench.warnings.length > this.#closings;
    assert.ok(wasClosed, `${symbol} shows a price of ${origin.at} after one of ${before.at}`);
  }

  /** The bounds of a bid are those of the newest poll, and its age is the age that counts. */
  #checkGuard(symbol: Name, read: number): void {
    const { desk, timers } = this.#bench;
    const origin = this.#originOf(read);
    assert.equal(origin?.kind, "poll", `a guard of ${symbol} rests on a streamed price`);
    const isOld = desk.tickers.isStale || timers.now() - (origin?.at ?? 0) > defaultLimits.maximumPriceAgeMs;
    const problemsAt = (factor: number): string =>
      (this.#placer ?? assert.fail())
        .problems({ side: "buy", symbol, amount: "1000", rate: String(Number((read * factor).toFixed(8))) })
        .map(({ code }) => code)
        .join();
    assert.equal(problemsAt(ALLOWED), isOld ? "priceTooOld" : "");
    assert.equal(problemsAt(REFUSED), isOld ? "priceTooOld" : "farAboveLast");
    this.counts.guarded += 1;
  }
}

safetyLine(
  34,
  "No guard uses the price of a stream, and none that sends old, doubled, cut, wrong or no prices shows an older price after a newer one",
  async (proof) => {
    const total = { frames: 0, hostile: 0, shown: 0, guarded: 0, streamed: 0 };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const rounds = await proof.each(10_000, async ({ random }) => {
      const bench = await openStreamedDesk();
      const run = new Run(bench, random);
      try {
        await run.run();
      } finally {
        bench.desk.dispose();
      }
      for (const key of ["frames", "hostile", "shown", "guarded", "streamed"] as const)
        total[key] += run.counts[key];
    });
    collectGarbage();
    const growth = process.memoryUsage().heapUsed - before;
    assert.ok(growth < MAX_GROWTH, `memory grew by ${growth} bytes`);
    if (rounds >= 20) assert.ok(total.streamed > 0 && total.hostile > 0);
    return (
      `${rounds} schedules, ${total.frames} frames, ${total.hostile} hostile acts: ${total.shown} shown prices compared, ` +
      `${total.streamed} of them streamed, 0 older ones after newer; ${total.guarded} guards asked, 0 of them used a streamed price; ` +
      `memory grew by ${(Math.max(0, growth) / 1024 / 1024).toFixed(1)} MB`
    );
  },
);
