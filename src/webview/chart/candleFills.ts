import type { Candle } from "../../market/candle.ts";
import type { FillMark } from "../../protocol/chartMarks.ts";
import { candleAt } from "./candleTimes.ts";

interface CandleFills {
  /** Start of the candle, ms. */
  readonly time: number;
  readonly tone: FillMark["tone"];
  readonly count: number;
}

/** Groups fills by candle and colour, in candle order. Fills before the first candle are dropped. */
export function fillsByCandle(
  fills: readonly Pick<FillMark, "at" | "tone">[],
  candles: readonly Candle[],
): CandleFills[] {
  const counts = new Map<string, CandleFills>();
  for (const { at, tone } of fills) {
    const time = candleAt(candles, at)?.time;
    if (time === undefined) continue;
    const key = `${time} ${tone}`;
    counts.set(key, { time, tone, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) => one.time - other.time || (one.tone === "up" ? -1 : 1));
}
