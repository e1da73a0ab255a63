import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules, validateOrder, type Side } from "../../../../src/market/order.ts";
import { rulesOfListing, type PairListing } from "../../../../src/market/rules/pairListing.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";

const of = (text: string): Decimal => new Decimal(text);

/** A listing of a pair; by default names only. */
function listingOf(given: Partial<PairListing> = {}): PairListing {
  return {
    pair: { quote: "THB", base: "BTC" },
    pairingId: undefined,
    isTrading: true,
    minimumAmount: undefined,
    rateStep: undefined,
    quantityPlaces: undefined,
    amountPlaces: undefined,
    buyBandPercent: undefined,
    sellBandPercent: undefined,
    isBuyFrozen: false,
    isSellFrozen: false,
    isCancelFrozen: false,
    ...given,
  };
}

/** The problems of an order of 1000 THB, or of 10 BTC, at a last price of 100. */
function problems(given: Partial<PairListing>, rate = "100", side: Side = "buy", amount?: string): string[] {
  const draft = { side, symbol: "THB_BTC", amount: amount ?? (side === "buy" ? "1000" : "10"), rate };
  const order = validateOrder(draft, {
    ticker: tickerOf("THB_BTC"),
    available: of("100000"),
    offersAsks: true,
    rules: rulesOfListing(listingOf(given), defaultRules),
    limits: defaultLimits,
    priceAgeMs: 0,
    pricesAreStale: false,
  });
  if (!Array.isArray(order)) return [];
  return order.map(({ field, code, limit }) => [field, code, limit?.toFixed()].filter(Boolean).join(" "));
}

describe("the rules of an exchange for a pair", () => {
  it("are the defaults if it states nothing", () => {
    assert.equal(rulesOfListing(listingOf(), defaultRules), defaultRules);
  });

  it("are its own where stated, and the defaults for the rest", () => {
    const rules = rulesOfListing(listingOf({ minimumAmount: of("50") }), defaultRules);
    assert.equal(rules.isOfExchange, true);
    assert.deepEqual([rules.minimumAmount.toFixed(), rules.quantityPlaces], ["50", 8]);
    assert.equal(rules.feeShare, defaultRules.feeShare);
  });

  it("enforce the minimum exactly, for bid and ask", () => {
    const minimumAmount = of("1000.01");
    assert.deepEqual(problems({ minimumAmount }), ["amount belowMinimum 1000.01"]);
    assert.deepEqual(problems({ minimumAmount }, "100", "sell"), ["amount belowMinimum 1000.01"]);
    assert.deepEqual(problems({ minimumAmount: of("1000") }), []);
    assert.deepEqual(problems({ minimumAmount: of("1000") }, "100", "sell"), []);
    assert.deepEqual(problems({ minimumAmount: of("0.5") }, "100", "buy", "0.5"), []);
  });

  it("enforce the price step exactly", () => {
    const rateStep = of("0.25");
    for (const rate of ["100", "100.25", "99.5"]) assert.deepEqual(problems({ rateStep }, rate), []);
    for (const rate of ["100.1", "100.2500000001", "99.99"])
      assert.deepEqual(problems({ rateStep }, rate), ["rate offStep 0.25"]);
    assert.deepEqual(problems({ rateStep: of("0.00000001") }, "100.123456785"), ["rate offStep 0.00000001"]);
  });

  it("enforce the price band of a side, unless the user's own limit is tighter", () => {
    const bands = { buyBandPercent: of("5"), sellBandPercent: of("3") };
    assert.deepEqual(problems(bands, "105"), []);
    assert.deepEqual(problems(bands, "105.01"), ["rate farAboveLast 105"]);
    assert.deepEqual(problems(bands, "97", "sell"), []);
    assert.deepEqual(problems(bands, "96.99", "sell"), ["rate farBelowLast 97"]);
    assert.deepEqual(problems({ buyBandPercent: of("90") }, "120.01"), ["rate farAboveLast 120"]);
  });

  it("enforce the band on the better side too, with a bound on the price step", () => {
    const bands = { buyBandPercent: of("20"), sellBandPercent: of("20") };
    assert.deepEqual(problems(bands, "80"), []);
    assert.deepEqual(problems(bands, "79.99"), ["rate farBelowLast 80"]);
    assert.deepEqual(problems(bands, "120.01", "sell"), ["rate farAboveLast 120"]);
    const stepped = { ...bands, buyBandPercent: of("19.5"), rateStep: of("0.7") };
    assert.deepEqual(problems(stepped, "130"), ["rate farAboveLast 119"]);
    assert.deepEqual(problems(stepped, "70"), ["rate farBelowLast 80.5"]);
  });

  it("reject an amount with more decimals than the quote asset has", () => {
    assert.deepEqual(problems({ amountPlaces: 2 }, "100", "buy", "1000.12"), []);
    assert.deepEqual(problems({ amountPlaces: 2 }, "100", "buy", "1000.123456789"), [
      "amount tooManyDecimals 2",
    ]);
  });

  it("freeze a side, or both if the pair is stopped", () => {
    assert.deepEqual(problems({ isBuyFrozen: true }), ["pair sideFrozen"]);
    assert.deepEqual(problems({ isBuyFrozen: true }, "100", "sell"), []);
    assert.deepEqual(problems({ isSellFrozen: true }, "100", "sell"), ["pair sideFrozen"]);
    assert.deepEqual(problems({ isBuyFrozen: true, isSellFrozen: true }), ["pair frozen"]);
    for (const side of ["buy", "sell"] as const)
      assert.deepEqual(problems({ isTrading: false }, "100", side), ["pair frozen"]);
  });

  it("freeze cancellations alone, and then no side", () => {
    const { isCancelFrozen, frozenSides, isOfExchange } = rulesOfListing(
      listingOf({ isCancelFrozen: true }),
      defaultRules,
    );
    assert.deepEqual([isCancelFrozen, frozenSides, isOfExchange], [true, [], true]);
  });

  it("enforce the decimals of what is sold", () => {
    assert.deepEqual(problems({ quantityPlaces: 2 }, "100", "sell", "1.25"), []);
    assert.deepEqual(problems({ quantityPlaces: 2 }, "100", "sell", "1.255"), ["amount tooManyDecimals 2"]);
  });
});
