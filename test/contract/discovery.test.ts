import assert from "node:assert/strict";
import { readPastedAddress } from "../../src/exchange/discovery/address.ts";
import {
  discoverExchange,
  discoverExchangeAccount,
  discoveryPorts,
  type DiscoveryPorts,
} from "../../src/exchange/discovery/discovery.ts";
import { discoveredProfile } from "../../src/exchange/discovery/discoveredProfile.ts";
import type { PublicDiscovery } from "../../src/exchange/discovery/publicDiscovery.ts";
import { RefusedError, UnreadableResponseError } from "../../src/exchange/errors.ts";
import { meaningOf } from "../../src/exchange/meaning.ts";
import { systemTimers } from "../../src/time/timers.ts";
import { createTransport } from "../../src/http/transport.ts";
import { readProfile } from "../../src/exchange/profile.ts";
import { Secret, type Credentials } from "../../src/exchange/signing/credentials.ts";
import { openWebSocket } from "../../src/exchange/stream/socket.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import type { Api } from "../../src/practice/http/routes.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { answerOf, serveHttp, type Answer, type LoopbackServer } from "../support/servers/loopback.ts";

const HEADERS = { Accept: "application/json", "Content-Type": "application/json", "User-Agent": "Bidside" };
const ports: DiscoveryPorts = {
  transport: createTransport({ timeoutMs: 2000 }),
  openSocket: openWebSocket,
  after: systemTimers.after,
  now: Date.now,
  headers: HEADERS,
};
/** For servers without streams: a socket that is rejected immediately. */
const withoutStreams: DiscoveryPorts = {
  ...ports,
  openSocket: (_url, events) => {
    queueMicrotask(() => events.ended({ reason: "refused", detail: "none" }));
    return { send: () => undefined, ping: () => undefined, close: () => undefined };
  },
};
const credentials: Credentials = {
  apiKey: new Secret(testPair.apiKey),
  apiSecret: new Secret(testPair.apiSecret),
};

async function found(bases: readonly URL[], given = ports): Promise<PublicDiscovery> {
  const discovery = await discoverExchange(bases, given);
  if ("error" in discovery) throw discovery.error;
  return discovery;
}

describe("discovery of the practice exchange", () => {
  let practice: ProxiedPractice;
  afterEach(() => practice.close());

  async function start(api: Api): Promise<URL> {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      api,
      switches: { streams: streamKinds },
    });
    return new URL(practice.baseUrl);
  }

  async function account(discovery: PublicDiscovery, pair: Credentials = credentials) {
    const profile = { headerPrefix: discovery.headerPrefix ?? "" };
    return await discoverExchangeAccount(discovery, { profile, credentials: async () => pair }, ports);
  }

  it("finds all of today's API, from the address alone", async () => {
    const discovery = await found([await start("current")]);
    assert.equal(discovery.serverTime, "/api/v3/servertime");
    assert.deepEqual(
      [discovery.tickers.path, discovery.tickers.symbolOrder],
      ["/api/v3/market/ticker", "baseFirst"],
    );
    assert.equal(discovery.headerPrefix, "X-SVC-");
    assert.equal(discovery.historyPath, "/tradingview/history");
    assert.ok((discovery.candlesSince ?? Infinity) < Date.now() - 365 * 86_400_000);
    assert.deepEqual(Object.keys(discovery.features).toSorted(), ["depth", "status", "symbols", "trades"]);
    assert.deepEqual(
      [discovery.tickerStream, discovery.bookStream],
      ["/websocket-api/", "/websocket-api/orderbook/"],
    );
  });

  for (const [name, api] of [
    ["today's API", "current"],
    ["the specification's API", "spec"],
  ] as const)
    it(`makes a valid profile of ${name}, whose account can be read, without changing the account`, async () => {
      const discovery = await found([await start(api)]);
      const read = await account(discovery);
      assert.equal(read.error, undefined);
      const draft = discoveredProfile(discovery, read, { headerPrefix: discovery.headerPrefix ?? "" });
      const profile = readProfile(draft);
      assert.ok(!Array.isArray(profile), String(profile));
      for (const capability of ["balances", "openOrders", "orderInfo", "orderHistory", "placeAsk"] as const)
        assert.ok(profile.features[capability], capability);
      assert.deepEqual(
        [practice.requests.placeBid, practice.requests.placeAsk, practice.requests.cancelOrder],
        [0, 0, 0],
      );
      assert.equal(practice.requests.reset, 0);
    });

  it("names a secret that is wrong, and asks nothing further", async () => {
    const discovery = await found([await start("current")]);
    const before = practice.requests.openOrders;
    const read = await account(discovery, { ...credentials, apiSecret: new Secret("another") });
    assert.ok(read.error instanceof RefusedError && read.error.code === 6);
    assert.equal(practice.requests.openOrders, before);
  });

  it("signs by the exchange's clock when this computer's is an hour off", async () => {
    const discovery = await found([await start("current")]);
    practice.faults.clockSkewMs = 3_600_000;
    assert.equal((await account(discovery)).error, undefined);
    const { clockAheadMs = 0 } = await found([new URL(practice.baseUrl)]);
    assert.ok(Math.abs(clockAheadMs - 3_600_000) < 10_000, String(clockAheadMs));
  });

  it("distinguishes a missing permission from a missing capability", async () => {
    const discovery = await found([await start("current")]);
    practice.faults.next("openOrders", { kind: "code", when: "before", code: 52 });
    const read = await account(discovery);
    assert.deepEqual([...read.denied], ["openOrders"]);
    assert.equal(read.features.placeAsk, undefined);
    assert.ok(read.features.orderHistory);
  });
});

