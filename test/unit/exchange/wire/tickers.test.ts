import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeTickers } from "../../../../src/exchange/wire/tickers.ts";
import { keyedEntry, listedEntry } from "../../../support/servers/shapes.ts";

function decode(content: unknown, order: "quoteFirst" | "baseFirst" = "quoteFirst") {
  return decodeTickers({ content, enveloped: false, status: 200 }, order);
}

describe("decodeTickers", () => {
  const expected = {
    symbol: "THB_BTC",
    pair: { quote: "THB", base: "BTC" },
    last: 216415,
    bestBid: 215000,
    bestAsk: 217678,
    high: 220000,
    low: 209500.5,
    baseVolume: 71.02603946,
    quoteVolume: 15302897.99,
    percentChange: -1.91,
    frozen: false,
  };

  it("reads entries keyed by symbol", () => {
    assert.deepEqual(decode({ THB_BTC: keyedEntry })?.tickers.get("THB_BTC"), expected);
  });

  it("reads a list of entries, all text", () => {
    assert.deepEqual(decode([listedEntry])?.tickers.get("THB_BTC"), expected);
  });

  it("reads keyed entries whose numbers are text", () => {
    const texts = Object.fromEntries(Object.entries(keyedEntry).map(([key, value]) => [key, String(value)]));
    assert.deepEqual(decode({ THB_BTC: texts })?.tickers.get("THB_BTC"), expected);
  });

  it("reads the symbol in the service's order and case, and names the pair by its assets", () => {
    const ticker = decode({ btc_thb: keyedEntry }, "baseFirst")?.tickers.get("THB_BTC");
    assert.deepEqual(ticker, expected);
  });

  it("reads an asset with an underscore in its name by the quote asset of the other pairs", () => {
    const market = decode({ THB_BTC: keyedEntry, THB_USDT_TRC20: keyedEntry, A_B_C: keyedEntry });
    assert.deepEqual(market?.tickers.get("THB_USDT_TRC20")?.pair, { quote: "THB", base: "USDT_TRC20" });
    assert.deepEqual(market.unreadable, ["A_B_C"]);
  });

  it("treats a pair as frozen unless the service explicitly says otherwise", () => {
    const isFrozenOf = (isFrozen: unknown): boolean | undefined =>
      decode({ THB_BTC: { ...keyedEntry, isFrozen } })?.tickers.get("THB_BTC")?.frozen;
    for (const frozen of [
      1,
      "1",
      true,
      "true",
      "TRUE",
      "yes",
      2,
      -1,
      "",
      "no",
      "00",
      {},
      [],
      [0],
      Number.NaN,
    ])
      assert.equal(isFrozenOf(frozen), true, JSON.stringify(frozen));
    for (const free of [0, "0", false, "false", "FALSE", null, undefined])
      assert.equal(isFrozenOf(free), false, JSON.stringify(free));
    for (const [is_frozen, frozen] of [
      ["yes", true],
      [null, false],
    ] as const)
      assert.equal(decode([{ ...listedEntry, is_frozen }])?.tickers.get("THB_BTC")?.frozen, frozen);
  });

  it("skips and counts a duplicate pair, unless both entries are equal", () => {
    const other = { ...listedEntry, last: "1" };
    const eth = { ...listedEntry, symbol: "THB_ETH" };
    for (const list of [
      [listedEntry, other, eth],
      [eth, other, listedEntry, listedEntry],
    ]) {
      const decoded = decode(list);
      assert.deepEqual([...(decoded?.tickers.keys() ?? [])], ["THB_ETH"]);
      assert.deepEqual(decoded?.unreadable, ["THB_BTC"]);
    }
    const same = decode([listedEntry, eth, listedEntry]);
    assert.deepEqual([same?.tickers.size, same?.unreadable], [2, []]);
  });

  it("leaves out only the field, and keeps the pair, if only that field is unreadable", () => {
    const odd = { last: 5, highestBid: 0, lowestAsk: -1, high24hr: null, low24hr: "0x10", baseVolume: "1,0" };
    const ticker = decode({ THB_BTC: odd })?.tickers.get("THB_BTC");
    assert.equal(ticker?.last, 5);
    const { bestBid, bestAsk, high, low, baseVolume, quoteVolume, percentChange } = ticker ?? assert.fail();
    for (const field of [bestBid, bestAsk, high, low, baseVolume, quoteVolume, percentChange]) {
      assert.equal(field, undefined);
    }
  });

  it("skips and counts a pair without a valid last price or symbol, and keeps the others", () => {
    const lasts = [
      -1,
      "",
      " ",
      "NaN",
      "1e999",
      "1e30",
      1e300,
      1e-31,
      "0x10",
      "1,5",
      Infinity,
      NaN,
      {},
      [],
      true,
    ];
    const bad = Object.fromEntries(lasts.map((last, index) => [`THB_A${index}`, { ...keyedEntry, last }]));
    const hostile = JSON.parse(
      '{"__proto__":{"last":1},"constructor":{"last":1},"a b_c":{"last":1}}',
    ) as object;
    const decoded = decode({ ...bad, ...hostile, THB_NULL: null, THB_TEXT: "x", THB_BTC: keyedEntry });
    assert.deepEqual([...(decoded?.tickers.keys() ?? [])], ["THB_BTC"]);
    assert.ok((decoded?.unreadable.length ?? 0) >= lasts.length + 4);
    assert.equal(({} as Record<string, unknown>)["last"], undefined);
  });

  it("lists a new pair without a trade, whether it has offers of both sides, one side or none", () => {
    const read = (entry: object) => {
      const { last, bestBid, bestAsk } = decode({ THB_BTC: entry })?.tickers.get("THB_BTC") ?? assert.fail();
      return [last, bestBid, bestAsk];
    };
    for (const nothing of [0, "0", "0.00", null, undefined]) {
      const { highestBid: bid, lowestAsk: ask } = keyedEntry;
      for (const [highestBid, lowestAsk, shown] of [
        [bid, ask, [undefined, bid, ask]],
        [bid, nothing, [undefined, bid, undefined]],
        [nothing, ask, [undefined, undefined, ask]],
      ] as const)
        assert.deepEqual(read({ ...keyedEntry, last: nothing, highestBid, lowestAsk }), shown);
    }
    for (const entry of [{ last: 0 }, { last: "0", highestBid: "0", lowestAsk: "0", isFrozen: 0 }])
      assert.deepEqual(read(entry), [undefined, undefined, undefined]);
    assert.equal(decode([{ ...listedEntry, last: "0", lowest_ask: "0" }])?.tickers.size, 1);
  });

  it("names an unreadable entry by its symbol, or by its position in the list without a symbol", () => {
    const noText = { ...listedEntry, symbol: ["THB_ETH"] };
    const noPrice = { symbol: "THB_ETH", last: "soon" };
    const decoded = decode([null, 1, { last: 1 }, noText, noPrice, listedEntry]);
    assert.deepEqual(decoded?.unreadable, ["#0", "#1", "#2", "#3", "THB_ETH"]);
    assert.deepEqual([...decoded.tickers.keys()], ["THB_BTC"]);
  });

  it("reads numbers in all spellings of services, and nothing that only resembles a number", () => {
    const written = {
      "+5": 5,
      "5.": 5,
      "5.25": 5.25,
      "15e-1": 1.5,
      "5E+2": 500,
      "5e10": 5e10,
      "05": 5,
      "1e-30": 1e-30,
    };
    for (const [last, read] of Object.entries(written)) {
      assert.equal(decode({ THB_BTC: { last } })?.tickers.get("THB_BTC")?.last, read, last);
    }
    for (const last of ["x5", "5x", ".5", "5,0", "5e", "5e1.5", "5 ", "5.x", "5ex", "--5", "e5", true, [5]]) {
      assert.equal(decode({ THB_BTC: { last } }), undefined, JSON.stringify(last));
    }
  });

  it("accepts a volume of zero, but no volume below zero; a change may be zero or negative", () => {
    const quiet = { last: 5, baseVolume: 0, quoteVolume: "-1", percentChange: "-2.5" };
    const ticker = decode({ THB_BTC: quiet })?.tickers.get("THB_BTC");
    assert.deepEqual([ticker?.baseVolume, ticker?.quoteVolume, ticker?.percentChange], [0, undefined, -2.5]);
  });

  it("accepts an empty market, and rejects a response that is not a market", () => {
    for (const empty of [{}, []]) assert.equal(decode(empty)?.tickers.size, 0);
    for (const other of [
      null,
      undefined,
      1,
      "x",
      { message: "hello" },
      [1, 2],
      { THB_BTC: {} },
      { THB_BTC: { volume: 1 } },
      { THB_BTC: { last: null } },
    ]) {
      assert.equal(decode(other), undefined, JSON.stringify(other));
    }
  });

  it("yields only last prices that are finite and above zero, if any, for every response", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("THB_A", "THB_B", "x"), fc.object()),
        fc.anything(),
        (all, last) => {
          const decoded = decode({ ...all, THB_C: { last } });
          for (const ticker of decoded?.tickers.values() ?? []) {
            if (ticker.last !== undefined) assert.ok(Number.isFinite(ticker.last) && ticker.last > 0);
          }
        },
      ),
    );
  });
});
