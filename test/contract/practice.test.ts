import assert from "node:assert/strict";
import { NoResponseError, RefusedError, UnreadableResponseError } from "../../src/exchange/errors.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { knownBalance } from "../../src/market/balance.ts";
import { Decimal, plainText, priceText } from "../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules, validateOrder, type LimitOrder } from "../../src/market/order.ts";
import type { HttpFault } from "../support/servers/httpFaults.ts";
import type { PracticeOptions } from "../../src/practice/http/server.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { impatientTransport, testClient } from "../support/builders/client.ts";

const pair = { apiKey: "test-key", apiSecret: "test-secret" };

describe("the client and the practice exchange", () => {
  let practice: ProxiedPractice;

  async function start(options: Partial<PracticeOptions> = {}): Promise<ProxiedPractice> {
    practice = await startProxiedPractice({ credentials: pair, now: Date.now, ...options });
    return practice;
  }

  async function bidAt(
    client: ReturnType<typeof testClient>,
    symbol: string,
    amount: string,
  ): Promise<LimitOrder> {
    const { tickers } = await client.tickers();
    const ticker = tickers.get(symbol) ?? assert.fail(symbol);
    const rate = priceText(ticker.bestAsk ?? assert.fail("no ask"));
    const bid = validateOrder(
      { side: "buy", symbol, amount, rate },
      {
        ticker,
        available: undefined,
        rules: defaultRules,
        limits: defaultLimits,
        priceAgeMs: 0,
        offersAsks: false,
        pricesAreStale: false,
      },
    );
    if (Array.isArray(bid)) assert.fail(JSON.stringify(bid));
    return bid;
  }

  afterEach(() => practice.close());

  it("agree on the time, the market and the account", async () => {
    const client = testClient((await start()).baseUrl);
    assert.ok(Math.abs((await client.serverTime()) - Date.now()) < 2000);
    const { tickers, unreadable } = await client.tickers();
    assert.ok(tickers.size >= 40);
    assert.equal(unreadable, 0);
    assert.equal([...tickers.values()].filter(({ frozen }) => frozen).length, 1);
    for (const { bestBid = 0, bestAsk = 0, last = 0, high = 0, low = 0, frozen } of tickers.values()) {
      if (!frozen) assert.ok(bestBid < bestAsk && low <= last && last <= high);
    }
    const wallet = await client.wallet();
    assert.equal(plainText(knownBalance(wallet, "THB")?.available ?? assert.fail()), "1000000");
  });

  it("agree on what a filled bid costs and brings, to the last digit", async () => {
    const client = testClient((await start()).baseUrl);
    const bid = await bidAt(client, "THB_BTC", "1000.01");
    const { orderId } = await client.placeOrder(bid);
    assert.ok(orderId);
    const wallet = await client.wallet();
    assert.equal(plainText(knownBalance(wallet, "THB")?.available ?? assert.fail()), "998999.99");
    const bought = knownBalance(wallet, "BTC")?.available;
    // The ask may have fallen or risen after it was read; if it rose, the bid rests.
    if (bought) assert.ok(bought.gte(bid.quantity), plainText(bought));
    assert.equal(practice.requests.placeBid, 1);
  });

  it("agree on every order that the exchange refuses, before and after its rules", async () => {
    const client = testClient((await start()).baseUrl);
    const bid = await bidAt(client, "THB_ETH", "1000");
    const codes: [number, Partial<LimitOrder>][] = [
      [11, { pair: { quote: "THB", base: "NOSUCH" } }],
      [14, { rate: bid.rate.times("2") }],
      [15, { amount: new Decimal("9.99") }],
      [18, { amount: new Decimal("1000000.01") }],
    ];
    for (const [code, change] of codes) {
      await assert.rejects(
        client.placeOrder({ ...bid, ...change }),
        (error) => error instanceof RefusedError && error.code === code && error.provesNothingHappened,
        String(code),
      );
    }
    assert.equal(
      plainText(knownBalance(await client.wallet(), "THB")?.available ?? assert.fail()),
      "1000000",
    );
  });

  it("agree on a wrong key (3), a wrong secret (6) and a wrong prefix (2)", async () => {
    const { baseUrl } = await start();
    const credentials = (apiKey: string, apiSecret: string) => async () => ({
      apiKey: new Secret(apiKey),
      apiSecret: new Secret(apiSecret),
    });
    const refusedWith = (code: number) => (error: unknown) =>
      error instanceof RefusedError && error.code === code;
    await assert.rejects(
      testClient(baseUrl, {}, { credentials: credentials("other", "test-secret") }).wallet(),
      refusedWith(3),
    );
    await assert.rejects(
      testClient(baseUrl, {}, { credentials: credentials("test-key", "other") }).wallet(),
      refusedWith(6),
    );
    await assert.rejects(testClient(baseUrl, { headerPrefix: "X-OTHER-" }).wallet(), refusedWith(2));
  });

  const fates: [string, HttpFault, (error: unknown) => boolean, boolean][] = [
    [
      "a reset before its effect",
      { kind: "reset", when: "before" },
      (e) => e instanceof NoResponseError,
      false,
    ],
    ["a reset after its effect", { kind: "reset", when: "after" }, (e) => e instanceof NoResponseError, true],
    [
      "an error page after its effect",
      { kind: "html", when: "after", status: 502 },
      (e) => e instanceof UnreadableResponseError,
      true,
    ],
    ["half an answer", { kind: "cutJson" }, (e) => e instanceof UnreadableResponseError, true],
    [
      "error 90 after its effect",
      { kind: "code", when: "after", code: 90 },
      (e) => e instanceof RefusedError && !e.provesNothingHappened,
      true,
    ],
    ["silence", { kind: "delay", when: "after", ms: 60_000 }, (e) => e instanceof NoResponseError, true],
  ];
  for (const [what, fault, expected, spent] of fates) {
    it(`agree on a bid that met ${what}: sent once, unproven, and in the wallet if placed`, async () => {
      const { baseUrl } = await start();
      const bid = await bidAt(testClient(baseUrl), "THB_BTC", "1000");
      const transport = impatientTransport(() => practice.requests.placeBid);
      const client = testClient(baseUrl, {}, what === "silence" ? { transport } : {});
      practice.faults.next("placeBid", fault);
      await assert.rejects(client.placeOrder(bid), expected);
      assert.equal(practice.requests.placeBid, 1);
      const wallet = await testClient(baseUrl).wallet();
      const free = plainText(knownBalance(wallet, "THB")?.available ?? assert.fail());
      assert.equal(free, spent ? "999000" : "1000000");
    });
  }
});
