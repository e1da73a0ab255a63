import type { BookLevel, Depth } from "../../market/book/book.ts";
import { Decimal } from "../../market/numbers/decimal.ts";

/** A reading may show a moment of this time before its request: services keep answers for some seconds. */
const SLACK_MS = 10_000;
const MOST_SAMPLES = 100;
/** Half a percent: what the best price of a side may move between two frames. */
const TOLERANCE = new Decimal("0.005");
/** What the sum of a side may change between two frames. A size in quote differs by far more. */
const MOST_TIMES = new Decimal("10");
const NOTHING = new Decimal("0");

/** A book of the stream, and when it arrived, ms since the epoch. */
interface Sample {
  readonly depth: Depth;
  readonly at: number;
}

/**
 * The comparison of a stream with a reading. `earlier`: the reading shows an earlier book of the stream; it may have been kept
 * by the exchange, or the stream may be wrong. `wrong`: the reading shows what the stream did not show at any time.
 */
export type BookComparison = "agrees" | "earlier" | "wrong";

/** The newest books of one pair as a stream sent them. Data only: whether they may be believed is decided elsewhere. */
export class BookSamples {
  #samples: Sample[] = [];

  get newest(): Sample | undefined {
    return this.#samples.at(-1);
  }

  clear(): void {
    this.#samples = [];
  }

  note(depth: Depth, at: number): void {
    this.#samples.push({ depth, at });
    const isTooOld = (this.#samples[0]?.at ?? at) < at - 2 * SLACK_MS;
    if (isTooOld || this.#samples.length > MOST_SAMPLES) this.#samples.shift();
  }

  /**
   * Compares a reading that was requested at `readAt`. It must show the book that was the newest one at its request, or a
   * later one. Undefined if no book came since 10 s before the request.
   */
  compare(reading: Depth, readAt: number): BookComparison | undefined {
    const samples = this.#samples.filter(({ at }) => at >= readAt - SLACK_MS);
    if (samples.length === 0) return undefined;
    const current = samples.findLastIndex(({ at }) => at <= readAt);
    const matching = samples.findLastIndex(({ depth }) => agrees(depth, reading));
    if (matching === -1) return "wrong";
    return matching >= current ? "agrees" : "earlier";
  }
}

/** Whether best prices and sizes of both sides are as near as those of one book at two near moments. */
function agrees(told: Depth, read: Depth): boolean {
  return sidesAgree(told.asks, read.asks) && sidesAgree(told.bids, read.bids);
}

function sidesAgree(told: readonly BookLevel[], read: readonly BookLevel[]): boolean {
  const [best, bestRead] = [told[0], read[0]];
  if (!best || !bestRead) return best === bestRead;
  if (best.price.minus(bestRead.price).abs().gt(bestRead.price.times(TOLERANCE))) return false;
  const levels = Math.min(told.length, read.length);
  const [sum, sumRead] = [sumOf(told, levels), sumOf(read, levels)];
  return sum.lte(sumRead.times(MOST_TIMES)) && sumRead.lte(sum.times(MOST_TIMES));
}

function sumOf(side: readonly BookLevel[], levels: number): Decimal {
  return side.slice(0, levels).reduce((sum, { size }) => sum.plus(size), NOTHING);
}
