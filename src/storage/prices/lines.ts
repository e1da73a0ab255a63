import { crc32 } from "node:zlib";
import type { Candle } from "../../market/candle.ts";
import type { Pair } from "../../market/pair.ts";

/**
 * Formats one minute of a market as a line: a newline, `checksum minute`, then `;SYMBOL open high low close volume` per
 * pair. Minutes count from the epoch; the checksum is the CRC-32 of everything after it. A pair whose price did not
 * move has one price instead of four; an unknown volume is omitted. Every line is self-contained and starts with its
 * newline, so a torn line before it does no harm, and one pair can be found without parsing the others. A day of 500
 * pairs takes a third of the size of JSON, and a chart searches it in a few milliseconds.
 */
export function formatMinute(time: number, candles: ReadonlyMap<string, Candle>): Buffer {
  const rows = Array.from(candles, ([symbol, candle]) => `;${symbol} ${numbersOf(candle).join(" ")}`);
  const text = `${time / MINUTE_MS}${rows.join("")}`;
  return Buffer.from(`\n${crc32(text).toString(16).padStart(8, "0")} ${text}`);
}

const MINUTE_MS = 60_000;
const NEWLINE = 0x0a;
const ROW_START = 0x3b;
const CHECKSUM_BYTES = 8;
/** Length of the checksum, a space and the longest minute. */
const HEAD = /^([0-9a-f]{8}) (\d{1,10})(?:;|$)/;
const HEAD_BYTES = 20;

function numbersOf({ open, high, low, close, volume }: Candle): number[] {
  const prices = high === low ? [open] : [open, high, low, close];
  return volume === undefined ? prices : [...prices, volume];
}

/**
 * Yields the candles of one pair from `from` until before `to` (ms), in file order. Damaged lines are skipped. Older
 * lines name a pair by its exchange's symbol, which may be base first.
 */
export function* candlesIn(
  content: Buffer,
  { quote, base }: Pair,
  from: number,
  to: number,
): Generator<Candle> {
  const names = [`;${quote}_${base} `, `;${base}_${quote} `].map((name) => Buffer.from(name));
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    const line = content.subarray(start, end);
    start = end + 1;
    const [, checksum = "", minute] = HEAD.exec(line.toString("latin1", 0, HEAD_BYTES)) ?? [];
    const time = Number(minute) * MINUTE_MS;
    if (!(time >= from && time < to)) continue;
    const name = names.find((each) => line.includes(each));
    const row = name ? line.indexOf(name) : -1;
    if (!name || crc32(line.subarray(CHECKSUM_BYTES + 1)) !== Number.parseInt(checksum, 16)) continue;
    const next = line.indexOf(ROW_START, row + name.length);
    const text = line.toString("latin1", row + name.length, next === -1 ? line.length : next);
    const candle = readNumbers(time, text.split(" ").map(Number));
    if (candle) yield candle;
  }
}

/** Yields every candle, in file order. Damaged lines are skipped. */
export function* minutesIn(content: Buffer): Generator<{ readonly symbol: string; readonly candle: Candle }> {
  for (const line of content.toString("latin1").split("\n")) {
    const [, checksum = "", minute] = HEAD.exec(line.slice(0, HEAD_BYTES)) ?? [];
    const text = line.slice(CHECKSUM_BYTES + 1);
    if (minute === undefined || crc32(Buffer.from(text, "latin1")) !== Number.parseInt(checksum, 16))
      continue;
    for (const row of text.split(";").slice(1)) {
      const [symbol = "", ...numbers] = row.split(" ");
      const candle = readNumbers(Number(minute) * MINUTE_MS, numbers.map(Number));
      if (candle) yield { symbol, candle };
    }
  }
}

function readNumbers(time: number, numbers: readonly number[]): Candle | undefined {
  const isFlat = numbers.length < 4;
  const [open = Number.NaN, high = open, low = open, close = open] = isFlat ? numbers.slice(0, 1) : numbers;
  const volume = numbers[isFlat ? 1 : 4];
  const isCandle =
    0 < low && low <= Math.min(open, close) && Math.max(open, close) <= high && high < Infinity;
  return isCandle ? { time, open, high, low, close, volume } : undefined;
}
