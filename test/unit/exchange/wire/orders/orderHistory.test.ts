import assert from "node:assert/strict";
import { decodeOrderHistory } from "../../../../../src/exchange/wire/orders/orderHistory.ts";
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
