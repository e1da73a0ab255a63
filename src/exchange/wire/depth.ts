import type { BookLevel, Depth } from "../../market/book/book.ts";
import type { Payload } from "./payload.ts";
import { amountOf, fieldsOf, listOf, positiveOf } from "./fields.ts";

/**
 * Decodes an order book, bare (A) or enveloped (B). Levels are sorted, and those of size zero are dropped. Undefined for
 * another shape, or if none of the levels could be read.
 */
export function decodeDepth({ content, repeated }: Payload): Depth | undefined {
  const book = fieldsOf(content);
  const sides = [listOf(book["asks"]), listOf(book["bids"])] as const;
  if (!sides[0] || !sides[1] || repeated) return undefined;
  const [askRows, bidRows] = [sides[0].filter(isLevel), sides[1].filter(isLevel)];
  const [asks, bids] = [levelsOf(askRows), levelsOf(bidRows)];
  const unreadable = askRows.length + bidRows.length - asks.length - bids.length;
  if (unreadable > 0 && asks.length + bids.length === 0) return undefined;
  return {
    asks: asks.sort((a, b) => a.price.cmp(b.price)),
    bids: bids.sort((a, b) => b.price.cmp(a.price)),
    unreadable,
  };
}

function levelsOf(entries: readonly unknown[]): BookLevel[] {
  return entries.flatMap((entry) => {
    const [price, size] = figuresOf(entry).map(positiveOf);
    return price && size ? [{ price, size }] : [];
  });
}

/** False for size zero. */
function isLevel(entry: unknown): boolean {
  const [price, size] = figuresOf(entry);
  return !(positiveOf(price) && amountOf(size)?.eq("0"));
}

function figuresOf(entry: unknown): readonly [unknown, unknown] {
  const [price, size] = Array.isArray(entry) ? (entry as unknown[]) : [];
  return [price, size];
}
