import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import type { Switches } from "../../../../src/practice/http/switches.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { ownerOf, type OwnerRequests } from "../../../support/builders/practiceOrders.ts";
import { send, testPair, type Answered } from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const SYMBOL = "THB_ETH";

describe("practice switches", function () {
  this.timeout(60_000);
  const { last } = createMarket(DEFAULT_SEED).quoteAt(SYMBOL, NOW);
  const low = Math.floor(last * 0.85);
  const high = Math.ceil(last * 1.15);
  let exchange: PracticeExchange;
  let owner: OwnerRequests;
  let clock: number;

  async function start(switches: Partial<Switches> = {}): Promise<void> {
    await exchange?.close();
    clock = NOW;
    exchange = await startPractice({ credentials: testPair, now: () => clock, switches });
    owner = ownerOf(exchange, () => clock);
  }
  const post = (endpoint: string, body?: object): Promise<Answered> =>
    owner.post(`/api/market/${endpoint}`, body);
  const bid = (rate: number, clientId?: string, path = "/api/market", sym = SYMBOL): Promise<Answered> =>
    owner.post(`${path}/place-bid`, {
      sym,
      amt: 1000,
      rat: rate,
      typ: "limit",
      ...(clientId !== undefined && { client_id: clientId }),
    });
  const idOf = ({ result }: Answered): string => (result as { id: string }).id;
  const clientIdsIn = ({ result }: Answered): unknown =>
    (result as { client_id: string }[]).map(({ client_id: id }) => id);

  afterEach(() => exchange.close());

  describe("client ids", () => {
    async function seen(): Promise<unknown> {
      const placed = await bid(low, "A-1");
      const id = idOf(placed);
      exchange.fillOrder(id, new Decimal("100"));
      return {
        ci: (placed.result as { ci?: string }).ci,
        open: clientIdsIn(await post("my-open-orders", { sym: SYMBOL })),
        info: ((await post("order-info", { sym: SYMBOL, id, sd: "buy" })).result as { client_id: string })
          .client_id,
        history: clientIdsIn(await post("my-order-history", { sym: SYMBOL })),
      };
    }

    it("are echoed everywhere by default", async () => {
      await start();
      assert.deepEqual(await seen(), { ci: "A-1", open: ["A-1"], info: "A-1", history: ["A-1"] });
    });

    it("are dropped everywhere if switched so, whatever their type", async () => {
      await start({ clientIds: "dropped" });
      assert.deepEqual(await seen(), { ci: undefined, open: [""], info: "", history: [""] });
      const odd = { sym: SYMBOL, amt: 1000, rat: low, typ: "limit", client_id: 5 };
      assert.equal((await post("place-bid", odd)).error, 0);
    });

    it("are blank in open orders only, if switched so", async () => {
      await start({ clientIds: "blankInOpenOrders" });
      assert.deepEqual(await seen(), { ci: "A-1", open: [""], info: "A-1", history: ["A-1"] });
    });

    it("make a second order by default, are refused with 10, or answered like the first order", async () => {
      for (const [duplicates, error, id, open] of [
        ["accepted", 0, "2", 2],
        ["refused", 10, undefined, 1],
        ["replayed", 0, "1", 1],
      ] as const) {
        await start({ duplicates });
        const first = await bid(low, "A-1");
        const second = await bid(Math.floor(last * 0.9), "A-1");
        assert.equal(second.error, error, duplicates);
        assert.equal((second.result as { id: string } | undefined)?.id, id, duplicates);
        if (duplicates === "replayed") assert.equal(second.text, first.text);
        const { result } = await post("my-open-orders", { sym: SYMBOL });
        assert.equal((result as unknown[]).length, open, duplicates);
        for (const blank of [undefined, "", "A-2"]) assert.equal((await bid(low, blank)).error, 0);
      }
    });

    it("of the previous account may be used after a reset", async () => {
      await start({ duplicates: "refused" });
      await bid(low, "A-1");
      await owner.post("/practice/reset");
      assert.equal((await bid(low, "A-1")).error, 0);
    });
  });

  it("let the order history lag, and nothing else", async () => {
    await start({ historyLagMs: 20_000 });
    const id = idOf(await bid(high));
    const history = async (): Promise<number> =>
      ((await post("my-order-history", { sym: SYMBOL })).result as unknown[]).length;
    assert.equal(await history(), 0);
    const info = await post("order-info", { sym: SYMBOL, id, sd: "buy" });
    assert.equal((info.result as { status: string }).status, "filled");
    clock = NOW + 19_999;
    assert.equal(await history(), 0);
    clock = NOW + 20_000;
    assert.equal(await history(), 1);
  });

  it("refuse the reads of a pair with 61, and no other pair and no order", async () => {
    await start({ unsupportedPairs: [SYMBOL] });
    const id = idOf(await bid(low));
    for (const [endpoint, body] of [
      ["my-open-orders", { sym: SYMBOL }],
      ["my-order-history", { sym: SYMBOL }],
      ["order-info", { sym: SYMBOL, id, sd: "buy" }],
    ] as const) {
      assert.equal((await post(endpoint, body)).error, 61, endpoint);
    }
    assert.equal((await post("my-open-orders", { sym: "THB_BTC" })).error, 0);
    assert.equal((await post("cancel-order", { sym: SYMBOL, id, sd: "buy" })).error, 0);
  });

  it("let cancelled orders vanish at once, and can be changed while the exchange runs", async () => {
    await start();
    const id = idOf(await bid(low));
    await post("cancel-order", { sym: SYMBOL, id, sd: "buy" });
    const info = (): Promise<Answered> => post("order-info", { sym: SYMBOL, id, sd: "buy" });
    assert.equal((await info()).error, 0);
    exchange.switches.cancelledKeptMs = 0;
    assert.equal((await info()).error, 24);
  });

  it("reduce the exchange to the four endpoints", async () => {
    await start({ generations: [] });
    const gone = [
      "place-ask",
      "cancel-order",
      "my-open-orders",
      "my-order-history",
      "order-info",
      "balances",
    ];
    for (const path of gone) assert.equal((await post(path, {})).status, 404, path);
    for (const path of ["symbols", "depth", "trades"]) {
      assert.equal((await send(exchange.baseUrl, "GET", `/api/market/${path}`)).status, 404, path);
    }
    assert.equal((await bid(low)).error, 0);
    assert.equal((await post("wallet")).error, 0);
  });

  describe("of generation B", () => {
    const V3 = "/api/v3/market";
    beforeEach(() => start({ generations: ["B"] }));

    it("serve its paths and no other generation's", async () => {
      assert.equal((await post("my-open-orders", { sym: SYMBOL })).status, 404);
      assert.equal((await owner.get("/api/v4/wallet/balances")).status, 404);
      assert.equal((await owner.get(`${V3}/my-open-orders?sym=eth_thb`)).error, 0);
    });

    it("name pairs base first in any letter case, and never quote first", async () => {
      for (const [sym, error] of [
        ["eth_thb", 0],
        ["ETH_THB", 0],
        ["THB_ETH", 11],
        ["eththb", 11],
        ["eth_thb_x", 11],
        ["", 11],
      ] as const) {
        assert.equal((await bid(low, undefined, V3, sym)).error, error, sym);
        assert.equal((await owner.get(`${V3}/my-open-orders?sym=${sym}`)).error, error, sym);
      }
      assert.equal((await owner.get(`${V3}/my-open-orders`)).error, 10);
    });

    it("list open orders as text, with times in ms", async () => {
      const id = idOf(await bid(low, "A-1", V3, "eth_thb"));
      const received = new Decimal("997.5").div(String(low)).round(8, Decimal.roundDown).toFixed();
      assert.deepEqual((await owner.get(`${V3}/my-open-orders?sym=eth_thb`)).result, [
        {
          id,
          side: "buy",
          type: "limit",
          rate: String(low),
          fee: "2.5",
          credit: "0",
          amount: "1000",
          receive: received,
          parent_id: "0",
          super_id: "0",
          client_id: "A-1",
          ts: NOW,
        },
      ]);
    });

    it("sell, look up an order and cancel it", async () => {
      await bid(high, undefined, V3, "eth_thb");
      const order = { sym: "eth_thb", amt: 0.001, rat: high, typ: "limit" };
      const id = idOf(await owner.post(`${V3}/place-ask`, order));
      const info = await owner.get(`${V3}/order-info?sym=eth_thb&id=${id}&sd=sell`);
      assert.partialDeepStrictEqual(info.result, { id, status: "unfilled", amount: "0.001" });
      const cancel = { sym: "eth_thb", id, sd: "sell" };
      assert.equal((await owner.post(`${V3}/cancel-order`, cancel)).text, '{"error":0}');
      assert.equal((await owner.post(`${V3}/cancel-order`, cancel)).error, 21);
    });

    it("page the history by a cursor that stays valid while matches arrive, with amounts of buys in quote", async () => {
      for (let bought = 0; bought < 3; bought++) {
        await bid(high, undefined, V3, "eth_thb");
        clock += 1000;
      }
      const page = async (
        more: string,
      ): Promise<{ result: { order_id: string; amount: string; rate: string }[]; pagination: unknown }> =>
        JSON.parse(
          (await owner.get(`${V3}/my-order-history?sym=eth_thb&lmt=2&pagination_type=keyset${more}`)).text,
        );
      const first = await page("");
      assert.deepEqual(first.pagination, { cursor: "2-1", has_next: true });
      assert.deepEqual(
        first.result.map(({ order_id: id, amount }) => [id, amount]),
        [
          ["3", "1000"],
          ["2", "1000"],
        ],
      );
      await bid(high, undefined, V3, "eth_thb");
      const second = await page("&cursor=2-1");
      assert.deepEqual(second.pagination, { cursor: "", has_next: false });
      assert.deepEqual(
        second.result.map(({ order_id: id }) => id),
        ["1"],
      );
      assert.equal(
        (await owner.get(`${V3}/my-order-history?sym=eth_thb&pagination_type=keyset&cursor=x`)).error,
        10,
      );
    });

    it("check the query with the signature", async () => {
      const signedFor = ownerOf(exchange, () => clock);
      assert.equal((await signedFor.get(`${V3}/my-open-orders?sym=eth_thb`)).error, 0);
      const unsigned = await send(exchange.baseUrl, "GET", `${V3}/my-open-orders?sym=eth_thb`);
      assert.equal(unsigned.error, 2);
    });

    it("list every pair with its limits", async () => {
      const { result } = await send(exchange.baseUrl, "GET", `${V3}/symbols`);
      const rows = result as Record<string, unknown>[];
      assert.deepEqual(
        rows.find(({ symbol }) => symbol === "BTC_THB"),
        {
          symbol: "BTC_THB",
          name: "BTC",
          base_asset: "BTC",
          quote_asset: "THB",
          min_quote_size: 10,
          price_scale: 2,
          price_step: "0.01",
          base_asset_scale: 8,
          quote_asset_scale: 2,
          buy_price_gap_as_percent: 20,
          sell_price_gap_as_percent: 20,
          freeze_buy: false,
          freeze_sell: false,
          freeze_cancel: false,
          status: "active",
          source: "exchange",
          pairing_id: 1,
        },
      );
      const stopped = rows.filter(({ status }) => status === "stopped");
      assert.deepEqual(
        stopped.map(({ symbol, freeze_buy, freeze_sell }) => [symbol, freeze_buy, freeze_sell]),
        [["ZIL_THB", true, true]],
      );
    });
  });

  describe("of generation C", () => {
    const V4 = "/api/v4/wallet";
    beforeEach(() => start({ generations: ["C"] }));

    it("return balances and assets as text in its envelope", async () => {
      await bid(low);
      assert.equal(
        (await owner.get(`${V4}/balances`)).text,
        '{"code":"0","message":"success","data":[{"currency":"THB","available":"999000","reserved":"1000","total":"1000000"}]}',
      );
      assert.equal(
        (await owner.get(`${V4}/assets`)).text,
        '{"code":"0","message":"success","data":{"THB":"999000"}}',
      );
    });

    it("refuse with a code of text and the HTTP status of an error", async () => {
      const path = `${V4}/balances`;
      const late = ownerOf(exchange, () => NOW - 60_000);
      const answers = [
        await send(exchange.baseUrl, "GET", path),
        await send(exchange.baseUrl, "GET", path, { headers: { "X-SVC-APIKEY": "other" } }),
        await send(exchange.baseUrl, "GET", path, { headers: { "X-SVC-APIKEY": testPair.apiKey } }),
        await late.get(path),
      ];
      assert.deepEqual(
        answers.map(({ status, text }) => [status, (JSON.parse(text) as { code: string }).code]),
        [
          [401, "A1000"],
          [401, "A1000"],
          [400, "V1003"],
          [401, "V1004"],
        ],
      );
      assert.match(answers[0]?.text ?? "", /^\{"code":"A1000","message":".+","data":\{\}\}$/);
    });
  });
});
