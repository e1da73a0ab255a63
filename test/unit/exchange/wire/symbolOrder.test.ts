import assert from "node:assert/strict";
import { evidentOrder } from "../../../../src/exchange/wire/symbolOrder.ts";

const mirrored = (symbols: readonly string[]): string[] =>
  symbols.map((symbol) => symbol.split("_").toReversed().join("_"));

describe("the order of a market's symbols", () => {
  const markets: [what: string, quoteFirst: readonly string[]][] = [
    ["one pair with a currency", ["THB_BTC"]],
    ["currencies and coins as quotes", ["THB_BTC", "THB_ETH", "USDT_BTC", "THB_USDT"]],
    ["one coin in several currencies", ["THB_BTC", "USD_BTC", "EUR_BTC"]],
    [
      "one coin as the quote of most",
      ["USDT_BTC", "USDT_ETH", "USDT_XRP", "USDT_ADA", "USDT_MNT", "BTC_ETH"],
    ],
  ];
  for (const [what, symbols] of markets) {
    it(`is shown by ${what}`, () => {
      assert.equal(evidentOrder(symbols), "quoteFirst");
      assert.equal(evidentOrder(mirrored(symbols)), "baseFirst");
    });
  }

  it("is not known where nothing shows it", () => {
    for (const symbols of [[], ["USDT_BTC"], ["USDT_BTC", "USDC_BTC", "DAI_BTC"], ["THB_USD"], ["x"]])
      assert.equal(evidentOrder(symbols), undefined);
  });

  it("is what the exchange states of its assets, whatever they look like", () => {
    assert.equal(evidentOrder(["BTC_USDT"], new Set(["USDT_BTC"])), "baseFirst");
    assert.equal(evidentOrder(["BTC_THB"], new Set(["BTC_THB"])), "quoteFirst");
  });
});
