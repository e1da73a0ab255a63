import type { Ticker } from "../../market/ticker.ts";
import type { MarketState } from "./tickerFeed.ts";

/** A reading may show a moment of this time before its request: services keep answers for some seconds. */
const SLACK_MS = 10_000;
/** Half a percent: what a price may move between two prices of the stream. */
const TOLERANCE = 0.005;
/** A pair without a price for this time does not hold back the time of all others. */
const QUIET_MS = 4000;
/** Prices of one pair that are kept for comparisons, for 20 s at most. */
const MOST_SAMPLES = 100;

/** What a reading is compared with: a price of the stream, and when it arrived, ms since the epoch. */
interface Sample {
  readonly last: number | undefined;
  readonly frozen: boolean;
  readonly at: number;
}

/** The prices of one pair. */
interface PairPrices {
  /** The newest one, whole. */
  newest: Ticker;
  at: number;
  /** The oldest one first. */
  readonly samples: Sample[];
}

/** The comparison of a stream with a reading. */
export interface Comparison {
  /** How many pairs could be compared. */
  readonly compared: number;
  /** Symbols whose reading shows what the stream did not show at any time that the reading can be of. */
  readonly wrong: readonly string[];
  /** Symbols whose reading shows an earlier price of the stream: the reading may have been kept, or the stream may be wrong. */
  readonly doubtful: ReadonlySet<string>;
}

/** The newest prices of each pair as a stream sent them. Data only: whether the stream may be believed is decided elsewhere. */
export class LivePrices {
  readonly #pairs = new Map<string, PairPrices>();
  /** When the newest price arrived. */
  #at = 0;

  clear(): void {
    this.#pairs.clear();
    this.#at = 0;
  }

  /** A price arrived now. */
  note(ticker: Ticker, at: number): void {
    this.#at = at;
    const { symbol, last, frozen } = ticker;
    const pair = this.#pairs.get(symbol);
    if (!pair) {
      this.#pairs.set(symbol, { newest: ticker, at, samples: [{ last, frozen, at }] });
      return;
    }
    [pair.newest, pair.at] = [ticker, at];
    const { samples } = pair;
    samples.push({ last, frozen, at });
    if (samples.length > MOST_SAMPLES || (samples[0]?.at ?? at) < at - 2 * SLACK_MS) samples.shift();
  }

  /**
   * Compares a reading of the whole market, requested at `readAt`. It must show the price that was the newest one at its request,
   * or a later one. A pair without a price in the 10 s before is not compared. `doubted`: pairs that were doubtful before; these
   * are wrong if they do not agree now.
   */
  compare(tickers: ReadonlyMap<string, Ticker>, readAt: number, doubted: ReadonlySet<string>): Comparison {
    let compared = 0;
    const wrong: string[] = [];
    const doubtful = new Set<string>();
    for (const [symbol, ticker] of tickers) {
      const samples = (this.#pairs.get(symbol)?.samples ?? []).filter(({ at }) => at >= readAt - SLACK_MS);
      if (samples.length === 0) continue;
      compared += 1;
      const current = samples.findLastIndex(({ at }) => at <= readAt);
      const matching = samples.findLastIndex((sample) => agrees(sample, ticker));
      if (matching >= 0 && matching >= current) continue;
      if (matching === -1 || doubted.has(symbol)) wrong.push(symbol);
      else doubtful.add(symbol);
    }
    return { compared, wrong, doubtful };
  }

  /**
   * The market of a reading with the newer prices of the stream, except for the pairs of `pinned`. `readAt` of the result is
   * the oldest arrival of all pairs that are not quiet; each quiet pair has a time of its own.
   */
  merge(
    reading: MarketState & { readonly readAt: number },
    now: number,
    pinned: ReadonlySet<string>,
  ): MarketState {
    const tickers = new Map(reading.tickers);
    const quiet = new Map<string, number>();
    const since = Math.max(reading.readAt, now - QUIET_MS);
    let readAt = now;
    for (const symbol of reading.tickers.keys()) {
      const pair = pinned.has(symbol) ? undefined : this.#pairs.get(symbol);
      const isNewer = pair !== undefined && pair.at > reading.readAt;
      const at = isNewer ? pair.at : reading.readAt;
      if (isNewer) tickers.set(symbol, pair.newest);
      if (at < since) quiet.set(symbol, at);
      else if (at < readAt) readAt = at;
    }
    return { ...reading, tickers, readAt, live: { at: Math.max(this.#at, reading.readAt), quiet } };
  }
}

function agrees(a: Sample, b: Ticker): boolean {
  if (a.frozen !== b.frozen) return false;
  if (a.last === undefined || b.last === undefined) return a.last === b.last;
  return Math.abs(a.last - b.last) <= TOLERANCE * b.last;
}
