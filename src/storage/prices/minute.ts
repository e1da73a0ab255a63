import type { Candle } from "../../market/candle.ts";

/** One minute of a market, as a record of a price file. */
export interface MinuteRecord {
  /** Its start, ms since the epoch. */
  readonly time: number;
  /** Open, high, low, close and, if known, volume, by symbol. */
  readonly candles: Readonly<Record<string, readonly number[]>>;
}

const TIME = /^\{"time":(\d{1,16}),/;

export function minuteRecord(time: number, candles: ReadonlyMap<string, Candle>): MinuteRecord {
  const rows = Array.from(candles, ([symbol, { open, high, low, close, volume }]) => [
    symbol,
    [open, high, low, close, ...(volume === undefined ? [] : [volume])],
  ]);
  return { time, candles: Object.fromEntries(rows) };
}

/**
 * The candle of one pair in a record's JSON; undefined if there is none, or none that is possible. Parses nothing else:
 * a chart reads its pair among the hundreds of each minute.
 */
export function candleIn(json: string, symbol: string): Candle | undefined {
  const start = json.indexOf(`"${symbol}":[`);
  const time = TIME.exec(json)?.[1];
  if (start === -1 || time === undefined) return undefined;
  const row = json.slice(json.indexOf("[", start), json.indexOf("]", start) + 1);
  return candleOf(Number(time), JSON.parse(row));
}

/** All possible candles of a record, by symbol; empty for any other record. */
export function candlesOf(record: unknown): [string, Candle][] {
  const { time, candles } = (record ?? {}) as Partial<MinuteRecord>;
  if (typeof time !== "number" || typeof candles !== "object") return [];
  return Object.entries(candles).flatMap(([symbol, row]) => {
    const candle = candleOf(time, row);
    return candle ? [[symbol, candle]] : [];
  });
}

function candleOf(time: number, row: unknown): Candle | undefined {
  if (!Array.isArray(row) || !row.every(Number.isFinite)) return undefined;
  const [open, high, low, close, volume] = row as [number, number, number, number, number?];
  const isPossible = 0 < low && low <= Math.min(open, close) && Math.max(open, close) <= high;
  return isPossible ? { time, open, high, low, close, volume } : undefined;
}
