import { foldCandles, foldDays, type Candle } from "../market/candle.ts";
import { intervals, type Interval, type ServedInterval } from "../market/intervals.ts";
import type { Pair } from "../market/pair.ts";
import { RefusedError } from "./errors.ts";
import type { HistoryRequest, HistoryResponse } from "./wire/history.ts";

/** A range of candles: those that begin between `from` and `to`, ms since the epoch. */
interface HistoryRange {
  readonly pair: Pair;
  readonly interval: Interval;
  readonly from: number;
  readonly to: number;
}

/** How many more answers a read may request: a year of hours takes a dozen of 750 candles. */
interface Answers {
  left: number;
}

const MAX_ANSWERS = 20;

/** Reads the candles of an exchange, and aggregates those of an interval that it does not serve. */
export class HistoryReader {
  readonly #request: (request: HistoryRequest) => Promise<HistoryResponse>;
  /** Intervals that the exchange refused, while it served the finer ones. */
  readonly #unserved = new Set<ServedInterval>();

  constructor(request: (request: HistoryRequest) => Promise<HistoryResponse>) {
    this.#request = request;
  }

  /** Sorted by time. `orEarlier`: if the range is empty, those of an equal span that ends with the last candle before. */
  async read(range: HistoryRange, orEarlier = false): Promise<readonly Candle[]> {
    const { interval } = range;
    const answers = { left: MAX_ANSWERS };
    if (interval === "1w") return await this.#aggregated(range, "1d", answers, orEarlier);
    return await this.#served({ ...range, interval }, answers, orEarlier);
  }

  async #served(request: HistoryRequest, answers: Answers, orEarlier: boolean): Promise<readonly Candle[]> {
    const { interval } = request;
    const { finer } = intervals[interval];
    if (finer === undefined || !this.#unserved.has(interval)) {
      try {
        return await this.#candles(request, answers, orEarlier);
      } catch (error) {
        if (!mayLackInterval(error) || finer === undefined) throw error;
        const candles = await this.#aggregated(request, finer, answers, orEarlier).catch(() => undefined);
        // It refuses the pair, not the interval.
        if (!candles) throw error;
        this.#unserved.add(interval);
        return candles;
      }
    }
    return await this.#aggregated(request, finer, answers, orEarlier);
  }

  /** Candles of an interval that the exchange does not serve, each from all of its parts. */
  async #aggregated(
    range: HistoryRange,
    finer: ServedInterval,
    answers: Answers,
    orEarlier: boolean,
  ): Promise<readonly Candle[]> {
    const { ms } = intervals[range.interval];
    const request = { ...withLastPart(range, finer), interval: finer };
    let parts = await this.#served(request, answers, orEarlier);
    let isWhole = false;
    // An exchange may answer with the newest of the requested candles only.
    while (!isWhole && answers.left > 0) {
      const first = parts[0]?.time ?? request.from;
      const to = first - intervals[finer].ms;
      const older = to < request.from ? [] : await this.#served({ ...request, to }, answers, false);
      const added = older.filter(({ time }) => time < first);
      isWhole = added.length === 0;
      parts = [...added, ...parts];
    }
    const candles = range.interval === "1w" ? foldDays(parts) : foldCandles(parts, ms);
    return within(isWhole ? candles : candles.slice(1), range, orEarlier);
  }

  async #candles(request: HistoryRequest, answers: Answers, orEarlier: boolean): Promise<readonly Candle[]> {
    const { from, to } = request;
    answers.left -= 1;
    const { candles, earlier } = await this.#request(request);
    if (!orEarlier || earlier === undefined) return candles;
    return (await this.#request({ ...request, from: earlier - (to - from), to: earlier })).candles;
  }
}

/** The range up to the last part of its last candle. */
function withLastPart<Range extends HistoryRange>(range: Range, finer: ServedInterval): Range {
  return { ...range, to: range.to + intervals[range.interval].ms - intervals[finer].ms };
}

/** Drops a first candle of which the range has only a part, and those after the range. */
function within(
  candles: readonly Candle[],
  { from, to }: HistoryRange,
  orEarlier: boolean,
): readonly Candle[] {
  const isEarlier = orEarlier && (candles.at(-1)?.time ?? from) < from;
  // The span of earlier candles begins anywhere.
  if (isEarlier) return candles.length > 1 ? candles.slice(1) : candles;
  return candles.filter(({ time }) => time >= from && time <= to);
}

/** A history that does not serve an interval answers with an error of its format. */
function mayLackInterval(error: unknown): boolean {
  return error instanceof RefusedError && (error.code === "UDF" || error.httpStatus === 400);
}
