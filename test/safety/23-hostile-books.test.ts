import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeBookFrame } from "../../src/exchange/wire/bookFrames.ts";
import { decodeDepth } from "../../src/exchange/wire/depth.ts";
import { decodeTrades } from "../../src/exchange/wire/trades.ts";
import { readBook, type BookLevel, type Depth } from "../../src/market/book/book.ts";
import type { PublicTrade } from "../../src/market/book/publicTrade.ts";
import { parseExact } from "../../src/exchange/wire/exactJson.ts";
import { plainText } from "../../src/market/numbers/decimal.ts";
import { markup } from "../support/builders/hostileMessages.ts";
import { safetyLine } from "./safetyLine.ts";

/** A figure as an exchange might write it: mostly a price near 100, as a number or a text, else anything. */
const figure = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 90, max: 110 }).map(String) },
  { weight: 4, arbitrary: fc.integer({ min: 90, max: 110 }).map((value) => `"${value}"`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "-1",
      "0",
      "1e400",
      "1e-400",
      "9".repeat(80),
      "0.1e-7",
      "null",
      "[]",
      "{}",
      "true",
      '"NaN"',
      '"0x10"',
      ...markup.map((text) => JSON.stringify(text)),
    ),
  },
);
const list = (entry: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(entry, { maxLength: 6 }).map((entries) => `[${entries.join()}]`);
const odd = fc.constantFrom("null", "{}", '"<b>"', "7", "[[]]", "[null]");
const mostly = (usual: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
const tuple = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((values) => `[${values.join()}]`);

const level = mostly(tuple(figure, figure));
const streamedLevel = mostly(
  fc
    .tuple(figure, figure)
    .map(([price, size]) => `{"price":${price},"base_volume":${size},"quote_volume":"<i>"}`),
);
const trade = mostly(
  tuple(
    fc.oneof(figure, fc.constantFrom("1700000000", "1700000000000", '"1700000001"')),
    figure,
    figure,
    fc.constantFrom('"BUY"', '"SELL"', '"buy<script>"', "null", "1"),
  ),
);
/** Both sides, in any order, crossed or not, with doubled keys now and then. */
const book = (entry: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(mostly(list(entry)), mostly(list(entry)), fc.nat(20))
    .map(([asks, bids, chance]) => `{"asks":${asks},"bids":${bids}${chance === 0 ? ',"asks":[]' : ""}}`);
const frame = fc
  .tuple(
    fc.oneof(
      book(streamedLevel).map((data) => ["depthchanged", data]),
      mostly(list(trade)).map((rows) => ["tradeschanged", `[${rows},[],[]]`]),
    ),
    fc.constantFrom("1", "1", "1", "1", '"1"', "2", '"<b>"'),
    fc.nat(30),
  )
  .map(([[event, data], id, cut]) => {
    const text = `{"event":"${event}","data":${data},"pairing_id":${id}}`;
    return cut === 0 ? text.slice(0, -3) : text;
  });

const PLAIN = /^\d+(?:\.\d+)?$/;

/** What a person, a page or a guard gets of a book is digits only, in order, above zero and not crossed. */
function checkBook({ asks, bids }: Pick<Depth, "asks" | "bids">): void {
  const [ask, bid] = [asks[0], bids[0]];
  if (ask && bid) assert.ok(bid.price.lt(ask.price), "crossed");
  for (const [side, isWorse] of [
    [asks, (one: BookLevel, next: BookLevel) => next.price.gt(one.price)],
    [bids, (one: BookLevel, next: BookLevel) => next.price.lt(one.price)],
  ] as const)
    for (const [index, each] of side.entries()) {
      const next = side[index + 1];
      assert.ok(each.price.gt("0") && each.size.gt("0"));
      assert.ok(!next || isWorse(each, next), "no order");
      for (const text of [plainText(each.price), plainText(each.size)]) assert.match(text, PLAIN);
    }
}

function checkTrades(trades: readonly PublicTrade[]): void {
  for (const [index, { at, rate, size, side }] of trades.entries()) {
    assert.ok(Number.isSafeInteger(at) && at > 0 && at >= (trades[index + 1]?.at ?? 0));
    assert.ok(side === "buy" || side === "sell");
    for (const text of [plainText(rate), plainText(size)]) assert.match(text, PLAIN);
  }
}

safetyLine(
  23,
  "A hostile order book or trade is refused, or shown as plain figures in their order, by request and by stream",
  async (proof) => {
    const count = { used: 0, refused: 0, trades: 0, nothing: 0 };
    const take = (depth: Depth | undefined): void => {
      const read = depth && readBook(depth);
      if (read === undefined) count.nothing += 1;
      else if (typeof read === "string") count.refused += 1;
      else {
        checkBook(read);
        count.used += 1;
      }
    };
    const takeTrades = (trades: readonly PublicTrade[] | undefined): void => {
      checkTrades(trades ?? []);
      if (trades) count.trades += 1;
      else count.nothing += 1;
    };
    const payload = (text: string) => ({ content: parseExact(text), enveloped: true, status: 200 });
    const rounds = await proof.property(
      20_000,
      fc.property(book(level), mostly(list(trade)), frame, (depthText, tradesText, frameText) => {
        take(decodeDepth(payload(depthText)));
        takeTrades(decodeTrades(payload(tradesText)));
        const news = decodeBookFrame(frameText, 1);
        if (news && "depth" in news) take(news.depth);
        else takeTrades(news?.trades);
      }),
    );
    if (rounds >= 500)
      assert.ok(count.used > rounds / 20 && count.refused > rounds / 20 && count.trades > rounds / 20);
    return `${3 * rounds} hostile books and trades by request and stream: ${count.refused} books refused, ${count.nothing} not read, ${count.used} books and ${count.trades} lists of trades used, each with plain figures above zero, in order and not crossed`;
  },
);
