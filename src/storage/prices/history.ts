import { type Files, thisSystem } from "../../files/operatingSystem.ts";
import { addSample, sampleOf, tradedBetween, type Candle, type PriceSample } from "../../market/candle.ts";
import { intervals, startOf } from "../../market/intervals.ts";
import { pairKey, symbolPattern, type Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import { type AppendLog, isNewerLog, openAppendLog } from "../appendLog.ts";
import {
  type PriceFile,
  listPriceFiles,
  makeRoom,
  newPriceFile,
  readPriceFiles,
  sourceFolder,
} from "./files.ts";
import { minuteRecord } from "./minute.ts";
import { CandlesByTime, pairCandles } from "./recording.ts";

/**
 * Recorded prices: one-minute candles by source (an account's id) and pair, in files of at most `maximumBytes` in
 * total; the oldest are deleted first. A finished minute is written at once and survives a crash; the current minute
 * does not. One writer at a time, any number of readers. Two halves of a minute from two writers in turn are merged on
 * reading.
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
  /** Called once per file that a newer version wrote. Its prices are missing from the candles. */
  readonly onNewer?: (path: string) => void;
}

/** The market of one source in the current minute. */
interface Minute {
  readonly source: string;
  readonly time: number;
  readonly candles: Map<string, Candle>;
}

/** The file being written. */
interface OpenFile {
  readonly source: string;
  readonly log: AppendLog;
  bytes: number;
  /** The size of all files, as far as this writer knows. */
  total: number;
}

const MINUTE_MS = intervals["1m"].ms;
/** File size as a share of the maximum, so that little is deleted at a time. */
const FILE_SHARE = 1 / 20;
/**
 * What a line adds to its record at most: a sequence number, a checksum, a newline that a killed writer left out, and
 * the header of a new file.
 */
const LINE_BYTES = 53;

/** Opens the history in a folder, which need not exist. Touches no file before the first minute ends. */
export function openPriceHistory(options: PriceHistoryOptions): PriceHistory {
  const { directory, maximumBytes, files = thisSystem.files } = options;
  let minute: Minute | undefined;
  let samples = new Map<string, PriceSample>();
  let open: OpenFile | undefined;
  const newer = new Set<string>();

  function record(source: string, at: number, tickers: Iterable<Ticker>): void {
    if (maximumBytes() <= 0) {
      [minute, samples] = [undefined, new Map()];
      close();
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
    close();
  }

  function close(): void {
    open?.log.close();
    open = undefined;
  }

  function write({ source, time, candles }: Minute): void {
    if (candles.size === 0) return;
    const record = minuteRecord(time, candles);
    const bytes = Buffer.byteLength(JSON.stringify(record)) + LINE_BYTES;
    const maximum = maximumBytes();
    if (open?.source !== source || open.total + bytes > maximum || !open.log.isAtPath()) {
      close();
      const total = makeRoom(directory, bytes, maximum, files);
      if (total + bytes > maximum)
        throw new Error(`A minute of prices takes ${bytes} bytes, and ${total} of ${maximum} are in use.`);
      const newest = listPriceFiles(sourceFolder(directory, source), files).at(-1);
      const isOurs = newest && !isNewerLog(files.readFileSync(newest.path));
      open = openFile(source, isOurs ? newest : undefined, time, total);
    }
    if (open.bytes > 0 && open.bytes + bytes > maximum * FILE_SHARE) {
      const { total } = open;
      close();
      open = openFile(source, undefined, time, total);
    }
    try {
      open.log.append(record);
    } catch (error) {
      // Whatever is in the file now is measured before the next minute.
      close();
      throw error;
    }
    open.bytes += bytes;
    open.total += bytes;
  }

  function openFile(source: string, newest: PriceFile | undefined, time: number, total: number): OpenFile {
    const { path, bytes } = newest ?? newPriceFile(sourceFolder(directory, source), time, files);
    return { source, log: openAppendLog({ path, sync: false, files }), bytes, total };
  }

  function skip(path: string): void {
    if (!newer.has(path)) options.onNewer?.(path);
    newer.add(path);
  }

  return {
    record,
    pause,
    async candles(source, pair, from, to) {
      const found = new CandlesByTime();
      for await (const content of readPriceFiles(sourceFolder(directory, source), from, files, skip)) {
        for (const candle of pairCandles(content, pairKey(pair)))
          if (from <= candle.time && candle.time < to) found.add(candle);
      }
      return found.sorted();
    },
  };
}
