import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { readEvent } from "../../../../src/practice/account/events.ts";
import { Ledger } from "../../../../src/practice/account/ledger.ts";
import { fillAt } from "../../../../src/practice/account/rules.ts";

/** The recorded fill of a bid. */
function boughtAt(amount: Decimal, rate: Decimal): { rate: Decimal; quantity: Decimal } {
  return { rate, quantity: fillAt("bid", amount, rate).quantity };
}

describe("practice ledger", () => {
  it("changes nothing on an event that would overdraw", () => {
    const ledger = new Ledger();
    ledger.apply({ kind: "opened", asset: "THB", amount: new Decimal("100") });
    const order = { amount: new Decimal("100.00000001"), rate: new Decimal("1"), fee: new Decimal("0.25") };
    const event = { kind: "bid", id: 1, at: 0, symbol: "THB_A", quote: "THB", base: "A", ...order } as const;
    assert.throws(() => ledger.apply(event), /Not enough THB/);
    assert.throws(
      () => ledger.apply({ ...event, fill: boughtAt(order.amount, order.rate) }),
      /Not enough THB/,
    );
    assert.deepEqual([...ledger.wallet().keys()], ["THB"]);
    assert.equal(ledger.available("THB").toFixed(), "100");
    assert.equal(ledger.lastId, 0);
  });

  it("fills a bid once, also if the fill is replayed several times, and ignores a fill without a bid", () => {
    const ledger = new Ledger();
    ledger.apply({ kind: "opened", asset: "THB", amount: new Decimal("100") });
    const order = { amount: new Decimal("40"), rate: new Decimal("2"), fee: new Decimal("0.1") };
    ledger.apply({ kind: "bid", id: 1, at: 0, symbol: "THB_A", quote: "THB", base: "A", ...order });
    for (const id of [1, 1, 2])
      ledger.apply({ kind: "filled", id, at: 1, fill: boughtAt(order.amount, order.rate) });
    assert.equal(ledger.available("A").toFixed(), "19.95");
    assert.equal(ledger.available("THB").toFixed(), "60");
  });

  it("refuses an unreadable record, so that it never guesses a balance", () => {
    const bad = [
      null,
      {},
      { kind: "sold" },
      { kind: "opened", asset: "THB", amount: 5 },
      { kind: "filled", id: -1 },
    ];
    for (const record of bad) assert.throws(() => readEvent(record), /cannot read/);
    assert.throws(() => readEvent({ kind: "opened", asset: "THB", amount: "1e9" }), /cannot read/);
  });
});
