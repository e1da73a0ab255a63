import { type Files, thisComputer } from "../../files/computer.ts";
import {
  addSample,
  joinCandles,
  sampleOf,
  startOf,
  tradedBetween,
  type Candle,
  type PriceSample,
} from "../../market/candle.ts";
import { intervals } from "../../market/intervals.ts";
import { symbolPattern, type Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { listPriceFiles, makeRoom, newPriceFile, readPriceFiles, sourceFolder } from "./files.ts";
import type { PriceFile } from "./files.ts";
import { candlesIn, formatMinute } from "./lines.ts";

/**
 * Recorded prices: one-minute candles by source (an exchange's origin) and pair, in files of at most `maximumBytes` in
 * total; the oldest are deleted first. A finished minute is written at once and survives a crash; the current minute
 * does not. One writer at a time, any number of readers. If two windows write by mistake, nothing is lost: their lines
 * for one minute are merged on reading.
 */
export interface PriceHistory {
  /**
   * Adds one poll of a source's market at `at` ms. Frozen pairs and invalid prices are ignored. Throws if the finished
   * minute cannot be written; that minute is lost and the history stays usable.
   */
  record(source: string, at: number, tickers: Iterable<Ticker>): void;
  /** Writes the current minute as is, because another window takes over recording. Throws if the disk fails. */
  pause(): void;
  /** One-minute candles of a pair from `from` until before `to` (ms), by time. Damaged lines are ignored. */
  candles(source: string, pair: Pair, from: number, to: number): Promise<Candle[]>;
}

export interface PriceHistoryOptions {
  /** A dedicated folder. */
  readonly directory: string;
  /** Called before every write. 0: records nothing and deletes nothing. */
  readonly maximumBytes: () => number;
  readonly files?: Files;
}

/** The market of one source in the current minute. */
interface Minute {
  readonly source: string;
  readonly time: number;
  readonly candles: Map<string, Candle>;
}

const MINUTE_MS = intervals["1m"].ms;
/** File size as a share of the maximum, so that little is deleted at a time. */
const FILE_SHARE = 1 / 20;

/** Opens the history in a folder, which need not exist. Touches no file before the first minute ends. */
export function openPriceHistory(options: PriceHistoryOptions): PriceHistory {
  const { directory, maximumBytes, files = thisComputer.files } = options;
  let minute: Minute | undefined;
  let samples = new Map<string, PriceSample>();
  /** The file being written, its source, and the total size of all files as far as this writer knows. */
  let newest: { readonly source: string; file: PriceFile; total: number } | undefined;

  function record(source: string, at: number, tickers: Iterable<Ticker>): void {
    if (maximumBytes() <= 0) {
      [minute, newest, samples] = [undefined, undefined, new Map()];
      return;
    }
    const time = startOf(at, MINUTE_MS);
    const finished = minute && (minute.time !== time || minute.source !== source) ? minute : undefined;
    const before: ReadonlyMap<string, PriceSample> = minute?.source === source ? samples : new Map();
    if (finished || !minute) minute = { source, time, candles: new Map() };
    samples = new Map();
    for (const ticker of tickers) {
      const { symbol } = ticker;
      const sample = sampleOf(ticker, at);
      if (!sample || !symbolPattern.test(symbol)) continue;
      const traded = tradedBetween(before.get(symbol), sample);
      minute.candles.set(symbol, addSample(minute.candles.get(symbol), sample, traded, MINUTE_MS));
      samples.set(symbol, sample);
    }
    if (finished) write(finished);
  }

  function pause(): void {
    const unfinished = minute;
    [minute, samples] = [undefined, new Map()];
    if (unfinished) write(unfinished);
    // Other windows may write and delete from now on.
    newest = undefined;
  }

  function write({ source, time, candles }: Minute): void {
    if (candles.size === 0) return;
    const line = formatMinute(time, candles);
    const maximum = maximumBytes();
    const folder = sourceFolder(directory, source);
    if (newest?.source !== source || newest.total + line.length > maximum) {
      const total = makeRoom(directory, line.length, maximum, files);
      if (total + line.length > maximum) {
        newest = undefined;
        throw new Error(`A minute of prices takes ${line.length} bytes, more than the history may hold.`);
      }
      newest = {
        source,
        file: listPriceFiles(folder, files).at(-1) ?? newPriceFile(folder, time, files),
        total,
      };
    }
    if (newest.file.bytes > 0 && newest.file.bytes + line.length > maximum * FILE_SHARE) {
      newest.file = newPriceFile(folder, time, files);
    }
    const { file, total } = newest;
    newest = undefined;
    files.appendFileSync(file.path, line, { mode: 0o600 });
    newest = {
      source,
      file: { ...file, bytes: file.bytes + line.length },
      total: total + line.length,
    };
  }

  return {
    record,
    pause,
    async candles(source, pair, from, to) {
      const found = new Map<number, Candle>();
      for await (const content of readPriceFiles(sourceFolder(directory, source), from, files)) {
        for (const candle of candlesIn(content, pair, from, to)) {
          const seen = found.get(candle.time);
          found.set(candle.time, seen ? joinCandles(seen, candle, "largest") : candle);
        }
      }
      return [...found.values()].sort((a, b) => a.time - b.time);
    },
  };
}
