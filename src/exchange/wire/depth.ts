import type { Decimal } from "../../market/numbers/decimal.ts";
import type { Payload } from "./envelope.ts";
import { fieldsOf, listOf, positiveOf } from "./fields.ts";

/** Price in quote per one base, size in base. */
interface DepthLevel {
  readonly price: Decimal;
  readonly size: Decimal;
}

/** The order book of a pair, best level first on both sides. */
export interface Depth {
  readonly asks: readonly DepthLevel[];
  readonly bids: readonly DepthLevel[];
  /** How many levels were left out. */
  readonly unreadable: number;
}

/**
 * An order book, bare (A) or from an envelope (B). The levels are put in order, and one of size zero is none. Undefined
 * for another shape, or if there were levels and none could be read.
 */
export function decodeDepth({ content, repeated }: Payload): Depth | undefined {
  const book = fieldsOf(content);
  const sides = [listOf(book["asks"]), listOf(book["bids"])] as const;
  if (!sides[0] || !sides[1] || repeated) return undefined;
  const [asks, bids] = [levelsOf(sides[0]), levelsOf(sides[1])];
  const unreadable = sides[0].length + sides[1].length - asks.length - bids.length;
  if (unreadable > 0 && asks.length + bids.length === 0) return undefined;
  return {
    asks: asks.sort((a, b) => a.price.cmp(b.price)),
    bids: bids.sort((a, b) => b.price.cmp(a.price)),
    unreadable,
  };
}

function levelsOf(entries: readonly unknown[]): DepthLevel[] {
  return entries.flatMap((entry) => {
    const [first, second] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const [price, size] = [positiveOf(first), positiveOf(second)];
    return price && size ? [{ price, size }] : [];
  });
}
