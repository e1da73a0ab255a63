import { appendFileSync } from "node:fs";
import {
  addReading,
  intervalMs,
  joinCandles,
  readingOf,
  startOf,
  tradedBetween,
  type Candle,
  type PriceReading,
} from "../market/candle.ts";
import type { Ticker } from "../market/ticker.ts";
import { listPriceFiles, makeRoom, newPriceFile, readPriceFiles, sourceFolder } from "./priceFiles.ts";
import type { PriceFile } from "./priceFiles.ts";
import { candlesIn, formatMinute } from "./priceLines.ts";

/**
 * What Bidside itself saw of prices: candles of one minute, by source (an exchange's origin) and pair, in files of at most
 * `maximumBytes` in all, of which the oldest goes first. A finished minute is written at once and survives the end of
 * the process; the minute under way does not. One writer at a time, as many readers as there are. Two that write all
 * the same do no harm: what they wrote of one minute is joined on reading.
 */
export interface PriceHistory {
  /**
   * Takes one reading of a source's whole market, at `at` ms. Frozen pairs and prices that are none are left out.
   * Throws where the disk refuses the minute that ended, which then is lost; the history stays usable.
   */
  record(source: string, at: number, tickers: Iterable<Ticker>): void;
  /** Writes the minute under way, as far as it got: the next reading is somebody else's. Throws where the disk refuses. */
  pause(): void;
  /** A pair's candles of one minute from `from` to before `to` (ms), by time. What is damaged is left out. */
  candles(source: string, symbol: string, from: number, to: number): Promise<Candle[]>;
}

export interface PriceHistoryOptions {
  /** Its own folder. */
  readonly directory: string;
  /** Asked for before every write; 0 records nothing, and deletes nothing. */
  readonly maximumBytes: () => number;
  readonly append?: (path: string, bytes: Buffer) => void;
}

/** The market of one source in the minute under way. */
interface Minute {
  readonly source: string;
  readonly time: number;
  readonly candles: Map<string, Candle>;
}

const MINUTE_MS = intervalMs["1m"];
/** Files are this share of the maximum, so that what is deleted is a little at a time. */
const FILE_SHARE = 1 / 20;

/** Opens the history of a folder, which need not exist yet. Touches no file before the first minute ends. */
export function openPriceHistory(options: PriceHistoryOptions): PriceHistory {
  const { directory, maximumBytes, append = appendPrivately } = options;
  let minute: Minute | undefined;
  let readings = new Map<string, PriceReading>();
  /** Where the newest line went; its folder and how much all files hold, as far as this writer knows. */
  let newest: { readonly source: string; file: PriceFile; total: number } | undefined;

  function record(source: string, at: number, tickers: Iterable<Ticker>): void {
    if (maximumBytes() <= 0) {
      [minute, newest, readings] = [undefined, undefined, new Map()];
      return;
    }
    const time = startOf(at, MINUTE_MS);
    const finished = minute && (minute.time !== time || minute.source !== source) ? minute : undefined;
    const before: ReadonlyMap<string, PriceReading> = minute?.source === source ? readings : new Map();
    if (finished || !minute) minute = { source, time, candles: new Map() };
    readings = new Map();
    for (const ticker of tickers) {
      const { symbol } = ticker;
      const reading = readingOf(ticker, at);
      if (!reading || !isName(symbol)) continue;
      const traded = tradedBetween(before.get(symbol), reading);
      minute.candles.set(symbol, addReading(minute.candles.get(symbol), reading, traded, MINUTE_MS));
      readings.set(symbol, reading);
    }
    if (finished) write(finished);
  }

  function pause(): void {
    const unfinished = minute;
    [minute, readings] = [undefined, new Map()];
    if (unfinished) write(unfinished);
    // Others may write from now on, and delete.
    newest = undefined;
  }

  function write({ source, time, candles }: Minute): void {
    if (candles.size === 0) return;
    const line = formatMinute(time, candles);
    const maximum = maximumBytes();
    const folder = sourceFolder(directory, source);
    if (newest?.source !== source || newest.total + line.length > maximum) {
      const total = makeRoom(directory, line.length, maximum);
      if (total + line.length > maximum) {
        newest = undefined;
        throw new Error(`A minute of prices takes ${line.length} bytes, more than the history may hold.`);
      }
      newest = { source, file: listPriceFiles(folder).at(-1) ?? newPriceFile(folder, time), total };
    }
    if (newest.file.bytes > 0 && newest.file.bytes + line.length > maximum * FILE_SHARE) {
      newest.file = newPriceFile(folder, time);
    }
    const { file, total } = newest;
    newest = undefined;
    append(file.path, line);
    newest = {
      source,
      file: { ...file, bytes: file.bytes + line.length },
      total: total + line.length,
    };
  }

  return {
    record,
    pause,
    async candles(source, symbol, from, to) {
      const found = new Map<number, Candle>();
      for await (const content of readPriceFiles(sourceFolder(directory, source), from)) {
        for (const candle of candlesIn(content, symbol, from, to)) {
          const seen = found.get(candle.time);
          found.set(candle.time, seen ? joinCandles(seen, candle, "largest") : candle);
        }
      }
      return [...found.values()].sort((a, b) => a.time - b.time);
    },
  };
}

function isName(symbol: string): boolean {
  return /^[\w.-]+$/.test(symbol);
}

function appendPrivately(path: string, bytes: Buffer): void {
  appendFileSync(path, bytes, { mode: 0o600 });
}
