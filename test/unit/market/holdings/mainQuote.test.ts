import assert from "node:assert/strict";
import { mainQuote } from "../../../../src/market/holdings/mainQuote.ts";
import { tickerOf, walletOf } from "../../../support/fakes/venue.ts";

const market = new Map(
  ["THB_BTC", "THB_ETH", "USDT_BTC", "USDT_ETH", "USDT_XRP"].map((symbol) => [symbol, tickerOf(symbol)]),
);

describe("the quote asset of an account", () => {
  it("is the one that the account holds, not the one of most pairs", () => {
    assert.equal(mainQuote(market, walletOf({ THB: "188379", USDT: "0", BTC: "1" })), "THB");
  });

  it("is the one that is worth more, by the pair between the two", () => {
    const listed = new Map([...market, ["THB_USDT", tickerOf("THB_USDT", { last: 36 })]]);
    assert.equal(mainQuote(listed, walletOf({ THB: "1000", USDT: "20" })), "THB");
    assert.equal(mainQuote(listed, walletOf({ THB: "1000", USDT: "30" })), "USDT");
  });

  it("is the one that is worth more through an asset that both have a pair with", () => {
    const listed = new Map([
      ...market,
      ["THB_BTC", tickerOf("THB_BTC", { last: 3_500_000 })],
      ["USDT_BTC", tickerOf("USDT_BTC", { last: 100_000 })],
    ]);
    assert.equal(mainQuote(listed, walletOf({ THB: "188379", USDT: "1" })), "THB");
    assert.equal(mainQuote(listed, walletOf({ THB: "188379", USDT: "9000" })), "USDT");
  });

  it("is that of the favourites without any money, and that of most pairs without favourites", () => {
    for (const wallet of [undefined, walletOf({ BTC: "1" })]) {
      assert.equal(mainQuote(market, wallet, ["THB_BTC", "THB_DELISTED"]), "THB");
      assert.equal(mainQuote(market, wallet), "USDT");
    }
    assert.equal(mainQuote(new Map(), walletOf({ THB: "1" })), undefined);
  });

  it("finds a favourite that is stored by its mirrored name", () => {
    assert.equal(mainQuote(market, undefined, ["BTC_THB"]), "THB");
  });
});
