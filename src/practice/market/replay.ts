import type { Candle } from "../../market/candle.ts";
import { sampleCandle, type PracticeCandle } from "./candles.ts";
import { QUOTE } from "./listings.ts";
import { marketOf, toStep, type Market, type PracticeTicker, type Quote } from "./market.ts";
import { modulo } from "./noise.ts";

/** Recorded one-minute candles by symbol, sorted by time. */
export type Recording = ReadonlyMap<string, readonly Candle[]>;

export interface ReplayOptions {
  /** When playback starts, ms. */
  readonly startedAt: number;
  /** Playback speed: recorded minutes per minute, 1 to 60. */
  readonly speed: number;
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Share of the price on each side: recorded candles have no spread. */
const HALF_SPREAD = 0.0005;

/**
 * A market that plays recorded prices in a loop, forward and backward from `startedAt`, so it has a price at every time
 * and is the same in every process with the same options. Plays only pairs quoted in THB, under this exchange's symbols
 * whatever their order and case in the recording. Throws if there are none.
 */
export function createReplay(recording: Recording, options: ReplayOptions): Market {
  const recorded = [...recording].flatMap(([name, candles]) => {
    const symbol = practiceSymbol(name);
    return symbol !== undefined && candles.length > 0 ? [[symbol, candles] as const] : [];
  });
  if (recorded.length === 0) throw new Error(`The recording has no prices of a pair with ${QUOTE}.`);
  const times = recorded.flatMap(([, candles]) => candles.map(({ time }) => time));
  const from = times.reduce((least, time) => Math.min(least, time));
  const to = times.reduce((most, time) => Math.max(most, time)) + MINUTE;
  const tape = { ...options, from, lengthMs: to - from };
  const pairs = new Map(
    recorded.map(([symbol, candles], index) => [symbol, new RecordedPair(symbol, index + 1, candles, tape)]),
  );
  return marketOf(pairs);
}

/** A recording with its range and playback options. */
interface Tape extends ReplayOptions {
  readonly from: number;
  readonly lengthMs: number;
}

class RecordedPair {
  readonly frozen = false;
  readonly id: number;
  readonly symbol: string;
  readonly base: string;
  readonly #candles: readonly Candle[];
  readonly #tape: Tape;
  /** Base traded before each candle, and in total at the end. */
  readonly #tradedBefore: readonly number[];
  readonly #high: number;
  readonly #low: number;

  constructor(symbol: string, id: number, candles: readonly Candle[], tape: Tape) {
    this.id = id;
    this.symbol = symbol;
    this.base = symbol.slice(QUOTE.length + 1);
    this.#candles = candles;
    this.#tape = tape;
    const traded = [0];
    for (const { volume = 0 } of candles) traded.push((traded.at(-1) ?? 0) + volume);
    this.#tradedBefore = traded;
    this.#high = candles.reduce((most, { high }) => Math.max(most, high), 0);
    this.#low = candles.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY);
  }

  quoteAt(at: number): Quote {
    const price = this.#priceAt(at);
    return {
      last: toStep(price, Math.round),
      ask: toStep(price * (1 + HALF_SPREAD), Math.ceil),
      bid: toStep(price * (1 - HALF_SPREAD), Math.floor),
    };
  }

  /** High and low of the whole recording, because a day plays most of it or loops it. */
  tickerAt(at: number): PracticeTicker {
    const quote = this.quoteAt(at);
    const open = toStep(this.#priceAt(at - DAY), Math.round);
    const baseVolume = this.#tradedBetween(at - DAY, at);
    return {
      id: this.id,
      symbol: this.symbol,
      frozen: false,
      ...quote,
      open,
      percentChange: Number((((quote.last - open) / open) * 100).toFixed(2)),
      high: Math.max(toStep(this.#high, Math.round), quote.last),
      low: Math.min(toStep(this.#low, Math.round), quote.last),
      baseVolume,
      quoteVolume: Number((baseVolume * quote.last).toFixed(2)),
    };
  }

  candle(from: number, to: number): PracticeCandle {
    const lastAt = (at: number): number => toStep(this.#priceAt(at), Math.round);
    return { ...sampleCandle(lastAt, from, to), volume: this.#tradedBetween(from, to) };
  }

  #tradedBetween(from: number, to: number): number {
    return Number((this.#tradedUntil(to) - this.#tradedUntil(from)).toFixed(8));
  }

  /** Base traded since playback started; negative before that. */
  #tradedUntil(at: number): number {
    const { startedAt, speed, lengthMs } = this.#tape;
    const rounds = Math.floor(((at - startedAt) * speed) / lengthMs);
    const { index, part } = this.#positionAt(at);
    const inRound = (this.#tradedBefore[index] ?? 0) + part * (this.#candles[index]?.volume ?? 0);
    return rounds * (this.#tradedBefore.at(-1) ?? 0) + inRound;
  }

  /** Moves in three equal steps from open over both extremes to close. Constant in gaps between candles. */
  #priceAt(at: number): number {
    const { index, part } = this.#positionAt(at);
    const candle = this.#candles[index];
    if (!candle) return this.#candles[0]?.open ?? 0;
    const { open, high, low, close } = candle;
    const path = close >= open ? [open, low, high, close] : [open, high, low, close];
    const step = Math.min(2, Math.floor(part * 3));
    const [begin = close, end = close] = path.slice(step);
    return begin + (end - begin) * (part * 3 - step);
  }

  /** The candle playing at a time, and its elapsed fraction, 0 to 1; index is −1 before the first one. */
  #positionAt(at: number): { readonly index: number; readonly part: number } {
    const { startedAt, speed, from, lengthMs } = this.#tape;
    const recordedAt = from + modulo((at - startedAt) * speed, lengthMs);
    let [low, high] = [0, this.#candles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#candles[middle]?.time ?? 0) <= recordedAt) low = middle + 1;
      else high = middle;
    }
    const index = low - 1;
    const passed = recordedAt - (this.#candles[index]?.time ?? recordedAt);
    return { index, part: Math.min(1, passed / MINUTE) };
  }
}

/** `THB_BTC` for `THB_BTC` and `BTC_THB` in any case; undefined for a pair without this exchange's quote asset. */
function practiceSymbol(name: string): string | undefined {
  const [first = "", second = "", ...more] = name.toUpperCase().split("_");
  if (more.length > 0 || first === "" || second === "") return undefined;
  if (first === QUOTE) return `${QUOTE}_${second}`;
  return second === QUOTE ? `${QUOTE}_${first}` : undefined;
}
