import assert from "node:assert/strict";
import fc from "fast-check";
import { pairKey, parseSymbol, symbolName } from "../../../src/market/pair.ts";

describe("parseSymbol", () => {
  it("reads the assets in either order and either case", () => {
    const pair = { quote: "THB", base: "BTC" };
    assert.deepEqual(parseSymbol("THB_BTC", "quoteFirst"), pair);
    assert.deepEqual(parseSymbol("thb_btc", "quoteFirst"), pair);
    assert.deepEqual(parseSymbol("BTC_THB", "baseFirst"), pair);
  });

  it("reads names with digits, dots and dashes", () => {
    assert.deepEqual(parseSymbol("THB_1INCH-3.L", "quoteFirst"), { quote: "THB", base: "1INCH-3.L" });
  });

  it("refuses a text that is not two names joined by one underscore", () => {
    const refused = [
      "",
      "_",
      "THB",
      "THB_",
      "_BTC",
      "THB_BTC_X",
      "THB BTC",
      " THB_BTC",
      "THB_BTC\n",
      "__proto__",
    ];
    for (const symbol of [...refused, "THB_<b>", "ทบ_BTC", "THB_../x", `THB_${"A".repeat(25)}`]) {
      assert.equal(parseSymbol(symbol, "quoteFirst"), undefined, JSON.stringify(symbol));
    }
  });

  it("never yields a name with markup, blanks or control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const pair = parseSymbol(`${a}_${b}`, "quoteFirst");
        if (pair) assert.match(pair.quote + pair.base, /^[A-Z0-9.-]+$/);
      }),
    );
  });
});

describe("pairKey", () => {
  it("is the same for every spelling of a pair, and different for different pairs", () => {
    const symbols = [
      ["THB_BTC", "quoteFirst"],
      ["thb_btc", "quoteFirst"],
      ["BTC_THB", "baseFirst"],
    ] as const;
    for (const [symbol, order] of symbols) {
      const pair = parseSymbol(symbol, order);
      assert.equal(pair && pairKey(pair), "THB_BTC");
    }
    assert.notEqual(pairKey({ quote: "A-B", base: "C" }), pairKey({ quote: "A", base: "B-C" }));
  });
});

describe("symbolName", () => {
  it("is base and quote for either order of the symbol, and otherwise the symbol itself", () => {
    assert.equal(symbolName("THB_BTC", "quoteFirst"), "BTC/THB");
    assert.equal(symbolName("BTC_THB", "baseFirst"), "BTC/THB");
    assert.equal(symbolName("THB_BTC", undefined), "THB_BTC");
    assert.equal(symbolName("BTCTHB", "baseFirst"), "BTCTHB");
  });
});
