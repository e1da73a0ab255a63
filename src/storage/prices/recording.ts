import { joinCandles, type Candle } from "../../market/candle.ts";
import { minutesIn } from "./lines.ts";

/** All candles of one minute in the content of a file of recorded prices, by symbol, ordered by time. Damaged lines are left out. */
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
