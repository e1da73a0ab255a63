import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import {
  filledShare,
  hasEnded,
  isUnlisted,
  knownOrder,
  openQuantity,
} from "../../../../src/market/orders/knownOrder.ts";
import { testFill, testKnown } from "../../../support/builders/reports.ts";

describe("the ordered figures of an order", () => {
  const amount = new Decimal("1000");

  it("are what a buy spends, and its quantity as an estimate", () => {
    const known = testKnown([{ side: "buy", amount }]);
    assert.deepEqual([known.amount, known.quantity], [amount, new Decimal("10")]);
  });

  it("are the quantity of a sell alone, even if a list shows more", () => {
    const row = { source: "list", status: "open", quantity: new Decimal("12") } as const;
    const known = testKnown([{}, row]);
    assert.deepEqual([known.amount, known.quantity], [undefined, new Decimal("10")]);
  });

  it("are those of a list if no response states more", () => {
    const known = testKnown([{ source: "list", side: "buy", amount, status: "open" }]);
    assert.deepEqual([known.ordered, known.amount], [undefined, amount]);
  });
});

describe("the id of an order", () => {
  it("is the one seen open last, or the given one if no response has named any", () => {
    const seen = [{ source: "list", status: "open", askedAt: 1 }] as const;
    const renamed = { source: "list", status: "open", orderId: "8", otherIds: ["7"], askedAt: 2 } as const;
    assert.equal(testKnown([...seen, renamed]).orderId, "8");
    const state = { ...testKnown([{}]), currentId: undefined };
    assert.equal(knownOrder(state, "9").orderId, "9");
  });
});

describe("an order that left the open orders", () => {
  it("is unlisted until an end explains it", () => {
    const absent = [0, 60_000].map((at) => ({ source: "absent", at, orderId: "7" }) as const);
    const unlisted = testKnown([{ status: "open", askedAt: -1 }], ...absent);
    assert.deepEqual([isUnlisted(unlisted), hasEnded(unlisted)], [true, false]);
    const cancelled = testKnown([{ status: "cancelled", askedAt: -1 }], ...absent);
    assert.deepEqual([isUnlisted(cancelled), hasEnded(cancelled)], [false, true]);
  });
});

describe("the filled share of an order", () => {
  const shareOf = (...reports: readonly Partial<OrderReport>[]): string | undefined =>
    filledShare(testKnown(reports))?.toFixed();

  it("is the filled part of the quantity of a sell", () => {
    assert.equal(shareOf({ fills: [testFill("1", "4")] }), "0.4");
  });

  it("is the spent part of the amount of a buy", () => {
    assert.equal(shareOf({ side: "buy", amount: new Decimal("2005"), fills: [testFill("1", "10")] }), "0.5");
  });

  it("is the larger of the fills and of the difference to what remains", () => {
    assert.equal(shareOf({ fills: [testFill("1", "4")], remaining: new Decimal("3") }), "0.7");
    assert.equal(shareOf({ fills: [testFill("1", "8")], remaining: new Decimal("3") }), "0.8");
  });

  it("counts what a list no longer shows, although no fill is known", () => {
    const row = { source: "list", status: "open", quantity: new Decimal("3") } as const;
    assert.equal(shareOf({}, row), "0.7");
  });

  it("is less than 1 until all is filled", () => {
    assert.equal(shareOf({ fills: [testFill("1", "9.99999")] }), "0.9999");
    assert.equal(shareOf({ status: "filled", quantity: undefined }), "1");
  });

  it("is unknown if the ordered amount is unknown", () => {
    assert.equal(shareOf({ quantity: undefined, fills: [testFill("1", "4")] }), undefined);
  });

  it("is the filled part of the estimate for a buy without an amount", () => {
    assert.equal(shareOf({ side: "buy", fills: [testFill("1", "4")] }), "0.4");
    assert.equal(shareOf({ side: "buy", remaining: new Decimal("3") }), "0.7");
  });

  it("is between 0 and 1, whatever remainder an exchange reports", () => {
    assert.equal(shareOf({ remaining: new Decimal("12") }), "0");
    assert.equal(shareOf({ remaining: new Decimal("-2") }), "1");
  });
});

describe("the open quantity of an order", () => {
  const openOf = (report: Partial<OrderReport>): string | undefined =>
    openQuantity(testKnown([report]))?.toFixed();

  it("is the least that its fills and the reported remainder leave", () => {
    const fills = [testFill("1", "4")];
    assert.equal(openOf({ fills }), "6");
    assert.equal(openOf({ fills, remaining: new Decimal("3") }), "3");
    assert.equal(openOf({ fills, remaining: new Decimal("8") }), "6");
  });

  it("is the reported remainder if the quantity is unknown, or an estimate that the fills exceed", () => {
    assert.equal(openOf({ quantity: undefined }), undefined);
    assert.equal(openOf({ quantity: undefined, remaining: new Decimal("3") }), "3");
    const exceeded = { side: "buy", fills: [testFill("1", "11")] } as const;
    assert.equal(openOf({ ...exceeded, remaining: new Decimal("2") }), "2");
    assert.equal(openOf(exceeded), undefined);
  });
});
