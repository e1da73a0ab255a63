import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeServerTime, decodeWallet, encodeOrder } from "../../../../src/exchange/wire/account.ts";
import type { Payload } from "../../../../src/exchange/wire/payload.ts";
import { parseExact } from "../../../../src/exchange/wire/exactJson.ts";
import { Decimal, parseDecimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { repeatedKeys } from "../../../../src/exchange/wire/repeatedKeys.ts";
import { testBid } from "../../../support/builders/client.ts";

function payload(json: string, enveloped = false): Payload {
  return { content: parseExact(json), enveloped, status: 200 };
}

/** Canonical decimal text above zero, as a form accepts it. */
const typed = fc
  .tuple(fc.bigInt(0n, 10n ** 20n), fc.bigInt(0n, 10n ** 18n - 1n), fc.integer({ min: 0, max: 18 }))
  .map(([whole, part, places]) =>
    places === 0 ? `${whole}` : `${whole}.${part.toString().padStart(18, "0").slice(0, places)}`,
  )
  .filter((text) => !/^[0.]+$/.test(text));

describe("encodeOrder", () => {
  it("writes the fields in the order of the specification", () => {
    const body = '{"sym":"THB_BTC","amt":1000,"rat":15000.5,"typ":"limit"}';
    assert.equal(encodeOrder(testBid("1000.00", "15000.50")).toString(), body);
  });

  it("asks for a post-only order only where the order is one", () => {
    const body = '{"sym":"THB_BTC","amt":1000,"rat":15000.5,"typ":"limit"';
    const bid = testBid("1000", "15000.5");
    assert.equal(encodeOrder({ ...bid, postOnly: true }).toString(), `${body},"post_only":true}`);
    assert.equal(
      encodeOrder({ ...bid, postOnly: true, clientId: "BSD-1" }).toString(),
      `${body},"post_only":true,"client_id":"BSD-1"}`,
    );
    assert.equal(encodeOrder({ ...bid, postOnly: undefined }).toString(), `${body}}`);
  });

  it("keeps small, large and long numbers to the last digit, without an exponent", () => {
    const cases = [
      ["1e-8", "0.00000001"],
      ["9007199254740993", "9007199254740993"],
      ["0.123456789012345678", "0.123456789012345678"],
      ["123456789012345678901234567890.5", "123456789012345678901234567890.5"],
    ] as const;
    for (const [amount, text] of cases) {
      assert.match(
        encodeOrder(testBid(amount, amount)).toString(),
        new RegExp(`"amt":${text},"rat":${text},`),
      );
    }
    const sum = plainText(new Decimal("0.1").plus("0.2"));
    assert.match(encodeOrder(testBid(sum)).toString(), /"amt":0.3,/);
  });

  it("writes numbers that a server reads exactly as typed", () => {
    fc.assert(
      fc.property(typed, typed, (amount, rate) => {
        const text = encodeOrder(testBid(amount, rate)).toString();
        const [, amt = "", rat = ""] = /"amt":([^,]*),"rat":([^,]*),/.exec(text) ?? [];
        for (const [sent, wanted] of [
          [amt, amount],
          [rat, rate],
        ] as const) {
          assert.match(sent, /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
          assert.ok(parseDecimal(sent)?.eq(wanted), `${wanted} was sent as ${sent}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("escapes every character of a symbol", () => {
    const symbol = 'THB_"},\u2028\\\n';
    assert.equal(JSON.parse(encodeOrder(testBid("1", "1", symbol)).toString()).sym, symbol);
  });
});

describe("decodeServerTime", () => {
  it("reads numbers below 1e11 as seconds and others as ms, as a number or as digits", () => {
    for (const json of ["1529999999", '"1529999999"', '" 1529999999\\n"']) {
      assert.equal(decodeServerTime(payload(json)), 1_529_999_999_000);
    }
    for (const json of ["1529999999123", '"1529999999123"']) {
      assert.equal(decodeServerTime(payload(json)), 1_529_999_999_123);
    }
  });

  it("reads a fraction of a second, and leaves out a fraction of a ms", () => {
    for (const [json, serverMs] of [
      ["1700000000.5", 1_700_000_000_500],
      ['"1700000000.52"', 1_700_000_000_520],
      ["1700000000.5239871", 1_700_000_000_523],
      ["1700000000123.9", 1_700_000_000_123],
    ] as const)
      assert.equal(decodeServerTime(payload(json)), serverMs, json);
  });

  it("reads the years 2001 to 5138, to the second", () => {
    assert.equal(decodeServerTime(payload("1000000000")), 1e12);
    assert.equal(decodeServerTime(payload("999999999")), undefined);
    assert.equal(decodeServerTime(payload("1000000000000")), 1e12);
    assert.equal(decodeServerTime(payload("99999999999")), 99_999_999_999_000);
    assert.equal(decodeServerTime(payload("100000000000")), undefined, "1e11 ms is in 1973");
    assert.equal(decodeServerTime(payload("99999999999999")), 99_999_999_999_999);
    assert.equal(decodeServerTime(payload("100000000000000")), undefined, "1e14 µs is in 1973");
  });

  it("reads µs, ns and ISO text", () => {
    for (const json of [
      "1529999999123456",
      "1529999999123456789",
      '"2018-06-26T07:59:59.123456Z"',
      '"2018-06-26T14:59:59.123+07:00"',
    ])
      assert.equal(decodeServerTime(payload(json)), 1_529_999_999_123);
    assert.equal(decodeServerTime(payload('"2018-06-26T07:59:59Z"')), 1_529_999_999_000);
  });

  it("refuses an invalid time", () => {
    const refused = ["0", "1", "-1529999999", '"1529999999."', '".5"', "1e9", "1e400", "null", "{}"];
    for (const json of [...refused, '"now"', '""', "true", "[1529999999]"]) {
      assert.equal(decodeServerTime(payload(json)), undefined, json);
    }
  });
});

function amounts(json: string, enveloped = false) {
  const repeats = repeatedKeys(json).map(([key]) => String(key));
  const decoded = decodeWallet({ ...payload(json, enveloped), repeated: new Set(repeats) });
  return (
    decoded && {
      unreadable: decoded.unreadable,
      wallet: Object.fromEntries(
        [...decoded.wallet].map(([asset, balance]) => [
          asset,
          balance === "unreadable" ? balance : [plainText(balance.available), plainText(balance.reserved)],
        ]),
      ),
    }
  );
}

describe("decodeWallet", () => {
  it("reads plain amounts as available, as numbers and as text, exactly", () => {
    const json =
      '{"THB":188379.27,"btc":"8.90397323","SML":1.044e-05,"BIG":9007199254740993.000000000000000001}';
    assert.deepEqual(amounts(json), {
      wallet: {
        THB: ["188379.27", "0"],
        BTC: ["8.90397323", "0"],
        SML: ["0.00001044", "0"],
        BIG: ["9007199254740993.000000000000000001", "0"],
      },
      unreadable: [],
    });
  });

  it("reads an envelope with null or nothing as an empty wallet, and a bare null as no wallet", () => {
    assert.deepEqual(decodeWallet(payload("null", true)), { wallet: new Map(), unreadable: [] });
    const nothing = { content: undefined, enveloped: true, status: 200 };
    assert.deepEqual(decodeWallet(nothing), { wallet: new Map(), unreadable: [] });
    assert.equal(decodeWallet(payload("null")), undefined);
  });

  it("reads a response without information on duplicate keys", () => {
    assert.deepEqual(decodeWallet(payload('{"THB":1}'))?.wallet.has("THB"), true);
  });

  it("reads available and reserved", () => {
    const json = '{"THB":{"available":"1.5","reserved":2},"BTC":{"available":3}}';
    assert.deepEqual(amounts(json)?.wallet, { THB: ["1.5", "2"], BTC: ["3", "0"] });
  });

  it("marks an asset with an unreadable balance as unreadable, and keeps the other assets", () => {
    const unreadable = {
      A: "null",
      B: "-0.5",
      C: '"1,000,000.00"',
      D: "[]",
      E: "{}",
      F: '{"available":1,"reserved":-1}',
      G: "true",
      H: '{"free":"5"}',
      "1E9": '"1e999"',
      CONSTRUCTOR: '"y"',
      TOSTRING: '{"available":"Infinity"}',
    };
    const entries = Object.entries(unreadable).map(([asset, json]) => `"${asset}":${json}`);
    const decoded = amounts(`{"THB":1,"__proto__":2,${entries.join(",")}}`);
    assert.deepEqual(decoded?.wallet, {
      THB: ["1", "0"],
      "U+005F_PROTO__": ["2", "0"],
      ...Object.fromEntries(Object.keys(unreadable).map((asset) => [asset, "unreadable"])),
    });
    assert.equal(decoded.unreadable.length, Object.keys(unreadable).length);
    assert.equal(({} as Record<string, unknown>)["available"], undefined);
  });

  it("marks a duplicate asset as unreadable, in either case and at any depth", () => {
    for (const twice of ['"BTC":1,"BTC":1', '"BTC":1,"btc":2', '"BTC":{"available":1,"available":2}']) {
      const decoded = amounts(`{"THB":1,${twice}}`);
      assert.deepEqual(decoded?.wallet, { THB: ["1", "0"], BTC: "unreadable" }, twice);
    }
  });

  it("reads the list of balances of the newest API generation", () => {
    const list = `[{"currency":"THB","available":"1000","reserved":"100","total":"1100"},
      {"currency":"btc","available":0.5,"reserved":0},{"currency":"ETH","available":null},
      {"currency":"XRP","available":"1"},{"currency":"XRP","available":"1"},{"available":"1"},null]`;
    const decoded = amounts(list, true);
    assert.deepEqual(decoded?.wallet, {
      THB: ["1000", "100"],
      BTC: ["0.5", "0"],
      ETH: "unreadable",
      XRP: "unreadable",
      "ENTRY-3": "unreadable",
    });
    assert.deepEqual(decoded.unreadable, ["ETH", "XRP", "5", "6"]);
    assert.deepEqual(amounts("[]", true), { wallet: {}, unreadable: [] });
    const twice = '[{"currency":"THB","available":1},{"currency":"BTC","available":1,"available":2}]';
    assert.deepEqual(amounts(twice, true)?.wallet, { THB: ["1", "0"], BTC: "unreadable" });
  });

  it("reads assets with names of any script, writes what cannot be shown by its code, and reports a balance without a name", () => {
    const names = ["a", "1INCH", "USD.T", "A-B", "币安人生", "USDT_TRC20", "A".repeat(24)];
    const wallet = Object.fromEntries(names.map((name) => [name, "1"]));
    assert.deepEqual(Object.keys(amounts(JSON.stringify(wallet))?.wallet ?? {}), [
      "A",
      "1INCH",
      "USD.T",
      "A-B",
      "币安人生",
      "USDT_TRC20",
      "A".repeat(24),
    ]);
    for (const [name, shown] of [
      [".A", "U+002EA"],
      ["-A", "U+002DA"],
      ["a b", "AU+0020B"],
      ["<A", "U+003CA"],
      ["A>", "AU+003E"],
      ["A\u202eB", "AU+202EB"],
      ["🪙", "U+1FA99"],
    ] as const)
      assert.deepEqual(amounts(JSON.stringify({ THB: "1", [name]: "2" })), {
        wallet: { THB: ["1", "0"], [shown]: ["2", "0"] },
        unreadable: [],
      });
    for (const name of ["", "A".repeat(25), "\u202e".repeat(5)]) {
      const decoded = amounts(JSON.stringify({ THB: "1", [name]: "1" }));
      assert.deepEqual(decoded, { wallet: { THB: ["1", "0"], "ENTRY-1": "unreadable" }, unreadable: [name] });
      const empty = amounts(JSON.stringify({ THB: "1", [name]: "0" }));
      assert.deepEqual(empty, { wallet: { THB: ["1", "0"] }, unreadable: [name] });
    }
  });

  it("distinguishes an empty wallet from a wallet without readable balances", () => {
    assert.deepEqual(amounts("{}"), { wallet: {}, unreadable: [] });
    for (const json of ['{"THB":null}', '{"message":"hello"}', "[]", "null", "1", '"THB"']) {
      assert.equal(amounts(json), undefined, json);
    }
  });
});
