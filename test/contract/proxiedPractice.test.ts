import assert from "node:assert/strict";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { Api } from "../../src/practice/http/routes.ts";
import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import { ownerOf, type OwnerRequests } from "../support/builders/practiceOrders.ts";
import { testPair, type Answered } from "../support/builders/practiceRequest.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);

describe("the proxy in front of a practice exchange", () => {
  const { last } = createMarket(DEFAULT_SEED).quoteAt("THB_ETH", NOW);
  let exchange: ProxiedPractice;
  let owner: OwnerRequests;
  let clock: number;
  afterEach(() => exchange.close());

  async function start(api: Api = "spec"): Promise<void> {
    clock = NOW;
    exchange = await startProxiedPractice({ credentials: testPair, now: () => clock, api });
    owner = ownerOf(exchange, () => clock);
  }
  /** Places a bid that rests, with a client id; its order id. */
  async function bid(path = "/api/market", sym = "THB_ETH"): Promise<string> {
    const rate = Math.floor(last * 0.85);
    const order = { sym, amt: 1000, rat: rate, typ: "limit", client_id: "A-1" };
    return ((await owner.post(`${path}/place-bid`, order)).result as { id: string }).id;
  }
  const post = (name: string, more: object = {}): Promise<Answered> =>
    owner.post(`/api/market/${name}`, { sym: "THB_ETH", ...more });

  for (const api of ["spec", "current"] as const)
    it(`lets the order history of the ${api} API lag`, async () => {
      await start(api);
      const id = await (api === "spec" ? bid() : bid("/api/v3/market", "eth_thb"));
      exchange.switches.historyLagMs = 20_000;
      exchange.fillOrder(id, new Decimal("100"));
      const rows = async (): Promise<number> => {
        const query = "/api/v3/market/my-order-history?sym=eth_thb&lmt=5";
        const answer = await (api === "spec" ? post("my-order-history", { lmt: 5 }) : owner.get(query));
        return (answer.result as unknown[]).length;
      };
      assert.equal(await rows(), 0);
      clock += 20_000;
      assert.equal(await rows(), 1);
    });

  it("loses client ids, everywhere or in open orders only", async () => {
    await start();
    const id = await bid();
    const seen = async (): Promise<readonly string[]> => {
      const open = (await post("my-open-orders")).result as { client_id: string }[];
      const info = (await post("order-info", { id, sd: "buy" })).result as { client_id: string };
      return [...open, info].map((row) => row.client_id);
    };
    assert.deepEqual(await seen(), ["A-1", "A-1"]);
    exchange.switches.clientIds = "blankInOpenOrders";
    assert.deepEqual(await seen(), ["", "A-1"]);
    exchange.switches.clientIds = "dropped";
    assert.deepEqual(await seen(), ["", ""]);
  });

  it("does not support the orders of a pair, and forgets cancelled ones", async () => {
    await start();
    const id = await bid();
    await post("cancel-order", { id, sd: "buy" });
    const info = async (): Promise<number | undefined> => (await post("order-info", { id, sd: "buy" })).error;
    assert.equal(await info(), 0);
    exchange.switches.cancelledKeptMs = 0;
    assert.equal(await info(), 24);
    exchange.switches.unsupportedPairs = ["THB_ETH"];
    assert.deepEqual([await info(), (await post("my-open-orders")).error], [61, 61]);
  });

  it("loses a response before or after the request takes effect, once", async () => {
    await start();
    for (const when of ["before", "after"] as const) {
      exchange.faults.next("placeBid", { kind: "reset", when });
      await assert.rejects(bid());
    }
    assert.equal(await bid(), "2");
    assert.equal(exchange.requests.placeBid, 3);
  });
});