describe("discovery of an unknown server", () => {
  let server: LoopbackServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(answer: Answer): Promise<URL> {
    server = await serveHttp(answer);
    return new URL(server.url);
  }

  /** JSON at these paths, and today's 404 elsewhere. */
  const serving =
    (answers: Readonly<Record<string, unknown>>): Answer =>
    ({ path }, response) => {
      const known = Object.hasOwn(answers, path.split("?")[0] ?? "");
      const body = known ? answers[path.split("?")[0] ?? ""] : { error: 404, message: "Not Found" };
      response.writeHead(known ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };
  const row = (symbol: string) => ({
    symbol,
    last: "10",
    lowest_ask: "11",
    highest_bid: "9",
    quote_volume: "5",
  });

  it("sends unsigned GETs only, at most 30, to the given origin", async () => {
    const base = await serve(serving({ "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB")] }));
    await found([base], withoutStreams);
    assert.ok(server && server.seen.length <= 30, String(server?.seen.length));
    for (const { method, headers, body } of server.seen) {
      assert.equal(method, "GET");
      assert.equal(body.length, 0);
      assert.ok(!Object.keys(headers).some((name) => /sign|apikey|timestamp/.test(name)));
    }
  });

  it("mixes generations: each capability is used where it responds", async () => {
    const base = await serve(
      serving({
        "/api/servertime": { error: 0, result: 1_700_000_000 },
        "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB"), row("XRP_THB")],
        "/api/market/symbols": { error: 0, result: [{ id: 1, symbol: "THB_BTC", info: "" }] },
        "/api/market/depth": { asks: [[11, 1]], bids: [[9, 1]] },
      }),
    );
    const { serverTime, tickers, features } = await found([base], withoutStreams);
    assert.deepEqual(
      [serverTime, tickers.path, tickers.symbolOrder, features.symbols?.path, features.depth?.path],
      ["/api/servertime", "/api/v3/market/ticker", "baseFirst", "/api/market/symbols", "/api/market/depth"],
    );
  });

  it("places orders in the generation of the open orders, else of the history, the info or the wallet", async () => {
    const [ok, ofOrder] = [{ error: 0, result: [] }, { error: 24 }];
    const market = {
      "/api/servertime": { error: 0, result: 1_700_000_000 },
      "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB"), row("XRP_THB")],
    };
    const [v3, v1] = ["/api/v3/market", "/api/market"];
    for (const [answers, path] of [
      [{ [`${v3}/wallet`]: ok, [`${v1}/my-open-orders`]: ok, [`${v3}/my-order-history`]: ok }, v1],
      [{ [`${v1}/wallet`]: ok, [`${v3}/my-open-orders`]: ok, [`${v1}/order-info`]: ofOrder }, v3],
      [{ [`${v3}/wallet`]: ok, [`${v1}/my-order-history`]: ok, [`${v3}/order-info`]: ofOrder }, v1],
      [{ [`${v1}/wallet`]: ok, [`${v3}/order-info`]: ofOrder }, v3],
      [{ [`${v3}/wallet`]: ok }, v3],
      [{ [`${v1}/wallet`]: ok }, v1],
      [{ "/api/v4/wallet/assets": { code: "0", message: "success", data: {} } }, v1],
    ] as const) {
      const base = await serve(serving({ ...market, ...answers }));
      const discovery = await found([base], withoutStreams);
      const signing = { profile: { headerPrefix: "X-SVC-" }, credentials: async () => credentials };
      const { placeBid, features } = await discoverExchangeAccount(discovery, signing, withoutStreams);
      const { openOrders, placeAsk, cancelOrder } = features;
      const trading = openOrders ? [placeBid, placeAsk, cancelOrder] : [placeBid];
      for (const each of trading)
        assert.ok(each?.path.startsWith(`${path}/`), JSON.stringify([answers, each]));
      await server?.close();
    }
  });

  it("believes what symbols state of base and quote, not what most pairs share", async () => {
    const base = await serve(
      serving({
        // Two bases, three currencies: counting would mistake BTC and ETH for the currencies.
        "/api/v3/market/ticker": [row("BTC_THB"), row("BTC_USDT"), row("BTC_EUR"), row("ETH_THB")],
        "/api/v3/market/symbols": {
          error: 0,
          result: [
            { symbol: "BTC_THB", base_asset: "BTC", quote_asset: "THB" },
            { symbol: "BTC_USDT", base_asset: "BTC", quote_asset: "USDT" },
          ],
        },
      }),
    );
    const { tickers } = await found([base], withoutStreams);
    assert.equal(tickers.symbolOrder, "baseFirst");
  });

  it("infers the currency of a market with two currencies", async () => {
    const names = ["THB_BTC", "THB_ETH", "THB_XRP", "USDT_BTC", "USDT_ETH", "USDT_XRP"];
    const base = await serve(serving({ "/api/market/ticker": names.map(row) }));
    const { tickers } = await found([base], withoutStreams);
    assert.equal(tickers.symbolOrder, "quoteFirst");
  });

  it("finds an API below a path prefix, with a version or without, from a pasted endpoint or the base itself", async () => {
    for (const [prefix, pasted] of [
      ["/trading", "/trading/api/market/ticker?x=1"],
      ["/gw/v1", "/gw/v1"],
      ["/gw/v1", "/gw/v1/api/market/ticker"],
      ["/gw/api", "/gw/api/"],
      ["/gw", "/gw/v3/private"],
    ] as const) {
      const tickersOf = { THB_BTC: row("THB_BTC"), THB_ETH: row("THB_ETH") };
      const base = await serve(serving({ [`${prefix}/api/market/ticker`]: tickersOf }));
      const address = readPastedAddress(base.origin + pasted);
      assert.ok(typeof address === "object");
      const { baseUrl, tickers } = await found(address.bases, withoutStreams);
      assert.deepEqual([baseUrl.pathname, tickers.path], [prefix, "/api/market/ticker"], pasted);
      await server?.close();
    }
  });

  it("stops at a rate limit, and reports that it is incomplete", async () => {
    const base = await serve((request, response, nth) => {
      if (nth > 10) return void response.writeHead(429, { "Retry-After": "30" }).end("{}");
      void serving({ "/api/v3/market/ticker": [row("BTC_THB")] })(request, response, nth);
    });
    const { isComplete, tickers } = await found([base], withoutStreams);
    assert.deepEqual([isComplete, tickers.path], [false, "/api/v3/market/ticker"]);
    assert.ok(server && server.seen.length <= 14, String(server?.seen.length));
  });

  it("sends its User-Agent, because some front ends reject requests without one with 403", async () => {
    const market = serving({ "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB")] });
    const base = await serve((request, response, nth) =>
      request.headers["user-agent"] === undefined
        ? void response.writeHead(403, { "Content-Type": "text/html" }).end("<h1>403 Forbidden</h1>")
        : market(request, response, nth),
    );
    const given = discoveryPorts({ userAgent: "Bidside/test", now: Date.now, after: systemTimers.after });
    assert.equal((await found([base], { ...withoutStreams, headers: given.headers })).tickers.pairs, 2);
    const anonymous = await discoverExchange([base], { ...withoutStreams, headers: {} });
    assert.ok("error" in anonymous && meaningOf(anonymous.error) === "forbidden");
  });

  it("finds the rest of a server that hangs at one path", async () => {
    const market = serving({
      "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB")],
      "/api/market/depth": { asks: [[11, 1]], bids: [[9, 1]] },
    });
    const base = await serve((request, response, nth) => {
      if (request.path !== "/api/v3/servertime") void market(request, response, nth);
    });
    const quick = { ...withoutStreams, transport: createTransport({ timeoutMs: 200 }) };
    const { serverTime, features } = await found([base], quick);
    assert.deepEqual([serverTime, features.depth?.path], [undefined, "/api/market/depth"]);
  });

  it("follows no redirect to another host, with or without the key", async () => {
    const other = await serveHttp(answerOf(200, "{}"));
    try {
      const market = serving({ "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB")] });
      const base = await serve((request, response, nth) =>
        request.path === "/api/v3/market/ticker"
          ? market(request, response, nth)
          : void response.writeHead(307, { Location: other.url + request.path }).end(),
      );
      const discovery = await found([base], withoutStreams);
      const signing = { profile: { headerPrefix: "X-SVC-" }, credentials: async () => credentials };
      const { error } = await discoverExchangeAccount(discovery, signing, withoutStreams);
      assert.equal(meaningOf(error), "redirect");
      assert.equal(other.traffic.connections, 0);
    } finally {
      await other.close();
    }
  });

  it("sends no POST but the known reads of an account, all of them signed", async () => {
    const base = await serve(
      serving({
        "/api/servertime": { error: 0, result: 1_800_000_000 },
        "/api/v3/market/ticker": [row("BTC_THB"), row("ETH_THB")],
      }),
    );
    const discovery = await found([base], withoutStreams);
    const before = server?.seen.length ?? 0;
    const signing = { profile: { headerPrefix: "X-SVC-" }, credentials: async () => credentials };
    await discoverExchangeAccount(discovery, signing, withoutStreams);
    const sent = server?.seen.slice(before).filter(({ path }) => path !== "/api/servertime") ?? [];
    assert.ok(sent.every(({ headers }) => headers["x-svc-sign"] !== undefined));
    const posts = sent.flatMap(({ method, path }) => (method === "POST" ? [path] : []));
    assert.deepEqual([...new Set(posts)].toSorted(), [
      "/api/market/balances",
      "/api/market/my-open-orders",
      "/api/market/my-order-history",
      "/api/market/order-info",
      "/api/market/wallet",
      "/api/user/trading-credits",
      "/api/v3/market/balances",
      "/api/v3/market/wallet",
      "/api/v3/user/trading-credits",
    ]);
  });

  it("reports a web page and a redirect as what they are", async () => {
    const page: Answer = (_, response) =>
      void response.writeHead(200, { "Content-Type": "text/html" }).end("<html>Welcome</html>");
    const redirect: Answer = (_, response) => void response.writeHead(302, { Location: "/elsewhere" }).end();
    for (const [answer, reason] of [
      [page, "notJson"],
      [redirect, "redirect"],
    ] as const) {
      const discovery = await discoverExchange([await serve(answer)], withoutStreams);
      assert.ok("error" in discovery && discovery.error instanceof UnreadableResponseError);
      assert.equal(discovery.error.reason, reason);
      await server?.close();
    }
  });

  it("gives up on a server that hangs", async () => {
    const base = await serve(() => undefined);
    const quick = { ...withoutStreams, transport: createTransport({ timeoutMs: 100 }) };
    const discovery = await discoverExchange([base], quick);
    assert.ok("error" in discovery);
    assert.ok(server && server.seen.length <= 4);
  });
});
