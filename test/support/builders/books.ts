import assert from "node:assert/strict";
import { readBook, type Book, type BookLevel, type Depth } from "../../../src/market/book/book.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";

/** Levels as an exchange writes them: price and size as text. */
export type WrittenLevels = readonly (readonly [price: string, size: string])[];

function levelsOf(written: WrittenLevels): BookLevel[] {
  return written.map(([price, size]) => ({ price: new Decimal(price), size: new Decimal(size) }));
}

export function depthOf(asks: WrittenLevels, bids: WrittenLevels, unreadable = 0): Depth {
  return { asks: levelsOf(asks), bids: levelsOf(bids), unreadable };
}

/** A book that can be used. */
export function bookOf(asks: WrittenLevels, bids: WrittenLevels): Book {
  const book = readBook(depthOf(asks, bids));
  return typeof book === "string" ? assert.fail(`The book is ${book}.`) : book;
}
