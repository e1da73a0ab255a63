import assert from "node:assert/strict";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { knownBalance } from "../../src/market/balance.ts";
import { Decimal, plainText, priceText, truncate } from "../../src/market/numbers/decimal.ts";
import { type LimitOrder, type Side, validateOrder } from "../../src/market/order.ts";
import type { Api } from "../../src/practice/http/routes.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { asksOffered, endpointsAt, testAsk, testBid, testClient } from "../support/builders/client.ts";
import { context } from "../support/builders/orderContext.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { serveHttp, type LoopbackServer, type SeenRequest } from "../support/servers/loopback.ts";

const SYMBOL = "THB_BTC";

describe("asks of the client on the practice exchange", () => {
  let practice: ProxiedPractice;
  let client: ExchangeClient;
  afterEach(() => practice.close());

  async function start(api: Api = "spec", isBasic = false): Promise<void> {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      api,
      switches: { isBasic },
    });
    const profile = readProfile({ paths: {}, ...practice.profile });
    if (Array.isArray(profile)) assert.fail(profile.join());
    client = testClient(practice.baseUrl, profile);
  }

  /** An order within all guards, far enough from the market to rest. */
  async function order(side: Side, amount: string): Promise<LimitOrder> {
    const { tickers } = await client.tickers();
    const ticker = tickers.get(SYMBOL) ?? assert.fail(SYMBOL);
    const last = ticker.last ?? assert.fail("no trade yet");
    const rate = priceText(Math.round(last * (side === "buy" ? 0.95 : 1.05)));
    const checked = validateOrder(
      { side, symbol: SYMBOL, amount, rate },
      { ...context, ticker, available: undefined, offersAsks: true },
    );
    if (Array.isArray(checked)) assert.fail(JSON.stringify(checked));
    return checked;
  }

  async function available(asset: string): Promise<string> {
    return plainText(knownBalance(await client.wallet(), asset)?.available ?? new Decimal("0"));
  }

  async function buyAll(amount: string): Promise<void> {
    const { orderId = "" } = await client.placeOrder(await order("buy", amount));
    practice.fillOrder(orderId, new Decimal(amount));
  }

  for (const api of ["spec", "current"] as const)
    it(`agree on the base that leaves to the last digit, and on the money that arrives to the cent, in the ${api} API`, async () => {
      await start(api);
      await buyAll("100000");
      const bought = await available("BTC");
      const money = new Decimal(await available("THB"));
      const ask = await order("sell", bought);

      const { orderId = "", differences } = await client.placeOrder(ask);

      assert.deepEqual([differences, orderId === ""], [undefined, false]);
      assert.deepEqual([practice.requests.placeAsk, practice.requests.placeBid], [1, 1]);
      assert.deepEqual([await available("BTC"), await available("THB")], ["0", plainText(money)]);
      practice.fillOrder(orderId, ask.amount);
      const arrived = new Decimal(await available("THB")).minus(money);
      assert.equal(plainText(truncate(arrived, 2)), plainText(ask.quantity));
    });

  it("agree on the client id of an order, so that an exchange that ignores our ids is noticed", async () => {
    await start();
    const clientId = "BS-01JCONTRACT";
    const receipt = await client.placeOrder({ ...(await order("buy", "1000")), clientId });
    assert.equal(receipt.clientId, clientId);
  });

  it("agree that a post-only order which would be filled at once ends as cancelled, without a fill", async () => {
    await start();
    const before = await available("THB");
    const bid = await order("buy", "1000");
    const crossing = { ...bid, rate: bid.rate.times("1.1").round(0), postOnly: true as const };
    const { orderId = "" } = await client.placeOrder(crossing);
    const info = await client.capabilities.orderInfo?.({ ...crossing, orderId });
    assert.deepEqual([info?.status, info?.fills, await available("THB")], ["cancelled", [], before]);
  });

  it("agree on asks that the exchange refuses: more than is there, worth too little, far below the last price", async () => {
    await start();
    await buyAll("1000");
    const ask = await order("sell", await available("BTC"));
    for (const [code, change] of [
      [18, { amount: ask.amount.plus("0.00000001") }],
      [15, { amount: new Decimal("0.00000001") }],
      [14, { rate: ask.rate.times("0.5").round(2) }],
    ] as const) {
      await assert.rejects(client.placeOrder({ ...ask, ...change }), {
        kind: "refused",
        endpoint: "placeAsk",
        code,
        provesNothingHappened: true,
      });
    }
  });

  it("are not sent where the profile has no path for them", async () => {
    await start("spec", true);
    await assert.rejects(client.placeOrder(testAsk()), { kind: "notSent", reason: "notOffered" });
    assert.throws(() => client.prepareOrder("sell"), { kind: "notSent", reason: "notOffered" });
    assert.equal(practice.requests.placeAsk, 0);
  });
});

describe("the request of an ask", () => {
  let server: LoopbackServer;
  let posts: SeenRequest[];
  beforeEach(async () => {
    posts = [];
    server = await serveHttp((request, response) => {
      if (request.method === "POST") posts.push(request);
      const seconds = Math.floor(Date.now() / 1000);
      response.end(request.method === "POST" ? '{"error":0}' : `{"error":0,"result":${seconds}}`);
    });
  });
  afterEach(() => server.close());

  it("has the path, the order and the case of symbols of its own; and so has a bid", async () => {
    const { placeAsk } = asksOffered;
    assert.ok(placeAsk);
    const own = { ...placeAsk, path: "/v3/sell?x=1", symbolOrder: "baseFirst", symbolCase: "lower" } as const;
    const endpoints = endpointsAt();
    const placeBid = { ...endpoints.placeBid, symbolOrder: "baseFirst", symbolCase: "lower" } as const;
    const client = testClient(server.url, { features: { placeAsk: own } });
    await client.placeOrder(testAsk("0.50", "15000.5"));
    await client.placeOrder(testBid("1000.00", "15000.5"));
    const other = testClient(server.url, { endpoints: { ...endpoints, placeBid } });
    await other.placeOrder(testBid("1000.00", "15000.5"));
    assert.deepEqual(
      posts.map(({ path, body }) => [path, body.toString()]),
      [
        ["/v3/sell?x=1", '{"sym":"btc_thb","amt":0.5,"rat":15000.5,"typ":"limit"}'],
        ["/api/market/place-bid", '{"sym":"THB_BTC","amt":1000,"rat":15000.5,"typ":"limit"}'],
        ["/api/market/place-bid", '{"sym":"btc_thb","amt":1000,"rat":15000.5,"typ":"limit"}'],
      ],
    );
  });
});
