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
    if (interval === "1w") {
      const days = await this.#served({ ...withLastPart(range, "1d"), interval: "1d" }, orEarlier);
      return within(foldDays(days), range, orEarlier);
    }
    return await this.#served({ ...range, interval }, orEarlier);
  }

  async #served(request: HistoryRequest, orEarlier: boolean): Promise<readonly Candle[]> {
    const { interval } = request;
    if (this.#unserved.has(interval)) return await this.#aggregated(request, orEarlier);
    try {
      return await this.#candles(request, orEarlier);
    } catch (error) {
      if (!mayLackInterval(error) || intervals[interval].finer === undefined) throw error;
      const candles = await this.#aggregated(request, orEarlier).catch(() => undefined);
      // It refuses the pair, not the interval.
      if (!candles) throw error;
      this.#unserved.add(interval);
      return candles;
    }
  }

  async #aggregated(request: HistoryRequest, orEarlier: boolean): Promise<readonly Candle[]> {
    const { ms, finer } = intervals[request.interval];
    if (finer === undefined) return [];
    const parts = await this.#candles({ ...withLastPart(request, finer), interval: finer }, orEarlier);
    return within(foldCandles(parts, ms), request, orEarlier);
  }

  async #candles(request: HistoryRequest, orEarlier: boolean): Promise<readonly Candle[]> {
    const { from, to } = request;
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
