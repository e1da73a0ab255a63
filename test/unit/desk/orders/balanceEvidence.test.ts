import assert from "node:assert/strict";
import { weigh, type BalanceEvidence } from "../../../../src/desk/orders/balanceEvidence.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { walletOf } from "../../../support/fakes/venue.ts";

/** A bid of 1000 THB out of 5000. */
function weighed(
  now: Record<string, string>,
  { before = "5000", others = [] }: { before?: string | null; others?: readonly string[] } = {},
): BalanceEvidence {
  const bid = {
    side: "buy",
    quote: "THB",
    base: "BTC",
    amount: "1000",
    availableBefore: before ?? undefined,
  } as const;
  return weigh(
    bid,
    walletOf(now),
    others.map((text) => text.split("|").map((each) => new Decimal(each))),
  );
}

const stateOf = (...given: Parameters<typeof weighed>): string => weighed(...given).state;

describe("a bid checked against the balance", () => {
  it("is accepted if the balance fell by exactly its amount", () => {
    assert.deepEqual(weighed({ THB: "4000", BTC: "0.0665" }), {
      state: "accepted",
      now: "4000",
      text: "THB before 5000, now 4000, difference -1000",
    });
  });

  it("stays unknown if the balance did not change", () => {
    const { state, text } = weighed({ THB: "5000.00" });
    assert.deepEqual([state, text], ["unknown", "THB before 5000, now 5000, difference 0"]);
  });

  it("stays unknown if the balance cannot be read", () => {
    const { state, now } = weighed({ THB: "unreadable", BTC: "unreadable" });
    assert.deepEqual([state, now], ["unknown", undefined]);
  });

  it("stays unknown after any other change, also a change by one step less or more than the amount", () => {
    for (const now of ["3999.99999999", "4000.00000001", "4999.99", "6000", "0"]) {
      assert.equal(stateOf({ THB: now }), "unknown", now);
    }
  });

  it("is compared digit by digit, also by the digits that a float loses", () => {
    const given = { before: "9007199254741993.00000001" };
    assert.equal(stateOf({ THB: "9007199254740993.00000001" }, given), "accepted");
    assert.equal(stateOf({ THB: "9007199254740993.00000002" }, given), "unknown");
  });

  it("stays unknown if one or more of our other bids explain the fall", () => {
    assert.equal(stateOf({ THB: "4000" }, { others: ["1000"] }), "unknown");
    assert.equal(stateOf({ THB: "4000" }, { others: ["400", "70", "600"] }), "unknown");
  });

  it("is accepted beside other bids if the sum is complete only with it", () => {
    assert.equal(stateOf({ THB: "3500" }, { others: ["500"] }), "accepted");
    assert.equal(stateOf({ THB: "3000" }, { others: ["1000"] }), "accepted");
    assert.equal(stateOf({ THB: "4000" }, { others: ["500"] }), "accepted");
    assert.equal(stateOf({ THB: "4500" }, { others: ["500"] }), "unknown");
  });

  it("stays unknown beside too many other bids", () => {
    const others = Array.from({ length: 11 }, () => "7");
    assert.equal(stateOf({ THB: "4000" }, { others }), "unknown");
    assert.equal(stateOf({ THB: "4000" }, { others: others.slice(1) }), "accepted");
  });

  it("stays unknown if the balance before or now is not known", () => {
    for (const { state, text } of [weighed({ THB: "4000" }, { before: null }), weighed({ BTC: "1" })]) {
      assert.equal(state, "unknown");
      assert.match(text, /difference unknown$/);
    }
  });
});
