import assert from "node:assert/strict";
import fc from "fast-check";
import { Conversions } from "../../../../src/market/holdings/conversions.ts";
import { portfolioOf } from "../../../../src/market/holdings/portfolio.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { tickerOf, walletOf } from "../../../support/fakes/venue.ts";

const one = new Decimal("1");
const of = (market: readonly ReturnType<typeof tickerOf>[], from: string, to: string) =>
  new Conversions(market, to).of(from);

describe("values in another asset", () => {
  it("cross through the pairs of other assets, in either direction", () => {
    const market = [tickerOf("THB_KUB", { last: 72 }), tickerOf("THB_USDT", { last: 36 })];
    const kub = of(market, "KUB", "USDT");
    assert.deepEqual(kub?.path, ["KUB", "THB", "USDT"]);
    assert.equal(plainText(kub.convert(new Decimal("3"))), "6");
    assert.deepEqual(of(market, "USDT", "KUB")?.path, ["USDT", "THB", "KUB"]);
    assert.equal(plainText(of(market, "THB", "USDT")?.convert(new Decimal("72")) ?? one), "2");
  });

  it("take the shortest way, and of two the one through the asset with more pairs", () => {
    const market = ["BTC_KUB", "USDT_BTC", "THB_KUB", "USDT_THB", "THB_ETH", "THB_XRP"].map((symbol) =>
      tickerOf(symbol, { last: 2 }),
    );
    assert.deepEqual(of(market, "KUB", "USDT")?.path, ["KUB", "THB", "USDT"]);
    assert.deepEqual(of([...market, tickerOf("USDT_KUB")], "KUB", "USDT")?.path, ["KUB", "USDT"]);
  });

  it("do not exist without a price on the way, or beyond three pairs", () => {
    const unpriced = [tickerOf("THB_KUB", { last: undefined }), tickerOf("THB_USDT", { last: 36 })];
    assert.equal(of(unpriced, "KUB", "USDT"), undefined);
    assert.equal(of([tickerOf("THB_KUB", { last: 0 }), tickerOf("THB_USDT")], "KUB", "USDT"), undefined);
    const chain = ["B_A", "C_B", "D_C", "E_D"].map((symbol) => tickerOf(symbol));
    assert.deepEqual(of(chain, "A", "D")?.path, ["A", "B", "C", "D"]);
    assert.equal(of(chain, "A", "E"), undefined);
  });

  it("are the same way back, but for the places that a quotient cuts off", () => {
    const price = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(price, price, (kub, usdt) => {
        const market = [tickerOf("THB_KUB", { last: kub }), tickerOf("THB_USDT", { last: usdt })];
        const there = of(market, "KUB", "USDT")?.convert(one) ?? assert.fail();
        const back = of(market, "USDT", "KUB")?.convert(there) ?? assert.fail();
        assert.ok(back.minus(one).abs().lte("1e-20"), plainText(back));
      }),
    );
  });
});

describe("a portfolio in a chosen asset", () => {
  const market = [
    tickerOf("THB_KUB", { last: 72, percentChange: 20 }),
    tickerOf("THB_USDT", { last: 36, percentChange: -20 }),
    tickerOf("USDT_BTC", { last: 100_000, percentChange: 0 }),
    tickerOf("USD_AIR"),
  ];
  const wallet = walletOf({ THB: "3600", KUB: "1", BTC: "0.001", AIR: "5" });
  const portfolio = portfolioOf(wallet, market, "USDT");
  const holding = (asset: string) => portfolio.holdings.find((each) => each.asset === asset) ?? assert.fail();

  it("adds up what can be valued, and leaves out what cannot", () => {
    assert.equal(plainText(portfolio.total), "202");
    assert.deepEqual(
      portfolio.holdings.filter(({ value }) => !value).map(({ asset }) => asset),
      ["AIR"],
    );
    assert.deepEqual(holding("AIR").path, []);
  });

  it("keeps the pair that trades a holding, for its chart and its sale", () => {
    assert.equal(holding("KUB").ticker?.symbol, "THB_KUB");
    assert.equal(holding("BTC").ticker?.symbol, "USDT_BTC");
    assert.equal(holding("THB").ticker, undefined, "USDT/THB buys baht with nothing");
  });

  it("has the change of the whole way: up a fifth in baht, which lost a fifth of the dollar's price", () => {
    assert.equal(holding("KUB").percentChange, 50);
    assert.equal(plainText(holding("KUB").gained?.round(10) ?? one), "0.6666666666");
    assert.equal(holding("BTC").percentChange, 0);
  });
});
