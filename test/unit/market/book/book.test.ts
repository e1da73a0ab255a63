import assert from "node:assert/strict";
import { MAX_LEVELS, readBook } from "../../../../src/market/book/book.ts";
import { depthOf, type WrittenLevels } from "../../../support/builders/books.ts";

const asks: WrittenLevels = [
  ["101", "2"],
  ["102.5", "0.1"],
];
const bids: WrittenLevels = [
  ["100.5", "1"],
  ["99", "3"],
];

describe("readBook", () => {
  it("gives the offers of both sides and the exact spread", () => {
    const book = readBook(depthOf(asks, bids));
    assert.ok(typeof book !== "string");
    assert.deepEqual([book.asks.length, book.bids.length, book.spread?.toFixed()], [2, 2, "0.5"]);
  });

  it("gives a book with one side, which has no spread", () => {
    for (const depth of [depthOf(asks, []), depthOf([], bids)]) {
      const book = readBook(depth);
      assert.ok(typeof book !== "string");
      assert.equal(book.spread, undefined);
    }
  });

  it("rejects a book without offers", () => {
    assert.equal(readBook(depthOf([], [])), "empty");
  });

  it("rejects a book whose best bid is not below its best ask", () => {
    assert.equal(readBook(depthOf([["100.5", "1"]], bids)), "crossed");
    assert.equal(readBook(depthOf([["100.49999999", "1"]], bids)), "crossed");
    assert.notEqual(readBook(depthOf([["100.50000001", "1"]], bids)), "crossed");
  });

  it("rejects a book with a level that is not above zero, out of order, repeated or unreadable", () => {
    const odd: WrittenLevels[] = [
      [["101", "0"]],
      [["0", "1"]],
      [["-1", "1"]],
      [["101", "-1"]],
      [...asks, ["102.5", "5"]],
      [...asks, ["102", "5"]],
    ];
    for (const each of odd) assert.equal(readBook(depthOf(each, [])), "odd", JSON.stringify(each));
    assert.equal(readBook(depthOf(asks, [...bids, ["99", "1"]])), "odd");
    assert.equal(readBook(depthOf(asks, [...bids, ["99.5", "1"]])), "odd");
    assert.equal(readBook(depthOf(asks, bids, 1)), "odd");
  });

  it("keeps no more levels than it sums", () => {
    const many: WrittenLevels = Array.from({ length: MAX_LEVELS + 5 }, (_, index) => [
      String(index + 1),
      "1",
    ]);
    const book = readBook(depthOf(many, []));
    assert.ok(typeof book !== "string");
    assert.equal(book.asks.length, MAX_LEVELS);
  });
});
