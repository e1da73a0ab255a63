import assert from "node:assert/strict";
import { Decimal } from "../../../../../src/market/numbers/decimal.ts";
import {
  decodeOrderHistory,
  historyParameters,
  type HistoryQuery,
} from "../../../../../src/exchange/wire/orders/orderHistory.ts";
import type { AmountOfBuys } from "../../../../../src/exchange/wire/orders/fillFigures.ts";
import { answerRead, inEnvelope, withPlainDecimals } from "../../../../support/builders/answers.ts";
import { matchInBase, matchInQuote } from "../../../../support/builders/orderRows.ts";

const asked = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" }, askedAt: 77 };

interface Read {
  readonly orders: readonly Record<string, unknown>[];
  readonly unreadable: readonly string[];
  readonly next?: unknown;
}

function decode(rows: unknown, pagination?: unknown, unit: AmountOfBuys = "base"): Read | undefined {
  return decodeText(inEnvelope(rows, "B", pagination === undefined ? {} : { pagination }), unit);
}

function decodeText(text: string, unit: AmountOfBuys = "base"): Read | undefined {
  return withPlainDecimals(decodeOrderHistory(answerRead(text, "orderHistory"), asked, { usual: unit })) as
    | Read
    | undefined;
}

const fill = {
  id: "BTC-7",
  at: 1_755_850_086_843,
  rate: "2500000",
  quantity: "0.0004",
  value: "1000",
  fee: "2.5",
  isMaker: true,
};
const report = {
  source: "history",
  ...asked,
  orderId: "68a82a0e",
  clientId: "BS-1",
  side: "buy",
  fills: [fill],
  closedAt: 1_755_850_086_900,
};

describe("historyParameters", () => {
  const of = (query: HistoryQuery, isOldest: boolean): object =>
    JSON.parse(JSON.stringify(historyParameters(query, isOldest))) as object;
  const range = { from: 1_999, to: 2_001, limit: 10 };

  it("asks the oldest generation for numbered pages, and for a range of whole seconds that includes it", () => {
    assert.deepEqual(of(range, true), { p: 1, lmt: 10, start: 1, end: 3 });
    assert.deepEqual(of({ ...range, position: { page: 2 } }, true), { p: 2, lmt: 10, start: 1, end: 3 });
    assert.deepEqual(of({}, true), { p: 1 });
  });

  it("asks the other generations for the page at a cursor, and for a range of ms", () => {
    const keyset = { pagination_type: "keyset" };
    assert.deepEqual(of(range, false), { lmt: 10, start: 1_999, end: 2_001, ...keyset });
    assert.deepEqual(of({ position: { cursor: "abc" } }, false), { ...keyset, cursor: "abc" });
  });

  it("continues as the previous page states, whatever the generation", () => {
    assert.deepEqual(of({ position: { page: 2 } }, false), { p: 2 });
    assert.deepEqual(of({ position: { cursor: "abc" } }, true), { pagination_type: "keyset", cursor: "abc" });
  });
});

