import assert from "node:assert/strict";
import { guardByBook, bookFillOf } from "../../../../src/market/book/bookGuard.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules, type LimitOrder, type Side } from "../../../../src/market/order.ts";
import { bookOf } from "../../../support/builders/books.ts";

const context = { limits: defaultLimits, rules: { ...defaultRules, feeShare: new Decimal("0") } };

function orderOf(side: Side, amount: string, rate: string, postOnly?: true): LimitOrder {
  return {
    side,
    symbol: "THB_BTC",
    pair: { quote: "THB", base: "BTC" },
    amount: new Decimal(amount),
    rate: new Decimal(rate),
    quantity: new Decimal("1"),
    fee: new Decimal("0"),
    postOnly,
  };
}

describe("guardByBook", () => {
  /** One unit at 100, and an unlimited quantity at a worse price. */
  const thin = (worse: string) =>
    bookOf(
      [
        ["100", "1"],
        [worse, "1000"],
      ],
      [["99", "1"]],
    );

  it("leaves an order alone without a book, within the limits, and if it takes nothing", () => {
    const order = orderOf("buy", "1000", "103");
    assert.equal(guardByBook(order, undefined, context), order);
    assert.equal(guardByBook(order, thin("102"), context), order);
    const waiting = orderOf("buy", "1000", "99.5");
    assert.equal(guardByBook(waiting, thin("200"), context), waiting);
  });

  it("requires confirmation for an average rate more than 2 % from the best offer, exact to the step", () => {
    // 1 at 100 and 1 at 104 is 102 on average.
    const exactly = guardByBook(orderOf("buy", "204", "104"), thin("104"), context);
    assert.ok(!Array.isArray(exactly));
    assert.equal(exactly.beyondBookPercent, undefined);
    const above = guardByBook(orderOf("buy", "204.01", "104.01"), thin("104.01"), context);
    assert.ok(!Array.isArray(above));
    assert.equal(above.beyondBookPercent?.toFixed(), "2.01");
  });

  it("rejects an average rate more than 20 % from the best offer", () => {
    const exactly = guardByBook(orderOf("buy", "240", "140"), thin("140"), context);
    assert.ok(!Array.isArray(exactly));
    assert.equal(exactly.beyondBookPercent?.toFixed(), "20");
    assert.deepEqual(guardByBook(orderOf("buy", "240.01", "140.01"), thin("140.01"), context), [
      { field: "rate", code: "farFromBook", limit: defaultLimits.refuseBeyondPercent },
    ]);
  });

  it("is mirrored for an ask", () => {
    const falling = bookOf(
      [["101", "1"]],
      [
        ["100", "1"],
        ["50", "1000"],
      ],
    );
    const refused = guardByBook(orderOf("sell", "2", "50"), falling, context);
    assert.deepEqual(Array.isArray(refused) && refused.map(({ code }) => code), ["farFromBook"]);
    const small = guardByBook(orderOf("sell", "1", "50"), falling, context);
    assert.ok(!Array.isArray(small) && small.beyondBookPercent === undefined);
  });

  it("ignores a post-only order, which the exchange cancels instead of filling", () => {
    const order = orderOf("buy", "240.01", "140.01", true);
    assert.equal(guardByBook(order, thin("140.01"), context), order);
    assert.equal(bookFillOf(order, thin("140.01"), context.rules), undefined);
  });
});
