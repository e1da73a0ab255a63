import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { ownerOf, type OwnerRequests } from "../../../support/builders/practiceOrders.ts";
import { send, testPair, type Answered } from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const SYMBOL = "THB_ETH";

describe("practice, as services are today", () => {
  const { last } = createMarket(DEFAULT_SEED).quoteAt(SYMBOL, NOW);
  const low = Math.floor(last * 0.85);
  const high = Math.ceil(last * 1.15);
  let exchange: PracticeExchange;
  let owner: OwnerRequests;
  let clock: number;

  beforeEach(async () => {
    clock = NOW;
    exchange = await startPractice({ credentials: testPair, now: () => clock, api: "current" });
    owner = ownerOf(exchange, () => clock);
  });
  const bid = (
    rate: number,
    clientId?: string,
    path = "/api/v3/market",
    sym = "eth_thb",
  ): Promise<Answered> =>
    owner.post(`${path}/place-bid`, {
      sym,
      amt: 1000,
      rat: rate,
      typ: "limit",
      ...(clientId !== undefined && { client_id: clientId }),
    });
  /** An unsigned request. */
  const get = (target: string, headers: Record<string, string> = {}): Promise<Answered> =>
    send(exchange.baseUrl, "GET", target, { headers: { ...headers, "User-Agent": "test" } });
  const idOf = ({ result }: Answered): string => (result as { id: string }).id;
  afterEach(() => exchange.close());

  describe("of generation B", () => {
    const V3 = "/api/v3/market";

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

    it("list every pair with its limits", async () => {
      const { result } = await get(`${V3}/symbols`);
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
        await get(path),
        await get(path, { "X-SVC-APIKEY": "other" }),
        await get(path, { "X-SVC-APIKEY": testPair.apiKey }),
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