describe("decodeOrderHistory", () => {
  it("reads a match whose amount is in base or quote, as indicated by its fee", () => {
    for (const unit of ["base", "quote"] as const) {
      assert.deepEqual(decode([matchInBase], undefined, unit), { orders: [report], unreadable: [] });
      assert.deepEqual(decode([matchInQuote], undefined, unit)?.orders, [report]);
    }
  });

  it("reads rows of numbers with times in seconds, and an order that is still open", () => {
    const row = { ...matchInBase, side: "SELL", amount: 0.0004, rate: 2.5e6, fee: 2.5, ts: 1_755_850_086 };
    const read = decode([{ ...row, order_closed_at: null, is_maker: undefined }]);
    const { isMaker, ...rest } = fill;
    assert.ok(isMaker);
    const { closedAt, ...open } = report;
    assert.ok(closedAt);
    assert.deepEqual(read?.orders, [{ ...open, side: "sell", fills: [{ ...rest, at: 1_755_850_086_000 }] }]);
  });

  it("reads the short field names of an order response", () => {
    const { side, client_id, ...row } = matchInBase;
    assert.deepEqual(decode([{ ...row, sd: side, ci: client_id }])?.orders, [report]);
  });

  it("groups the matches of a page by order", () => {
    const rows = [
      matchInBase,
      { ...matchInBase, order_id: "2", txn_id: "BTC-8", client_id: null },
      { ...matchInBase, txn_id: "BTC-9", client_id: "", order_closed_at: null },
    ];
    const orders = decode(rows)?.orders ?? [];
    const fillsOf = (order: Record<string, unknown>): unknown[] => order["fills"] as unknown[];
    assert.deepEqual(
      orders.map((order) => [order["orderId"], order["clientId"], fillsOf(order).length]),
      [
        ["68a82a0e", "BS-1", 2],
        ["2", undefined, 1],
      ],
    );
  });

  it("counts a match that fits neither unit as unclear, and does not sum it", () => {
    const read = decode([{ ...matchInBase, amount: "1000.00", fee: "25.00" }]);
    assert.deepEqual([read?.orders[0]?.["fills"], read?.orders[0]?.["unclearFills"]], [[], 1]);
  });

  describe("of a buy that may spend 1000 THB", () => {
    /** Values of the fills of matches for which both units are possible. */
    function valuesOf(...changes: object[]): unknown {
      const row = { ...matchInBase, amount: "1000", rate: "0.5", fee: "1" };
      const rows = changes.map((each, index) => ({ ...row, txn_id: String(index), ...each }));
      const payload = answerRead(inEnvelope(rows, "B"), "orderHistory");
      const orderedOf = (orderId: string) => (orderId === row.order_id ? new Decimal("1000") : undefined);
      const page = decodeOrderHistory(payload, asked, { usual: "quote" }, orderedOf);
      const read = withPlainDecimals(page) as { orders: { fills: { value: string }[] }[] };
      return read.orders.flatMap(({ fills }) => fills.map(({ value }) => value));
    }

    it("takes the unit in which the matches are the whole order, once that is closed", () => {
      assert.deepEqual(valuesOf({}), ["999"]);
      assert.deepEqual(valuesOf({ amount: "500" }, { amount: "500" }), ["499", "499"]);
      assert.deepEqual(valuesOf({ amount: "1998" }), ["999"]);
    });

    it("does not take an open order for a filled one", () => {
      assert.deepEqual(valuesOf({ order_closed_at: null }), []);
    });

    it("does not take a closed order for a filled one if a match has no fee", () => {
      assert.deepEqual(valuesOf({ fee: "0" }), []);
      assert.deepEqual(valuesOf({ amount: "500" }, { amount: "500", fee: "0" }), []);
    });

    it("takes no unit in which the matches exceed the order", () => {
      assert.deepEqual(valuesOf({ rate: "33", fee: "0", order_closed_at: null }), ["1000"]);
    });
  });

  it("counts a duplicate match once, and not at all if the figures differ", () => {
    assert.deepEqual(decode([matchInBase, matchInBase])?.orders, [report]);
    for (const change of [
      { ts: matchInBase.ts + 1000 },
      { rate: "2500001" },
      { amount: "0.0004001" },
      { fee: "2.51" },
    ]) {
      const other = { ...matchInBase, ...change };
      const [order] = decode([matchInBase, other, matchInBase])?.orders ?? [];
      assert.deepEqual([order?.["fills"], order?.["unclearFills"]], [[], 1], JSON.stringify(change));
    }
  });

  it("takes the same match of two orders as two fills", () => {
    const sell = { ...matchInBase, order_id: "3", side: "sell" };
    assert.deepEqual(
      decode([matchInBase, sell])?.orders.map(({ orderId, side }) => [orderId, side]),
      [
        ["68a82a0e", "buy"],
        ["3", "sell"],
      ],
    );
  });

  const odd: [what: string, changes: object][] = [
    ["no order id", { order_id: undefined }],
    ["no id of the match", { txn_id: null }],
    ["no side", { side: "" }],
    ["another pair", { sym: "THB_ETH" }],
    ["another side than its order", { side: "sell" }],
  ];
  for (const [what, changes] of odd) {
    it(`leaves a row with ${what} out, and keeps the others`, () => {
      const read = decode([matchInBase, { ...matchInBase, txn_id: "BTC-8", ...changes }]);
      assert.deepEqual([read?.orders, read?.unreadable], [[report], ["#1"]]);
    });
  }

  it("treats another shape, or only unreadable rows, as unknown", () => {
    for (const rows of [{}, "x", 5, [null], [{}]]) assert.equal(decode(rows), undefined);
    assert.deepEqual(decode(null), { orders: [], unreadable: [] });
  });

  const pages: [pagination: unknown, next: unknown][] = [
    [undefined, undefined],
    [{ cursor: "abc==", has_next: true }, { cursor: "abc==" }],
    [{ cursor: "abc==", has_next: false }, undefined],
    [{ cursor: "abc==" }, undefined],
    [{ cursor: "", has_next: true }, undefined],
    [{ cursor: "", next: 2 }, { page: 2 }],
    [{ cursor: "abc==", has_next: false, next: 2 }, undefined],
    [{ cursor: "a b", has_next: true }, undefined],
    [{ cursor: "x".repeat(1025), has_next: true }, undefined],
    [{ page: 1, last: 10, next: 2, prev: null }, { page: 2 }],
    [{ page: "1", next: "2" }, { page: 2 }],
    [{ page: 10, last: 10, next: null }, undefined],
    [{ next: 0 }, undefined],
    [{ next: -1 }, undefined],
    [{ next: 1e9 }, undefined],
    ["next", undefined],
    [[2], undefined],
  ];
  for (const [pagination, next] of pages) {
    it(`reads ${JSON.stringify(pagination)?.slice(0, 60)} as ${next ? "a further page" : "the end"}`, () => {
      assert.deepEqual(decode([], pagination)?.next, next);
    });
  }
});
