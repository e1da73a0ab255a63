import assert from "node:assert/strict";
import fc from "fast-check";
import { findPair, isNameOf, pairKey, parseSymbol, symbolFor } from "../../../src/market/pair.ts";
import { anyText } from "../../support/builders/anyText.ts";

describe("parseSymbol", () => {
  it("reads the assets in either order and either case", () => {
    const pair = { quote: "THB", base: "BTC" };
    assert.deepEqual(parseSymbol("THB_BTC", "quoteFirst"), pair);
    assert.deepEqual(parseSymbol("thb_btc", "quoteFirst"), pair);
    assert.deepEqual(parseSymbol("BTC_THB", "baseFirst"), pair);
  });

  it("reads names with digits, dots and dashes, and names of any script", () => {
    for (const base of ["1INCH-3.L", "币安人生", "ทบ", "$WIF"])
      assert.deepEqual(parseSymbol(`THB_${base}`, "quoteFirst"), { quote: "THB", base });
  });

  it("reads a name with an underscore if the quote asset is known, and not otherwise", () => {
    const isQuote = (asset: string): boolean => asset === "THB";
    const pair = { quote: "THB", base: "USDT_TRC20" };
    assert.deepEqual(parseSymbol("THB_USDT_TRC20", "quoteFirst", isQuote), pair);
    assert.deepEqual(parseSymbol("usdt_trc20_thb", "baseFirst", isQuote), pair);
    assert.equal(parseSymbol("THB_USDT_TRC20", "quoteFirst"), undefined);
  });

  it("rejects a text that is not two names joined by an underscore", () => {
    const refused = ["", "_", "THB", "THB_", "_BTC", "THB BTC", " THB_BTC", "THB_BTC\n", "__proto__"];
    for (const symbol of [...refused, "THB_<b>", "THB_B\u202eC", "THB_../x", `THB_${"A".repeat(25)}`]) {
      assert.equal(parseSymbol(symbol, "quoteFirst"), undefined, JSON.stringify(symbol));
    }
  });

  it("never yields a name with markup, blanks or control characters", () => {
    fc.assert(
      fc.property(anyText(), anyText(), (a, b) => {
        const pair = parseSymbol(`${a}_${b}`, "quoteFirst");
        if (pair) assert.match(pair.quote + pair.base, /^[\p{L}\p{M}\p{N}._$+-]+$/u);
      }),
    );
  });
});

describe("symbolFor", () => {
  it("names a pair in the order and the letter case of the endpoint", () => {
    const pair = { quote: "THB", base: "BTC" };
    const written = (["quoteFirst", "baseFirst"] as const).flatMap((symbolOrder) =>
      (["upper", "lower"] as const).map((symbolCase) => symbolFor(pair, { symbolOrder, symbolCase })),
    );
    assert.deepEqual(written, ["THB_BTC", "thb_btc", "BTC_THB", "btc_thb"]);
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

describe("findPair", () => {
  const listed = new Map([
    ["THB_BTC", 1],
    ["THB_USDT_TRC20", 2],
  ]);

  it("finds a pair by every order and letter case that an exchange may have written", () => {
    for (const name of ["THB_BTC", "thb_btc", "BTC_THB", "btc_thb"]) assert.equal(findPair(listed, name), 1);
    for (const name of ["THB_USDT_TRC20", "usdt_trc20_thb"]) assert.equal(findPair(listed, name), 2);
  });

  it("finds no other pair", () => {
    for (const name of ["", "THB", "THB_ETH", "USDT_BTC", "__proto__"])
      assert.equal(findPair(listed, name), undefined, name);
  });
});

describe("isNameOf", () => {
  it("accepts either order and case of the pair's own assets", () => {
    const pair = { quote: "THB", base: "USDT_TRC20" };
    for (const name of ["THB_USDT_TRC20", "usdt_trc20_thb"]) assert.ok(isNameOf(name, pair));
    for (const name of ["THB_USDT", "TRC20_THB_USDT", ""]) assert.ok(!isNameOf(name, pair));
  });
});
