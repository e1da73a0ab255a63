import assert from "node:assert/strict";
import { recentFeeShare } from "../../../../src/market/holdings/feeShare.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";

function trade(value: string, fee: string, isMaker?: boolean, side: "buy" | "sell" = "sell") {
  const figures = { quantity: new Decimal("1"), value: new Decimal(value), fee: new Decimal(fee) };
  return { id: "1", at: 1, side, isMaker, ...figures };
}

const shareOf = (...trades: ReturnType<typeof trade>[]) => recentFeeShare(trades, "THB")?.toFixed();

describe("the fee that an account pays", () => {
  it("is unknown without a trade, and with trades too small to show it", () => {
    assert.deepEqual([shareOf(), shareOf(trade("99", "0.25"))], [undefined, undefined]);
    assert.equal(shareOf(trade("1000", "1.5"), trade("10", "0.03")), "0.0015");
  });

  it("is that of the newest trade, as the roundest share that the rounded fee allows", () => {
    assert.equal(shareOf(trade("1000", "2.5"), trade("1234.56", "1.85")), "0.0015");
    assert.equal(shareOf(trade("1000000", "2675")), "0.002675");
    assert.equal(shareOf(trade("997.5", "2.5", undefined, "buy")), "0.0025");
    assert.equal(shareOf(trade("1000", "2.5", undefined, "buy")), "0.0025");
    assert.equal(shareOf(trade("1000", "0")), "0");
  });

  it("is the higher of the newest fees as a maker and as a taker", () => {
    assert.equal(shareOf(trade("1000", "2.5", false), trade("1000", "1", true)), "0.0025");
    assert.equal(
      shareOf(trade("1000", "3", false), trade("1000", "2", false), trade("1000", "1", true)),
      "0.002",
    );
  });

  it("is none for a rebate, and unknown for an impossible fee", () => {
    assert.equal(shareOf(trade("1000", "-0.5", true)), "0");
    assert.equal(shareOf(trade("1000", "50")), undefined);
  });
});
