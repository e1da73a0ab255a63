import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import { fillOrder } from "../../../support/builders/fillOrder.ts";
import {
  startPractice,
  type PracticeExchange,
  type PracticeOptions,
} from "../../../../src/practice/http/server.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { ownerOf } from "../../../support/builders/practiceOrders.ts";
import { testPair, type Answered } from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const SECONDS = Math.floor(NOW / 1000);
const MARKET = "/api/market";
const SYMBOL = "THB_ETH";

describe("practice orders", () => {
  const market = createMarket(DEFAULT_SEED);
  const { last, ask, bid } = market.quoteAt(SYMBOL, NOW);
  const low = Math.floor(last * 0.85);
  const high = Math.ceil(last * 1.15);
  let exchange: PracticeExchange;
  let account: Exchange;
  let clock: number;
  let records: unknown[];

  async function start(options: Partial<PracticeOptions> = {}): Promise<void> {
    await exchange?.close();
    const log = { records: [...records], append: (record: unknown) => void records.push(record) };
    account = new Exchange(market, log);
    exchange = await startPractice({ credentials: testPair, now: () => clock, account, ...options });
  }
  const post = (endpoint: string, body?: unknown): Promise<Answered> =>
    ownerOf(exchange, () => clock).post(`${MARKET}/${endpoint}`, body);
  const order = (amt: number, rat: number, more: object = {}): object => ({
    sym: SYMBOL,
    amt,
    rat,
    typ: "limit",
    ...more,
  });
  /** Places an order and returns its id. */
  async function placed(side: "bid" | "ask", body: object): Promise<string> {
    const answer = await post(`place-${side}`, body);
    assert.equal(answer.error, 0, answer.text);
    return (answer.result as { id: string }).id;
  }
  /** Buys base immediately, so that there is something to sell. */
  const buy = (amount: number): Promise<string> => placed("bid", order(amount, high));
  const balances = async (): Promise<unknown> => (await post("balances")).result;
  const boughtBase = async (): Promise<number> =>
    ((await balances()) as Record<string, { available: number }>)["ETH"]?.available ?? 0;
  const openOrders = async (): Promise<Record<string, unknown>[]> =>
    (await post("my-open-orders", { sym: SYMBOL })).result as Record<string, unknown>[];

  beforeEach(() => {
    records = [];
    clock = NOW;
    return start();
  });
  afterEach(() => exchange.close());

  /** Proceeds of a sale: the exchange truncates them to 2 decimals. */
  const received = (value: Decimal, fee: Decimal): string =>
    value.minus(fee).round(2, Decimal.roundDown).toFixed();

  describe("place-ask", () => {
    it("sells at once at the best bid, for the quote without the fee, cut at 2 decimals", async () => {
      await buy(10_000);
      const before = await boughtBase();
      const answer = await post("place-ask", order(0.05, low));
      const value = new Decimal(String(bid)).times("0.05");
      const fee = value.times("0.0025");
      assert.equal(
        answer.text,
        `{"error":0,"result":{"id":"2","typ":"limit","amt":0.05,"rat":${low},"fee":${fee.toFixed()},"cre":0,` +
          `"rec":${received(value, fee)},"ts":"${SECONDS}"}}`,
      );
      const sum = new Decimal("990000").plus(received(value, fee)).toFixed();
      const left = new Decimal(String(before)).minus("0.05").toFixed();
      assert.equal(
        (await post("balances")).text,
        `{"error":0,"result":{"THB":{"available":${sum},"reserved":0},"ETH":{"available":${left},"reserved":0}}}`,
      );
    });

    it("rests above the best bid with its base reserved, and expects its own rate", async () => {
      await buy(10_000);
      const before = await boughtBase();
      const answer = await post("place-ask", order(0.05, high));
      const value = new Decimal(String(high)).times("0.05");
      const fee = value.times("0.0025");
      assert.partialDeepStrictEqual(answer.result, {
        amt: 0.05,
        fee: Number(fee.toFixed()),
        rec: Number(received(value, fee)),
      });
      assert.deepEqual(await balances(), {
        THB: { available: 990_000, reserved: 0 },
        ETH: { available: Number(new Decimal(String(before)).minus("0.05").toFixed()), reserved: 0.05 },
      });
    });

    it("is filled at its own rate when the market's bid reaches the rate", async () => {
      await buy(10_000);
      const bids = Array.from({ length: 360 }, (_, step) => market.quoteAt(SYMBOL, NOW + step * 10_000).bid);
      const rate = Math.floor(Math.max(...bids));
      assert.ok(rate > bid, "the ask rests at first");
      const id = await placed("ask", order(0.01, rate));
      clock = NOW + 3_600_000;
      assert.deepEqual(await openOrders(), []);
      const { result } = await post("order-info", { sym: SYMBOL, id, sd: "sell" });
      assert.partialDeepStrictEqual(result, { status: "filled", rate, filled: 0.01, remaining: 0 });
    });

    it("refuses an invalid order with the codes of a bid, its minimum in quote and its balance in base", async () => {
      await buy(10_000);
      const available = await boughtBase();
      const cases: [code: number, body: unknown][] = [
        [1, "{"],
        [10, { sym: SYMBOL, amt: 1, rat: high }],
        [10, order(1, high, { typ: "market" })],
        [10, order(1, high, { client_id: 5 })],
        [11, order(1, high, { sym: "ETH_THB" })],
        [11, order(1, high, { sym: "THB_ZIL" })],
        [12, order(0, high)],
        [13, order(0.05, 0)],
        [14, order(0.05, Math.ceil(last * 1.21))],
        [14, order(0.05, Math.floor(last * 0.79))],
        [15, order(0.00001, high)],
        [18, order(available + 1, high)],
        [18, order(1, 5400, { sym: "THB_SOL" })],
      ];
      const before = records.length;
      for (const [code, body] of cases) {
        const answer = await post("place-ask", body);
        assert.equal(answer.error, code, `${JSON.stringify(body)} → ${answer.text}`);
        assert.equal(answer.status, 200);
      }
      assert.equal(records.length, before);
    });
  });

  describe("cancel-order", () => {
    it("releases the reserved amount, in the asset of each side, and returns no result", async () => {
      await buy(10_000);
      const untouched = await balances();
      const bidId = await placed("bid", order(1000.5, low));
      const askId = await placed("ask", order(0.05, high));
      for (const [id, sd] of [
        [bidId, "buy"],
        [Number(askId), "sell"],
      ]) {
        assert.equal((await post("cancel-order", { sym: SYMBOL, id, sd })).text, '{"error":0}');
      }
      assert.deepEqual(await openOrders(), []);
      assert.deepEqual(await balances(), untouched);
      await start();
      assert.deepEqual(await balances(), untouched, "also after a restart");
    });

    it("keeps what was filled before", async () => {
      const id = await placed("bid", order(1000, low));
      assert.ok(fillOrder(account, id, new Decimal("400"), clock));
      assert.equal((await post("cancel-order", { sym: SYMBOL, id, sd: "buy" })).error, 0);
      const bought = new Decimal("399").div(String(low)).round(8, Decimal.roundDown).toFixed();
      assert.deepEqual(await balances(), {
        THB: { available: 999_600, reserved: 0 },
        ETH: { available: Number(bought), reserved: 0 },
      });
    });

    it("refuses an order that is not open with 21, and other mistakes with their codes", async () => {
      const filled = await buy(1000);
      const open = await placed("bid", order(1000, low));
      const cancelled = await placed("bid", order(1000, low));
      await post("cancel-order", { sym: SYMBOL, id: cancelled, sd: "buy" });
      const cases: [code: number, body: unknown][] = [
        [1, ""],
        [10, { id: open, sd: "buy" }],
        [10, { sym: SYMBOL, sd: "buy" }],
        [10, { sym: SYMBOL, id: open }],
        [11, { sym: "THB_NONE", id: open, sd: "buy" }],
        [22, { sym: SYMBOL, id: open, sd: "BUY" }],
        [22, { sym: SYMBOL, id: open, sd: "both" }],
        [21, { sym: SYMBOL, id: filled, sd: "buy" }],
        [21, { sym: SYMBOL, id: cancelled, sd: "buy" }],
        [21, { sym: SYMBOL, id: open, sd: "sell" }],
        [21, { sym: "THB_BTC", id: open, sd: "buy" }],
        ...["999", "", "1e0", "x", null, 0, -1].map((id): [number, unknown] => [
          21,
          { sym: SYMBOL, id, sd: "buy" },
        ]),
      ];
      for (const [code, body] of cases) {
        assert.equal((await post("cancel-order", body)).error, code, JSON.stringify(body));
      }
      assert.equal((await openOrders()).length, 1);
    });
  });

  describe("my-open-orders", () => {
    it("lists the open orders of a pair, the newest first, in numbers and seconds", async () => {
      await buy(10_000);
      await placed("bid", order(1000, low, { client_id: "A-1" }));
      await placed("bid", { ...order(1000, 5000), sym: "THB_SOL" });
      await placed("ask", order(0.05, high));
      const { text } = await post("my-open-orders", { sym: SYMBOL, note: "ignored" });
      const value = new Decimal("0.05").times(String(high));
      const fee = value.times("0.0025");
      const bought = new Decimal("997.5").div(String(low)).round(8, Decimal.roundDown).toFixed();
      assert.equal(
        text,
        `{"error":0,"result":[{"id":4,"side":"SELL","type":"limit","rate":${high},"fee":${fee.toFixed()},"credit":0,` +
          `"amount":0.05,"receive":${received(value, fee)},"parent_id":0,"super_id":0,"client_id":"","ts":${SECONDS}},` +
          `{"id":2,"side":"BUY","type":"limit","rate":${low},"fee":2.5,"credit":0,"amount":1000,"receive":${bought},` +
          `"parent_id":0,"super_id":0,"client_id":"A-1","ts":${SECONDS}}]}`,
      );
    });

    it("needs a pair", async () => {
      assert.equal((await post("my-open-orders", "{}")).error, 10);
      assert.equal((await post("my-open-orders", { sym: "ALL" })).error, 11);
      assert.equal((await post("my-open-orders")).error, 1);
    });

    it("is empty after a reset of the account", async () => {
      const id = await placed("bid", order(1000, low));
      const path = "/practice/reset";
      assert.equal((await ownerOf(exchange, () => clock).post(path)).error, 0);
      assert.deepEqual(await openOrders(), []);
      assert.equal((await post("order-info", { sym: SYMBOL, id, sd: "buy" })).error, 24);
      assert.deepEqual((await post("my-order-history", { sym: SYMBOL })).result, []);
    });
  });

  describe("order-info", () => {
    it("returns an open order with its matches, amounts in the asset that is spent", async () => {
      const id = await placed("bid", order(1000, low, { client_id: "A-1" }));
      clock = NOW + 1234;
      fillOrder(account, id, new Decimal("400"), clock);
      const { result } = await post("order-info", { sym: SYMBOL, id, sd: "buy" });
      assert.deepEqual(result, {
        id,
        first: id,
        parent: "0",
        last: id,
        client_id: "A-1",
        post_only: false,
        amount: "1000",
        rate: low,
        fee: 2.5,
        credit: 0,
        filled: 400,
        total: 1000,
        status: "unfilled",
        partial_filled: true,
        remaining: 600,
        history: [{ amount: 400, credit: 0, fee: 1, id, rate: low, timestamp: clock, txn_id: `${id}-1` }],
      });
    });

    it("returns filled and cancelled orders as such, and error 24 for an unknown order", async () => {
      const filled = await buy(1000);
      const cancelled = await placed("bid", order(1000, low));
      await post("cancel-order", { sym: SYMBOL, id: cancelled, sd: "buy" });
      const info = (id: string, sd = "buy"): Promise<Answered> => post("order-info", { sym: SYMBOL, id, sd });
      assert.partialDeepStrictEqual((await info(filled)).result, {
        status: "filled",
        partial_filled: false,
        filled: 1000,
        remaining: 0,
        history: [{ rate: ask, timestamp: NOW }],
      });
      assert.partialDeepStrictEqual((await info(cancelled)).result, { status: "cancelled", filled: 0 });
      assert.equal((await info("77")).error, 24);
      assert.equal((await info(filled, "sell")).error, 24);
      assert.equal((await info(filled, "short")).error, 22);
    });

    it("forgets a cancelled order after three days, and a filled one never", async () => {
      const filled = await buy(1000);
      const cancelled = await placed("bid", order(1000, low));
      await post("cancel-order", { sym: SYMBOL, id: cancelled, sd: "buy" });
      clock = NOW + 3 * 86_400_000;
      assert.equal((await post("order-info", { sym: SYMBOL, id: cancelled, sd: "buy" })).error, 24);
      assert.equal((await post("order-info", { sym: SYMBOL, id: filled, sd: "buy" })).error, 0);
    });
  });

  describe("my-order-history", () => {
    it("returns every match once, newest first, with the amount of a buy in base", async () => {
      await buy(1000);
      const id = await placed("bid", order(1000, low, { client_id: "A-1" }));
      clock = NOW + 5000;
      fillOrder(account, id, new Decimal("400"), clock);
      const { text } = await post("my-order-history", { sym: SYMBOL });
      const part = new Decimal("399").div(String(low)).round(8, Decimal.roundDown).toFixed();
      const whole = new Decimal("997.5").div(String(ask)).round(8, Decimal.roundDown).toFixed();
      assert.equal(
        text,
        `{"error":0,"result":[{"txn_id":"2-1","order_id":"2","client_id":"A-1","taken_by_me":false,"is_maker":true,` +
          `"side":"buy","type":"limit","rate":"${low}","fee":"1","credit":"0","amount":"${part}","ts":${NOW + 5000},` +
          `"order_closed_at":null},{"txn_id":"1-1","order_id":"1","client_id":"","taken_by_me":true,"is_maker":false,` +
          `"side":"buy","type":"limit","rate":"${ask}","fee":"2.5","credit":"0","amount":"${whole}","ts":${NOW},` +
          `"order_closed_at":${NOW}}],"pagination":{"page":1,"last":1,"next":null,"prev":null}}`,
      );
    });

    it("never includes an order that was cancelled without a match", async () => {
      const id = await placed("bid", order(1000, low));
      await post("cancel-order", { sym: SYMBOL, id, sd: "buy" });
      assert.deepEqual((await post("my-order-history", { sym: SYMBOL })).result, []);
    });

    it("pages by number, and limits by time in seconds or ms", async () => {
      for (let bought = 0; bought < 5; bought++) {
        await buy(1000);
        clock += 60_000;
      }
      const page = async (more: object): Promise<{ ids: string[]; pagination: unknown }> => {
        const { text } = await post("my-order-history", { sym: SYMBOL, ...more });
        const { result, pagination } = JSON.parse(text) as {
          result: { order_id: string }[];
          pagination: unknown;
        };
        return { ids: result.map(({ order_id: id }) => id), pagination };
      };
      assert.deepEqual(await page({ lmt: 2 }), {
        ids: ["5", "4"],
        pagination: { page: 1, last: 3, next: 2, prev: null },
      });
      assert.deepEqual(await page({ lmt: 2, p: 3 }), {
        ids: ["1"],
        pagination: { page: 3, last: 3, next: null, prev: 2 },
      });
      assert.deepEqual((await page({ lmt: 2, p: 9 })).ids, []);
      const between = { start: NOW + 60_000, end: NOW + 120_000 };
      assert.deepEqual((await page(between)).ids, ["3", "2"]);
      assert.deepEqual((await page({ start: SECONDS + 60, end: SECONDS + 120 })).ids, ["3", "2"]);
      assert.deepEqual((await page({ start: NOW + 240_001 })).ids, []);
    });
  });

  it("refuses every private path without a signature, before it reads the body", async () => {
    const paths = [
      "place-ask",
      "cancel-order",
      "my-open-orders",
      "my-order-history",
      "order-info",
      "balances",
    ];
    const unsigned = ownerOf(exchange, () => NOW - 60_000);
    for (const path of paths) assert.equal((await unsigned.post(`${MARKET}/${path}`, "{")).error, 8, path);
  });

  describe("client ids", () => {
    it("are echoed in the response for both sides, only if one was sent", async () => {
      await buy(10_000);
      const bought = await post("place-bid", order(1000, low, { client_id: "A-1" }));
      const sold = await post("place-ask", order(0.01, high, { client_id: "A-2" }));
      const without = await post("place-bid", order(1000, low));
      const ci = ({ result }: Answered): unknown => (result as { ci?: unknown }).ci;
      assert.deepEqual([bought, sold, without].map(ci), ["A-1", "A-2", undefined]);
    });

    it("may be used again, for a second order", async () => {
      for (const id of ["1", "2"])
        assert.equal(await placed("bid", order(1000, low, { client_id: "A-1" })), id);
    });
  });
});
