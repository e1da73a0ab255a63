import assert from "node:assert/strict";
import type { NamedOrder } from "../../src/market/order.ts";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import { ExchangeError } from "../../src/exchange/errors.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { knownBalance } from "../../src/market/balance.ts";
import { Decimal, plainText } from "../../src/market/numbers/decimal.ts";
import type { LimitOrder, Side } from "../../src/market/order.ts";
import { sumFills, type OrderReport } from "../../src/market/orderReport.ts";
import type { OrderHistoryPage } from "../../src/exchange/wire/orders/orderHistory.ts";
import type { Api } from "../../src/practice/http/routes.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import type { Switches } from "../support/servers/switches.ts";
import { pairOf, impatientTransport, testClient, testProfile, timeFrom } from "../support/builders/client.ts";
import { knownFrom } from "../support/builders/reports.ts";
import { allFeatures } from "../support/builders/features.ts";
import { testPair } from "../support/builders/practiceRequest.ts";

import { faults } from "../support/servers/faults.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";

const SYMBOL = "THB_BTC";
const named = { symbol: SYMBOL, pair: { quote: "THB", base: "BTC" } };
const symbolsOfA = {
  method: "GET",
  path: "/api/market/symbols",
  symbolOrder: "quoteFirst",
  envelope: "A",
};
const zero = new Decimal("0");

describe("a list of orders of any length", () => {
  it("is read up to 16 MB", async () => {
    const row = (id: number) => ({
      id: String(id),
      side: "buy",
      rate: "10",
      amount: "100",
      receive: "9.975",
      ts: 1,
    });
    const rows = JSON.stringify({ error: 0, result: Array.from({ length: 20_000 }, (_, id) => row(id)) });
    assert.ok(rows.length > 1024 * 1024);
    const [clock, server] = await Promise.all([
      serveHttp((_request, response) => void response.end(String(Date.now()))),
      serveHttp((_request, response) => void response.end(rows)),
    ]);
    try {
      const transport = timeFrom(clock.url);
      const client = testClient(server.url, { features: allFeatures("B") }, { transport });
      const { orders, unreadable } = (await client.capabilities.openOrders?.(named)) ?? assert.fail();
      assert.deepEqual([orders.length, unreadable], [20_000, []]);
    } finally {
      await Promise.all([clock.close(), server.close()]);
    }
  });
});

