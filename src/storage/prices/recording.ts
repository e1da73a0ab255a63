import { joinCandles, type Candle } from "../../market/candle.ts";
import { eachLine } from "../appendLog.ts";
import { candleIn, candlesOf } from "./minute.ts";

/** One-minute candles by time. Two of one minute, which two windows recorded in turn, are merged. */
export class CandlesByTime {
  readonly #candles = new Map<number, Candle>();

  add(candle: Candle): void {
    const seen = this.#candles.get(candle.time);
    this.#candles.set(candle.time, seen ? joinCandles(seen, candle, "largest") : candle);
  }

  sorted(): Candle[] {
    return [...this.#candles.values()].sort((one, other) => one.time - other.time);
  }
}

/** The candles of one pair in a price file, in file order. Damaged lines are skipped. */
export function* pairCandles(content: Buffer, symbol: string): Generator<Candle> {
  for (const { record } of eachLine(content, undefined, (json) => candleIn(json, symbol)))
    if (record !== undefined) yield record as Candle;
}

/** All one-minute candles of a price file, by symbol and time. Damaged lines are skipped. */
export function readRecording(content: Buffer): ReadonlyMap<string, readonly Candle[]> {
  const found = new Map<string, CandlesByTime>();
  for (const { record } of eachLine(content)) {
    for (const [symbol, candle] of candlesOf(record)) {
      let candles = found.get(symbol);
      if (!candles) found.set(symbol, (candles = new CandlesByTime()));
      candles.add(candle);
    }
  }
  return new Map(Array.from(found, ([symbol, candles]) => [symbol, candles.sorted()]));
}
