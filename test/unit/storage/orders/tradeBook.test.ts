import assert from "node:assert/strict";
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import type { AccountRef } from "../../../../src/market/order.ts";
import {
  type CostRecord,
  type FillRecord,
  recordsOf,
} from "../../../../src/storage/orders/placedOrderRecords.ts";
import type { PairTrades } from "../../../../src/storage/orders/tradeBook.ts";
import type { OrderRecord } from "../../../../src/storage/orders/records.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { fold, foldedOrders } from "../../../support/builders/foldedOrders.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
const practice = { venue: "practice", origin: "http://127.0.0.1:40000" } as const;
const btc = { quote: "THB", base: "BTC" };
const entry = { kind: "cost", at: NOON, ...live, ...btc, quantity: "2", cost: "150" } as const;

function fillsOf(
  fills: Parameters<typeof testFill>[],
  changes: Parameters<typeof testReport>[0] = {},
  at = NOON,
  place: typeof live | typeof practice = live,
): FillRecord[] {
  const report = testReport({ ...changes, fills: fills.map((fill) => testFill(...fill)) });
  return recordsOf(report, place, at).filter((record) => record.kind === "fill");
}

/** The trades of all orders that these records are about. */
class Book {
  readonly #folded = foldedOrders();

  addFill(record: FillRecord): void {
    fold(this.#folded, record);
  }
  addSent(record: OrderRecord): void {
    fold(this.#folded, record);
  }
  addCost(record: CostRecord): void {
    fold(this.#folded, record);
  }
  reset(at: number): void {
    fold(this.#folded, { kind: "accountReset", id: randomUUID(), venue: "practice", at });
  }
  get(place: AccountRef, pair: typeof btc): PairTrades | undefined {
    return this.#folded.trades.get(place, pair);
  }
  all(): readonly PairTrades[] {
    return this.#folded.trades.all();
  }
}

function bookOf(...records: readonly FillRecord[]): Book {
  const book = new Book();
  for (const record of records) book.addFill(record);
  return book;
}

const quantities = (known: PairTrades | undefined): string[] | undefined =>
  known?.trades.map(({ side, quantity }) => `${side} ${plainText(quantity)}`);

describe("the trades of a pair", () => {
  it("are its fills in the order of their times, each with its order", () => {
    const book = bookOf(
      ...fillsOf([["2", "3", "110", 2000]]),
      ...fillsOf([["1", "4", "100", 1000]], { side: "buy", orderId: "6" }),
    );
    const known = book.get(live, btc);
    assert.deepEqual(quantities(known), ["buy 4", "sell 3"]);
    assert.deepEqual(
      known?.trades.map(({ orderId, txn, at }) => [orderId, txn, at]),
      [
        ["6", "1", 1000],
        ["7", "2", 2000],
      ],
    );
    // 4 for 401; 3 sold for 330 less 0.825, at a cost of 300.75.
    assert.deepEqual(
      known && [known.average.held, known.average.cost, known.average.realised].map(plainText),
      ["1", "100.25", "28.425"],
    );
    assert.equal(known?.average.since, 1000);
  });

  it("count a fill once, by what was recorded first", () => {
    const [first, second] = [fillsOf([["1", "4"]], {}, NOON), fillsOf([["1", "5"]], {}, NOON + 1)];
    for (const records of [
      [...first, ...second, ...first],
      [...second, ...first],
    ])
      assert.deepEqual(quantities(bookOf(...records).get(live, btc)), ["sell 4"]);
  });

  it("are kept apart for two orders whose fills have the same id", () => {
    const book = bookOf(
      ...fillsOf([["1", "4"]]),
      ...fillsOf([["1", "5"]], { orderId: "8" }),
      ...fillsOf([["1", "6"]], { side: "buy" }),
    );
    assert.equal(book.get(live, btc)?.trades.length, 3);
  });

  it("are separate per pair and account", () => {
    const book = bookOf(...fillsOf([["1", "4"]]));
    assert.equal(book.get(live, { ...btc, base: "ETH" }), undefined);
    assert.equal(book.get(live, { ...btc, quote: "USD" }), undefined);
    assert.equal(book.get({ ...live, account: "2".repeat(16) }, btc), undefined);
    assert.equal(book.get(practice, btc), undefined);
    assert.equal(book.all().length, 1);
    const near = { quote: "TH", base: "BBTC" };
    for (const record of fillsOf([["1", "5"]])) book.addFill({ ...record, ...near });
    assert.deepEqual(
      [quantities(book.get(live, btc)), quantities(book.get(live, near))],
      [["sell 4"], ["sell 5"]],
    );
  });

  it("are listed by their first trade, or by the time of an entered cost", () => {
    const book = new Book();
    const entered = { ...entry, base: "XRP", at: 1500 };
    book.addCost(entered);
    for (const [base, at] of [
      ["ETH", 3000],
      ["BTC", 2000],
      ["LTC", 1000],
    ] as const)
      for (const record of fillsOf([["1", "4", "100", at]], { pair: { ...btc, base } })) book.addFill(record);
    assert.deepEqual(
      book.all().map(({ pair: { base } }) => base),
      ["LTC", "XRP", "BTC", "ETH"],
    );
  });

  it("include fills beyond what lists show of an order placed elsewhere, and none beyond what was ordered", () => {
    for (const [source, counted] of [
      ["list", ["sell 4", "sell 6"]],
      ["info", ["sell 4"]],
    ] as const) {
      const listed = testReport({ source, quantity: new Decimal("4"), fills: [testFill("1", "4")] });
      const folded = foldedOrders(...recordsOf(listed, live, NOON));
      fold(folded, ...fillsOf([["2", "6"]]));
      assert.deepEqual(quantities(folded.trades.get(live, btc))?.toSorted(), counted);
    }
  });

  it("exclude the fills of an order that only events name, until a response confirms it", () => {
    const events = testReport({ source: "push", status: "open", fills: [testFill("1", "4")] });
    const folded = foldedOrders(...recordsOf(events, live, NOON));
    assert.deepEqual([folded.elsewhere.length, folded.trades.get(live, btc)], [1, undefined]);
    fold(folded, ...recordsOf(testReport({ source: "list", status: "open" }), live, NOON + 1));
    assert.deepEqual(quantities(folded.trades.get(live, btc)), ["sell 4"]);
  });

  it("are the same object until one of the pair is added", () => {
    const book = bookOf(...fillsOf([["1", "4"]]));
    const before = book.get(live, btc);
    assert.equal(book.get(live, btc), before);
    for (const record of fillsOf([["1", "4"]])) book.addFill(record);
    assert.equal(book.get(live, btc), before, "the same fill again");
    for (const record of fillsOf([["2", "1"]], { orderId: "8", pair: { ...btc, base: "ETH" } }))
      book.addFill(record);
    assert.equal(book.get(live, btc), before, "a fill of another pair");
    for (const record of fillsOf([["2", "1"]])) book.addFill(record);
    assert.notEqual(book.get(live, btc), before);
  });
});

describe("trades of an own order", () => {
  const accepted = { kind: "outcome", state: "accepted", orderId: "7" } as const;

  /** Sent for 10 BTC to sell, or 1002.5 THB to buy; accepted as order 7. */
  function sent(book: Book, side: "buy" | "sell" = "sell", place: typeof live | typeof practice = live) {
    const intent = bidIntent({
      ...place,
      ...(side === "sell" ? { side, amount: "10" } : { amount: "1002.5" }),
    });
    book.addSent({ kind: "intent", ...intent });
    book.addSent({ ...accepted, id: intent.id, at: NOON });
  }

  it("count up to what was sent: a fill reported again under another id is no second trade", () => {
    for (const side of ["sell", "buy"] as const) {
      const book = new Book();
      sent(book, side);
      const reports = [
        ["a", "6", "100", 1000],
        ["b", "4", "100", 2000],
        ["c", "4", "100", 2000],
      ] as const;
      for (const record of fillsOf(
        reports.map((each) => [...each]),
        { side },
      ))
        book.addFill(record);
      assert.deepEqual(quantities(book.get(live, btc)), [`${side} 6`, `${side} 4`]);
    }
  });

  it("count up to what was sent, whichever window recorded the answer first", () => {
    const book = new Book();
    const intent = bidIntent({ ...live, side: "sell", amount: "10" });
    book.addSent({ ...accepted, id: intent.id, at: NOON });
    for (const record of fillsOf([
      ["a", "10"],
      ["b", "10"],
    ]))
      book.addFill(record);
    assert.deepEqual(quantities(book.get(live, btc)), ["sell 10", "sell 10"]);
    book.addSent({ kind: "intent", ...intent });
    for (const record of fillsOf([["c", "10"]])) book.addFill(record);
    assert.deepEqual(quantities(book.get(live, btc)), ["sell 10"]);
  });

  it("ignore orders placed elsewhere, on another pair, side or account, or never accepted", () => {
    const elsewhere: readonly (readonly [object, typeof live | typeof practice])[] = [
      [{ orderId: "8" }, live],
      [{ side: "buy" }, live],
      [{ pair: { ...btc, base: "ETH" } }, live],
      [{ pair: { ...btc, quote: "USD" } }, live],
      [{}, { ...live, account: "2".repeat(16) } as unknown as typeof live],
      [{}, practice],
    ];
    for (const [changes, place] of elsewhere) {
      const book = new Book();
      sent(book);
      book.addSent({ ...accepted, id: randomUUID(), at: NOON });
      const refused = bidIntent({ ...live, side: "sell", amount: "10" });
      book.addSent({ kind: "intent", ...refused });
      book.addSent({ kind: "outcome", state: "rejected", code: 18, id: refused.id, at: NOON });
      for (const record of fillsOf(
        [
          ["a", "10"],
          ["b", "10"],
        ],
        changes,
        NOON,
        place,
      ))
        book.addFill(record);
      assert.equal(book.all()[0]?.trades.length, 2, JSON.stringify(changes));
    }
  });

  it("know an order of the practice exchange at its new address, but not after a reset of the account", () => {
    const book = new Book();
    sent(book, "sell", practice);
    const moved = { ...practice, origin: "http://127.0.0.1:50000" } as unknown as typeof practice;
    const report = (at: number): void => {
      for (const record of fillsOf(
        [
          ["a", "10"],
          ["b", "10"],
        ],
        {},
        at,
        moved,
      ))
        book.addFill(record);
    };
    report(NOON);
    assert.deepEqual(quantities(book.get(practice, btc)), ["sell 10"]);
    book.reset(NOON + 1);
    report(NOON + 2);
    assert.equal(book.get(practice, btc), undefined, "a late answer about the account before");
  });

  it("are those of the newest order, if a practice account counts from one again", () => {
    const [old, young] = [
      bidIntent({ side: "sell", amount: "1", at: NOON - 1 }),
      bidIntent({ side: "sell", amount: "10" }),
    ];
    for (const intents of [
      [old, young],
      [young, old],
    ]) {
      const book = new Book();
      for (const intent of intents) {
        book.addSent({ kind: "intent", ...intent });
        book.addSent({ ...accepted, id: intent.id, at: intent.at });
      }
      for (const record of fillsOf([["a", "10"]], {}, NOON, practice)) book.addFill(record);
      assert.deepEqual(quantities(book.get(practice, btc)), ["sell 10"]);
    }
  });
});

describe("the results of a pair after each fill", () => {
  it("equal those of all fills together, in any order", () => {
    const fill = fc.record({
      id: fc.nat(30).map(String),
      quantity: fc.constantFrom("1", "2.5", "0.00000001"),
      rate: fc.constantFrom("100", "101.01"),
      at: fc.integer({ min: 1000, max: 1005 }),
      side: fc.constantFrom("buy" as const, "sell" as const),
      isRead: fc.boolean(),
      isSent: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
      cost: fc.option(fc.constantFrom("0", "3"), { nil: undefined }),
    });
    const figures = (book: Book): unknown => {
      const known = book.get(live, btc);
      const { held, cost, realised, soldWithoutCost, since } = known?.average ?? {};
      const sums = [held, cost, realised, soldWithoutCost].map((sum) => sum && plainText(sum));
      return [known?.trades.map(({ id }) => id), sums, since];
    };
    fc.assert(
      fc.property(fc.array(fill, { maxLength: 25 }), (steps) => {
        const book = new Book();
        const added: (() => void)[] = [];
        const whole = new Book();
        for (const [index, { id, quantity, rate, at, side, isRead, isSent, cost }] of steps.entries()) {
          const [record] = fillsOf([[id, quantity, rate, at]], { side }, NOON + index);
          assert.ok(record);
          const intent = bidIntent({
            ...live,
            ...(side === "sell" ? { side, amount: "5" } : { amount: "500" }),
          });
          const add = (to: Book): void => {
            to.addFill(record);
            if (isSent) to.addSent({ kind: "intent", ...intent });
            if (isSent)
              to.addSent({ kind: "outcome", id: intent.id, at: NOON, state: "accepted", orderId: "7" });
            if (cost !== undefined) to.addCost({ ...entry, quantity: cost, at: NOON + index });
          };
          add(book);
          added.push(() => add(whole));
          if (isRead) figures(book);
        }
        for (const add of added) add();
        assert.deepEqual(figures(book), figures(whole));
      }),
      { numRuns: 200 },
    );
  });

  it("are computed incrementally from the last fill", () => {
    const book = bookOf(...fillsOf([["1", "4", "100", 1000]], { side: "buy" }));
    assert.equal(plainText(book.get(live, btc)?.average.held ?? assert.fail()), "4");
    const [first] = book.get(live, btc)?.trades ?? [];
    for (const record of fillsOf([["2", "1", "110", 2000]])) book.addFill(record);
    const known = book.get(live, btc);
    assert.equal(known?.trades[0], first, "the trade read before");
    assert.equal(plainText(known?.average.held ?? assert.fail()), "3");
  });
});

describe("a cost entered by hand", () => {
  it("comes before all fills", () => {
    const book = bookOf(...fillsOf([["1", "1", "100"]]));
    book.addCost(entry);
    const { average, entered } = book.get(live, btc) ?? assert.fail("no trades");
    assert.deepEqual([entered?.at, plainText(average.held), plainText(average.cost)], [NOON, "1", "75"]);
    assert.equal(plainText(average.realised), "24.75");
  });

  it("leaves the start of the result to the first fill, even if the cost was read before it", () => {
    const book = new Book();
    book.addCost(entry);
    assert.equal(book.get(live, btc)?.average.since, undefined);
    for (const record of fillsOf([["1", "1", "100", 1000]])) book.addFill(record);
    const { since, held } = book.get(live, btc)?.average ?? assert.fail();
    assert.deepEqual([since, plainText(held)], [1000, "1"]);
  });

  it("is the latest one, and none after its removal", () => {
    const book = new Book();
    book.addCost({ ...entry, at: NOON + 1, cost: "300" });
    book.addCost(entry);
    const cost = book.get(live, btc)?.entered?.cost;
    assert.equal(cost && plainText(cost), "300");
    book.addCost({ ...entry, at: NOON + 2, quantity: "0", cost: "0" });
    assert.deepEqual([book.get(live, btc), book.all()], [undefined, []]);
  });

  it("is the last of two at the same moment", () => {
    const book = new Book();
    for (const cost of ["300", "400"]) book.addCost({ ...entry, cost });
    const { entered } = book.get(live, btc) ?? assert.fail("no cost");
    assert.equal(entered && plainText(entered.cost), "400");
  });
});

describe("trades of the practice exchange", () => {
  it("stay when its address changes", () => {
    const book = bookOf(...fillsOf([["1", "4"]], {}, NOON, practice));
    assert.ok(book.get({ ...practice, origin: "http://127.0.0.1:50000" }, btc));
  });

  it("end with a reset of the account, and so does an entered cost; those of a live exchange stay", () => {
    const old = fillsOf([["1", "4"]], {}, NOON, practice);
    const book = bookOf(...old, ...fillsOf([["1", "4"]]));
    book.addCost({ ...entry, ...practice, account: undefined });
    book.addCost(entry);
    book.reset(NOON);
    assert.equal(book.get(live, btc)?.entered?.at, NOON);
    for (const record of old) book.addFill(record);
    book.addCost({ ...entry, ...practice, account: undefined });
    assert.equal(book.get(practice, btc), undefined);
    assert.deepEqual(quantities(book.get(live, btc)), ["sell 4"]);
    for (const record of fillsOf([["1", "9"]], { orderId: "8" }, NOON + 1, practice)) book.addFill(record);
    assert.deepEqual(quantities(book.get(practice, btc)), ["sell 9"], "no id is used twice");
    for (const record of fillsOf([["2", "3"]], {}, NOON)) book.addFill(record);
    assert.deepEqual(quantities(book.get(live, btc)), ["sell 4", "sell 3"], "the live account continues");
  });

  it("stay, with an entered cost, if they are newer than a reset that another window recorded", () => {
    const book = bookOf(...fillsOf([["1", "4"]], {}, NOON, practice));
    book.addCost({ ...entry, ...practice, account: undefined });
    book.reset(NOON - 1);
    const { trades, entered } = book.get(practice, btc) ?? assert.fail("no trades");
    assert.deepEqual([trades.length, entered?.at], [1, NOON]);
    const empty = bookOf(...fillsOf([["1", "4"]], {}, NOON, practice));
    empty.reset(NOON);
    assert.equal(empty.get(practice, btc), undefined);
  });
});