describe("the client and every generation of the practice exchange", () => {
  let practice: ProxiedPractice;
  let client: ExchangeClient;
  let last: Decimal;
  afterEach(() => practice.close());

  async function start(api: Api, switches: Partial<Switches> = {}): Promise<void> {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      api,
      switches,
    });
    const { features, ...given } = practice.profile;
    // The oldest generation lists pairs without limits.
    const oldest = { ...features, ...(api === "spec" && !switches.isBasic && { symbols: symbolsOfA }) };
    const profile = readProfile({ paths: {}, ...given, features: oldest });
    if (Array.isArray(profile)) assert.fail(profile.join());
    client = testClient(practice.baseUrl, profile, {
      credentials: () => Promise.resolve(pairOf(testPair.apiKey, testPair.apiSecret)),
    });
    const ticker = (await client.tickers()).tickers.get(SYMBOL) ?? assert.fail();
    last = new Decimal(String(ticker.last));
  }

  /** Places an order that rests, 15 % away from the last price. */
  async function rest(side: Side, amount: string): Promise<NamedOrder> {
    const rate = last.times(side === "buy" ? "0.85" : "1.15").round(2);
    const order: LimitOrder = {
      ...named,
      side,
      amount: new Decimal(amount),
      rate,
      quantity: zero,
      fee: zero,
    };
    const { orderId } = await client.placeOrder(order);
    return { ...named, side, orderId: orderId ?? assert.fail() };
  }

  const open = async (): Promise<readonly OrderReport[]> =>
    ((await client.capabilities.openOrders?.(named)) ?? assert.fail()).orders;
  const infoOf = async (order: NamedOrder): Promise<OrderReport> =>
    (await client.capabilities.orderInfo?.(order)) ?? assert.fail("not found");
  const history = async (): Promise<readonly OrderReport[]> =>
    ((await client.capabilities.orderHistory?.(named)) ?? assert.fail()).orders;

  for (const [api, name] of [
    ["spec", "A"],
    ["current", "B and C"],
  ] as const) {
    it(`${name}: agree on a bid that rests, is filled in parts, and is cancelled`, async () => {
      await start(api);
      const order = await rest("buy", "1000");
      const [resting] = await open();
      assert.deepEqual(
        [resting?.orderId, resting?.side, resting?.status, resting?.amount?.toFixed()],
        [order.orderId, "buy", "open", "1000"],
      );
      assert.ok(practice.fillOrder(order.orderId, new Decimal("400")));
      const info = await infoOf(order);
      assert.deepEqual([info.status, info.unclearFills, info.fills.length], ["open", undefined, 1]);
      const { value, fee } = sumFills(info.fills);
      assert.equal(plainText(value.plus(fee)), "400");
      const [past] = await history();
      assert.deepEqual(
        [past?.orderId, past?.unclearFills, past?.closedAt],
        [order.orderId, undefined, undefined],
      );

      assert.equal(await client.capabilities.cancelOrder?.(order), "accepted");
      assert.equal((await infoOf(order)).status, "partlyFilledCancelled");
      assert.deepEqual(await open(), []);
      assert.equal(await client.capabilities.cancelOrder?.(order), "unknownOrder");
    });

    it(`${name}: agree on an ask, whose amounts are in base`, async () => {
      await start(api);
      const bid = await rest("buy", "100000");
      assert.ok(practice.fillOrder(bid.orderId, new Decimal("100000")));
      const ask = await rest("sell", "0.01");
      const [resting] = await open();
      assert.deepEqual([resting?.side, resting?.quantity?.toFixed()], ["sell", "0.01"]);
      assert.ok(practice.fillOrder(ask.orderId, new Decimal("0.004")));
      const info = await infoOf(ask);
      assert.deepEqual(
        [info.remaining?.toFixed(), sumFills(info.fills).quantity.toFixed()],
        ["0.006", "0.004"],
      );
      const balance = knownBalance(await client.wallet(), "BTC");
      assert.equal(balance?.reserved.toFixed(), "0.006");
    });

    it(`${name}: report the same fills in an order's details and in the order history`, async () => {
      await start(api);
      const order = await rest("buy", "1234.56");
      for (const part of ["100.01", "333.33", "801.22"])
        assert.ok(practice.fillOrder(order.orderId, new Decimal(part)));
      const info = await infoOf(order);
      const past = (await history()).find(({ orderId }) => orderId === order.orderId) ?? assert.fail();
      assert.deepEqual([info.status, info.fills.length, past.fills.length], ["filled", 3, 3]);
      const known = knownFrom([info, past]);
      assert.deepEqual([known.doubts, known.status], [[], "filled"]);
    });

    it(`${name}: page through a history to its end, each match once`, async () => {
      await start(api);
      const order = await rest("buy", "1000");
      for (let nth = 0; nth < 7; nth++) assert.ok(practice.fillOrder(order.orderId, new Decimal("20")));
      const ids: string[] = [];
      let position: OrderHistoryPage["next"];
      let pages = 0;
      do {
        const page: OrderHistoryPage | undefined = await client.capabilities.orderHistory?.({
          ...named,
          limit: 3,
          position,
        });
        ids.push(...(page?.orders.flatMap(({ fills }) => fills.map(({ id }) => id)) ?? []));
        position = page?.next;
        pages += 1;
      } while (position && pages < 9);
      assert.deepEqual([pages, ids.length, new Set(ids).size], [3, 7, 7]);
    });

    it(`${name}: agree on pairs, order book and trades`, async () => {
      await start(api);
      const { symbols, depth, trades } = client.capabilities;
      const { listings, unreadable } = (await symbols?.()) ?? assert.fail();
      assert.deepEqual(unreadable, []);
      assert.equal(listings.size, (await client.tickers()).tickers.size);
      const minimum = listings.get(SYMBOL)?.minimumAmount?.toFixed();
      assert.equal(minimum, api === "current" ? "10" : undefined);
      const book = (await depth?.({ ...named, levels: 5 })) ?? assert.fail();
      assert.deepEqual([book.unreadable, book.asks.length > 0, book.bids.length > 0], [0, true, true]);
      assert.ok(book.asks[0]?.price.gt(book.bids[0]?.price ?? assert.fail()));
      const newest = (await trades?.({ ...named, count: 5 })) ?? assert.fail();
      assert.ok(Math.abs((newest[0]?.at ?? 0) - Date.now()) < 3_600_000);
    });
  }

  it("agree that an unsupported pair is refused with 61, and an unknown order with 24", async () => {
    await start("spec", { unsupportedPairs: [SYMBOL] });
    await assert.rejects(open(), { code: 61, provesNothingHappened: true });
    practice.switches.unsupportedPairs = [];
    const never = { ...named, side: "buy", orderId: "999" } as const;
    assert.equal(await client.capabilities.orderInfo?.(never), undefined);
    assert.equal(await client.capabilities.cancelOrder?.(never), "unknownOrder");
  });

  it("offer nothing beyond the four endpoints without features", async () => {
    await start("spec", { isBasic: true });
    assert.ok(Object.values(client.capabilities).every((method) => method === undefined));
    assert.equal((await client.wallet()).size, 1);
  });
});

