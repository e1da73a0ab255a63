import { joinCandles, type Candle } from "../../market/candle.ts";
import { minutesIn } from "./lines.ts";

/** All one-minute candles of a price file, by symbol and time. Damaged lines are skipped. */
export function readRecording(content: Buffer): ReadonlyMap<string, readonly Candle[]> {
  const found = new Map<string, Map<number, Candle>>();
  for (const { symbol, candle } of minutesIn(content)) {
    let candles = found.get(symbol);
    if (!candles) found.set(symbol, (candles = new Map()));
    const seen = candles.get(candle.time);
    candles.set(candle.time, seen ? joinCandles(seen, candle, "largest") : candle);
  }
  return new Map(
    Array.from(found, ([symbol, candles]) => [
      symbol,
      [...candles.values()].toSorted((one, other) => one.time - other.time),
    ]),
  );
}
