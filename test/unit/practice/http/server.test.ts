import assert from "node:assert/strict";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import {
  startPractice,
  type PracticeExchange,
  type PracticeOptions,
} from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { ownerOf } from "../../../support/builders/practiceOrders.ts";
import {
  bidBody,
  getWallet,
  postBid,
  send,
  signature,
  signedHeaders,
  testPair,
} from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const WALLET = "/api/market/wallet";
const PLACE_BID = "/api/market/place-bid";

describe("practice server", () => {
  const market = createMarket(DEFAULT_SEED);
  const btc = market.quoteAt("THB_BTC", NOW);
  let exchange: PracticeExchange;
  let clock: number;
  let appended: unknown[];

  async function start(options: Partial<PracticeOptions> = {}): Promise<void> {
    await exchange?.close();
    appended = [];
    clock = NOW;
    const log = { records: [], append: (record: unknown) => void appended.push(record) };
    const account = new Exchange(market, log);
    exchange = await startPractice({ credentials: testPair, now: () => clock, account, ...options });
  }
  /** A bid as text fields, placed now. */
  const bid = (body: string) => postBid(exchange.baseUrl, body, clock);

  beforeEach(() => start());
  afterEach(() => exchange.close());

  it("returns the server time in whole seconds in the envelope", async () => {
    const answer = await send(exchange.baseUrl, "GET", "/api/servertime");
    assert.equal(answer.text, `{"error":0,"result":${Math.floor(NOW / 1000)}}`);
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers["content-type"]), /^application\/json/);
  });

  it("returns every pair's ticker by symbol, in numbers without exponent", async () => {
    const answer = await send(exchange.baseUrl, "GET", "/api/market/ticker");
    assert.doesNotMatch(answer.text, /\d[eE][+-]?\d/);
    const result = answer.result as Record<string, Record<string, number>>;
    const expected = market.tickersAt(NOW);
    assert.equal(Object.keys(result).length, expected.length);
    for (const ticker of expected) {
      assert.deepEqual(result[ticker.symbol], {
        id: ticker.id,
        last: ticker.last,
        lowestAsk: ticker.ask,
        highestBid: ticker.bid,
        percentChange: ticker.percentChange,
        baseVolume: ticker.baseVolume,
        quoteVolume: ticker.quoteVolume,
        isFrozen: ticker.frozen ? 1 : 0,
        high24hr: ticker.high,
        low24hr: ticker.low,
      });
    }
  });

  it("returns the wallet for GET and for POST, with an empty body or a signed {}", async () => {
    for (const [method, body] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "{}"],
    ] as const) {
      const headers = signedHeaders(method, WALLET, body, NOW);
      const answer = await send(exchange.baseUrl, method, WALLET, { headers, body });
      assert.equal(answer.text, '{"error":0,"result":{"THB":1000000}}', `${method} ${body}`);
    }
  });

  it("returns available and reserved amounts as balances", async () => {
    await bid(bidBody("THB_BTC", 1000.5, btc.bid));
    const { text } = await ownerOf(exchange, () => NOW).post("/api/market/balances");
    assert.equal(text, '{"error":0,"result":{"THB":{"available":998999.5,"reserved":1000.5}}}');
  });

  it("includes the query string with the path in the signature", async () => {
    const path = `${WALLET}?a=1`;
    const good = await send(exchange.baseUrl, "GET", path, { headers: signedHeaders("GET", path, "", NOW) });
    const bad = await send(exchange.baseUrl, "GET", path, { headers: signedHeaders("GET", WALLET, "", NOW) });
    assert.deepEqual([good.error, bad.error], [0, 6]);
  });

  it("reports the first applicable error of 2, 3, 6 and 8", async () => {
    const stale = NOW - 3_600_000;
    const good = signedHeaders("GET", WALLET, "", stale);
    const { "X-SVC-APIKEY": key = "", "X-SVC-SIGN": sign = "", "X-SVC-TIMESTAMP": timestamp = "" } = good;
    const cases: [expected: number, headers: Record<string, string>][] = [
      [2, {}],
      [2, { "X-SVC-TIMESTAMP": timestamp, "X-SVC-SIGN": sign }],
      [2, { ...good, "X-SVC-APIKEY": "" }],
      [3, { "X-SVC-APIKEY": "another" }],
      [3, { ...good, "X-SVC-APIKEY": `${key}x` }],
      [6, { "X-SVC-APIKEY": key }],
      [6, { "X-SVC-APIKEY": key, "X-SVC-TIMESTAMP": timestamp }],
      [6, { "X-SVC-APIKEY": key, "X-SVC-SIGN": sign }],
      [6, { ...good, "X-SVC-SIGN": sign.toUpperCase() }],
      [6, { ...good, "X-SVC-SIGN": `${sign}00` }],
      [6, { ...good, "X-SVC-TIMESTAMP": String(stale + 1) }],
      [6, signedHeaders("GET", WALLET, "", NOW, { ...testPair, apiSecret: "another" })],
      [6, signedHeaders("POST", WALLET, "", NOW)],
      [6, signedHeaders("GET", "/api/market/other", "", NOW)],
      [6, signedHeaders("GET", WALLET, "{}", NOW)],
      [8, good],
      [0, signedHeaders("GET", WALLET, "", NOW)],
    ];
    for (const [index, [expected, headers]] of cases.entries()) {
      const answer = await send(exchange.baseUrl, "GET", WALLET, { headers });
      assert.equal(answer.error, expected, `case ${index}`);
      assert.equal(answer.status, 200);
    }
    const body = await send(exchange.baseUrl, "POST", PLACE_BID, { headers: good, body: "no json" });
    assert.equal(body.error, 6, "the signature is checked before the body");
  });

  it("accepts a timestamp up to 30 s earlier or later than its own clock, in whole ms only", async () => {
    const cases: [expected: number, timestamp: number | string][] = [
      [0, NOW - 30_000],
      [0, NOW + 30_000],
      [8, NOW - 30_001],
      [8, NOW + 30_001],
      [8, Math.floor(NOW / 1000)],
      [8, `${NOW}.5`],
      [8, `+${NOW}`],
      [8, "now"],
      [8, "0x19c"],
    ];
    for (const [expected, timestamp] of cases) {
      const headers = signedHeaders("GET", WALLET, "", timestamp);
      assert.equal(
        (await send(exchange.baseUrl, "GET", WALLET, { headers })).error,
        expected,
        String(timestamp),
      );
    }
  });

  it("checks a signature against the body byte for byte", async () => {
    const body = '{"sym":"BTC_THB","amt":1000,"rat":15000.5,"typ":"limit"}';
    const headers = signedHeaders("POST", PLACE_BID, body, NOW);
    const asSigned = await send(exchange.baseUrl, "POST", PLACE_BID, { headers, body });
    const changed = await send(exchange.baseUrl, "POST", PLACE_BID, {
      headers,
      body: body.replace("1000", "1001"),
    });
    const respaced = await send(exchange.baseUrl, "POST", PLACE_BID, { headers, body: `${body} ` });
    assert.deepEqual([asSigned.error, changed.error, respaced.error], [11, 6, 6]);
  });

  it("checks the received bytes, and not the text decoded from them", async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    const payload = Buffer.concat([Buffer.from(`${NOW}POST${PLACE_BID}`), bytes]);
    const headers = {
      ...signedHeaders("POST", PLACE_BID, "", NOW),
      "X-SVC-SIGN": signature(testPair.apiSecret, payload),
    };
    const raw = await send(exchange.baseUrl, "POST", PLACE_BID, { headers, body: bytes });
    const decoded = await send(exchange.baseUrl, "POST", PLACE_BID, {
      headers: signedHeaders("POST", PLACE_BID, "{\ufffd}", NOW),
      body: bytes,
    });
    assert.deepEqual([raw.error, decoded.error], [1, 6]);
  });

  it("accepts an order with unknown fields, and ignores the fields", async () => {
    const known = `"sym":"THB_BTC","amt":1000,"rat":${btc.last.toFixed(2).replace(/\.?0+$/, "")},"typ":"limit"`;
    for (const unknown of ['"client_id":"x-1"', '"post_only":false', '"note":{"deep":[1,2]},"__proto__":{}'])
      assert.equal((await bid(`{${known},${unknown}}`)).error, 0, unknown);
  });

  it("rejects each invalid order with its code and a message, and changes nothing", async () => {
    const rate = btc.last.toFixed(2).replace(/\.?0+$/, "");
    const order = (fields: Record<string, string>): string => {
      const all = { sym: '"THB_BTC"', amt: "1000", rat: rate, typ: '"limit"', ...fields };
      return `{${Object.entries(all)
        .flatMap(([key, value]) => (value ? [`"${key}":${value}`] : []))
        .join(",")}}`;
    };
    const far = (share: number): string => (Math.round(btc.last * share * 100) / 100).toString();
    const cases: [expected: number, body: string][] = [
      ...["", "{", "[]", "null", "7", '"x"', "{} {}", "sym=THB_BTC"].map((body): [number, string] => [
        1,
        body,
      ]),
      ...["sym", "amt", "rat", "typ"].map((field): [number, string] => [10, order({ [field]: "" })]),
      ...['"market"', '"LIMIT"', "1", "null"].map((typ): [number, string] => [10, order({ typ })]),
      [1, `{"sym":"THB_BTC","amt":10,"amt":100000,"rat":${rate},"typ":"limit"}`],
      [1, `{"sym":"THB_BTC","amt":1000,"rat":${rate},"typ":"limit","\\u0074yp":"limit"}`],
      [1, order({ note: '{"a":1,"a":2}' })],
      [10, '{"__proto__":{"sym":"THB_BTC"},"amt":1000,"rat":1,"typ":"limit"}'],
      ...['"THB_NONE"', '"BTC_THB"', '"thb_btc"', '""', "5", "null", '"THB_ZIL"', '"toString"'].map(
        (sym): [number, string] => [11, order({ sym })],
      ),
      ...[
        '"1000"',
        "0",
        "-1000",
        "-0",
        "1e3",
        "1000.0",
        "1000.10",
        "10.123456789",
        "null",
        "[1000]",
        "0.0",
      ].map((amt): [number, string] => [12, order({ amt })]),
      ...[`"${rate}"`, "0", "-5", "3e6", "3000000.0", "3000000.10", "1.123456789", "true"].map(
        (rat): [number, string] => [13, order({ rat })],
      ),
      [14, order({ rat: "3000000.001" })],
      [14, order({ rat: far(1.2001) })],
      [14, order({ rat: far(0.7999) })],
      [14, order({ rat: "1" })],
      ...["9.99999999", "0.00000001", "1"].map((amt): [number, string] => [15, order({ amt })]),
      [18, order({ amt: "1000000.00000001" })],
      [18, order({ amt: "999999999999999999" })],
    ];
    for (const [expected, body] of cases) {
      const answer = await bid(body);
      assert.equal(answer.error, expected, `${body} → ${answer.text}`);
      assert.equal(answer.status, 200);
      assert.match(answer.text, /^\{"error":\d+,"message":".+"\}$/);
    }
    assert.equal(appended.length, 1, "only the opening was recorded");
    assert.equal((await getWallet(exchange.baseUrl, NOW)).text, '{"error":0,"result":{"THB":1000000}}');
    for (const share of [1.1999, 0.8001]) assert.equal((await bid(order({ rat: far(share) }))).error, 0);
  });

  it("accepts the finer price steps of prices below 1", async () => {
    const { bid: galaBid } = market.quoteAt("THB_GALA", NOW);
    const { bid: pepeBid } = market.quoteAt("THB_PEPE", NOW);
    assert.equal((await bid(bidBody("THB_GALA", 100, galaBid))).error, 0);
    assert.equal((await bid(bidBody("THB_GALA", 100, (galaBid - 0.00005).toFixed(5)))).error, 14);
    assert.equal((await bid(bidBody("THB_PEPE", 100, (pepeBid - 0.000001).toFixed(8)))).error, 0);
  });

  it("fills a marketable bid at once, at the ask, less the fee, with 8 decimals of base", async () => {
    const answer = await bid(bidBody("THB_BTC", 1234.56789, Math.ceil(btc.ask * 1.01)));
    const fee = "3.086419725";
    const spent = 1_234_567_890_000_000n - 3_086_419_725_000n;
    const quantity = spent / (BigInt(Math.round(btc.ask * 100)) * 100n);
    const text = `0.${quantity.toString().padStart(8, "0")}`.replace(/0+$/, "");
    assert.equal(
      answer.text,
      `{"error":0,"result":{"id":"1","typ":"limit","amt":1234.56789,"rat":${Math.ceil(btc.ask * 1.01)},` +
        `"fee":${fee},"cre":0,"rec":${text},"ts":"${Math.floor(NOW / 1000)}"}}`,
    );
    const wallet = await getWallet(exchange.baseUrl, NOW);
    assert.equal(wallet.text, `{"error":0,"result":{"THB":998765.43211,"BTC":${text}}}`);
  });

  it("spends the last satang, and no more than that", async () => {
    assert.equal((await bid(bidBody("THB_BTC", "999989.99999999", btc.bid))).error, 0);
    assert.equal((await bid(bidBody("THB_BTC", "10.00000002", btc.bid))).error, 18);
    assert.equal((await bid(bidBody("THB_BTC", "10.00000001", btc.bid))).error, 0);
    assert.equal((await getWallet(exchange.baseUrl, NOW)).text, '{"error":0,"result":{"THB":0}}');
  });

  it("reports that it could not record a bid, and changes nothing", async () => {
    let isFull = false;
    await start({
      account: new Exchange(market, {
        records: [],
        append: () => {
          if (isFull) throw new Error("ENOSPC: no space left on device");
        },
      }),
    });
    isFull = true;
    const answer = await bid(bidBody("THB_BTC", 100, btc.bid));
    assert.deepEqual([answer.status, answer.error], [500, 90]);
    assert.match(answer.text, /no space left/);
    isFull = false;
    assert.equal((await getWallet(exchange.baseUrl, NOW)).text, '{"error":0,"result":{"THB":1000000}}');
  });
});