describe("capabilities of a service that fails", () => {
  let clockServer: LoopbackServer;
  before(async () => {
    clockServer = await serveHttp((_request, response) => void response.end(String(Date.now())));
  });
  after(() => clockServer.close());

  const order = { ...named, side: "buy", orderId: "1" } as const;
  for (const [name, { expected, transient, start }] of Object.entries(faults)) {
    it(`${name}: reads fail with ${expected.join(" ")}, a cancellation too, ${transient ? "after three tries" : "at once"}`, async () => {
      const server = await start();
      try {
        const { seen } = server;
        const transport = expected[1] === "timeout" ? impatientTransport(() => seen.length) : undefined;
        const client = testClient(
          server.url,
          { features: allFeatures("B") },
          { transport: timeFrom(clockServer.url, transport) },
        );
        const kinds: unknown[] = [];
        const failed = async (attempt: Promise<unknown> | undefined): Promise<void> => {
          const error: unknown = await attempt?.then(
            () => "succeeded",
            (reason: unknown) => reason,
          );
          kinds.push(error instanceof ExchangeError ? error.kind : error);
        };
        await failed(client.capabilities.openOrders?.(named));
        await failed(client.capabilities.cancelOrder?.(order));
        assert.deepEqual(kinds, [expected[0], expected[0]]);
        const tries = server.seen.map(({ path }) => path.split("?")[0]);
        const each = transient ? 3 : 1;
        assert.equal(tries.filter((path) => path === "/openOrders").length, each);
        assert.equal(tries.filter((path) => path === "/cancelOrder").length, each);
      } finally {
        await server.close();
      }
    });
  }

  it("never send a request to another host than the profile's", async () => {
    for (const path of ["/../../orders", "/\\evil.example/orders", "/@evil.example"]) {
      const features = allFeatures("B");
      const { openOrders = assert.fail() } = features;
      const profile = testProfile(clockServer.url, {
        features: { ...features, openOrders: { ...openOrders, path } },
      });
      const seen = clockServer.seen.length;
      await assert.rejects(
        testClient(clockServer.url, profile).capabilities.openOrders?.(named) ?? assert.fail(),
      );
      assert.ok(clockServer.seen.length > seen);
    }
  });
});
