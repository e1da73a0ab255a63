import assert from "node:assert/strict";
import type { Book } from "../../../../src/market/book/book.ts";
import { fillFromBook } from "../../../../src/market/book/bookFill.ts";
import { JsonNumber } from "../../../../src/practice/json.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import {
  fillsOf,
  MATCH_STEP_MS,
  MAX_PARTS,
  takeFrom,
  type Filled,
  type Trading,
} from "../../../../src/practice/account/matching.ts";
import { openOrder, restOf, withMatch, type PracticeOrder } from "../../../../src/practice/account/order.ts";
import { fillAt, type OrderKind } from "../../../../src/practice/account/rules.ts";
import { startPractice, type PracticeExchange } from "../../../../src/practice/http/server.ts";
import { depthAt, MAX_PRACTICE_LEVELS } from "../../../../src/practice/market/book.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import { fillOrder } from "../../../support/builders/fillOrder.ts";
import { ownerOf } from "../../../support/builders/practiceOrders.ts";
import { bidBody, postBid, testPair } from "../../../support/builders/practiceRequest.ts";

const START = Date.UTC(2026, 4, 1, 12, 0, 3);
const DAY = 86_400_000;
const SYMBOL = "THB_ETH";

/** An open order of 100 that was accepted at the epoch. */
function restingOrder(given: {
  readonly kind: OrderKind;
  readonly rate: string;
  readonly amount?: string;
  readonly id?: number;
  readonly at?: number;
}): PracticeOrder {
  const { kind, id = 1, at = 0 } = given;
  const [amount, rate] = [new Decimal(given.amount ?? "100"), new Decimal(given.rate)];
  const { fee } = fillAt(kind, amount, rate);
  return openOrder({ kind, id, at, symbol: "THB_A", quote: "THB", base: "A", amount, rate, fee });
}

describe("practice matching", () => {
  const market = createMarket(DEFAULT_SEED);
  const askAt = (at: number): number => market.quoteAt(SYMBOL, at).ask;

  /** The first grid moment after START at which the ask is at or below this rate. */
  function expectedFill(rate: number): number {
    let at = Math.ceil((START + 1) / MATCH_STEP_MS) * MATCH_STEP_MS;
    while (askAt(at) > rate) at += MATCH_STEP_MS;
    return at;
  }
  /** A rate that the ask reaches some time later. */
  function restingRate(): number {
    const asks = Array.from({ length: 120 }, (_, step) => askAt(START + step * MATCH_STEP_MS));
    return Math.floor(Math.min(...asks) * 1.0002);
  }

  describe("over HTTP", () => {
    let exchange: PracticeExchange;
    let clock = START;
    let records: unknown[] = [];

    async function start(): Promise<void> {
      const log = { records: [...records], append: (record: unknown) => void records.push(record) };
      exchange = await startPractice({
        credentials: testPair,
        now: () => clock,
        account: new Exchange(createMarket(DEFAULT_SEED), log),
      });
    }
    const wallet = async (): Promise<string> =>
      (await ownerOf(exchange, () => clock).post("/api/market/balances")).text;

    beforeEach(() => {
      records = [];
      clock = START;
      return start();
    });
    afterEach(() => exchange.close());

    it("reserves a resting bid, and fills it at its own rate when the ask reaches the rate", async () => {
      const rate = restingRate();
      const at = expectedFill(rate);
      assert.ok(askAt(START) > rate && at > START + MATCH_STEP_MS, "the bid rests at first");

      const placed = await postBid(exchange.baseUrl, bidBody(SYMBOL, 1000, rate), clock);
      const quantity = new Decimal("997.5").div(String(rate)).round(8, Decimal.roundDown).toFixed();
      assert.match(placed.text, new RegExp(`"fee":2.5,"cre":0,"rec":${quantity},`));
      const resting = '{"error":0,"result":{"THB":{"available":999000,"reserved":1000}}}';
      assert.equal(await wallet(), resting);

      clock = at - 1;
      assert.equal(await wallet(), resting);
      clock = at;
      const filled = `{"error":0,"result":{"THB":{"available":999000,"reserved":0},"ETH":{"available":${quantity},"reserved":0}}}`;
      assert.equal(await wallet(), filled);

      await exchange.close();
      await start();
      assert.equal(await wallet(), filled, "and the bid stays filled after a restart");
    });

    it("never fills a bid at a moment before the bid was placed", async () => {
      const rate = restingRate();
      const crossed = expectedFill(rate);
      await postBid(exchange.baseUrl, bidBody(SYMBOL, 1000, Math.floor(rate * 0.9)), clock);
      let later = crossed;
      while (askAt(later) <= rate) later += MATCH_STEP_MS;
      clock = later + 1;
      await postBid(exchange.baseUrl, bidBody(SYMBOL, 2000, rate), clock);
      await exchange.close();
      await start();
      assert.match(await wallet(), /"reserved":3000/);
    });
  });

  it("catches up with a year in limited work", () => {
    let asked = 0;
    const counted = (at: number): { ask: number; bid: number } => {
      asked += 1;
      return market.quoteAt(SYMBOL, at);
    };
    const orders = [restingOrder({ kind: "bid", rate: "1", at: START })];
    const trading = { quoteAt: counted, baseAt: () => assert.fail("nothing is traded") };
    assert.deepEqual(fillsOf(orders, trading, START, START + 365 * DAY), []);
    assert.ok(asked < 365 * 144 + 8640 + 2, `${asked} moments`);
  });

  /** A market whose one price falls by 1 at each moment of the grid, from 101, and trades any quantity. */
  const falling: Trading = {
    quoteAt: (at) => ({ ask: 101 - at / MATCH_STEP_MS, bid: 101 - at / MATCH_STEP_MS }),
    baseAt: () => new Decimal("1000000"),
  };
  const rising: Trading = {
    quoteAt: (at) => ({ ask: 99 + at / MATCH_STEP_MS, bid: 99 + at / MATCH_STEP_MS }),
    baseAt: falling.baseAt,
  };
  const momentsOf = (fills: readonly Filled[]): unknown =>
    fills.map(({ kind, id, at, fill }) => [kind, id, fill.rate.toFixed(), at / MATCH_STEP_MS]);

  it("fills the highest bids first, and each bid once", () => {
    const orders = [98, 100, 99].map((rate, id) => restingOrder({ kind: "bid", id, rate: String(rate) }));
    assert.deepEqual(momentsOf(fillsOf(orders, falling, 0, 10 * MATCH_STEP_MS)), [
      ["filled", 1, "100", 1],
      ["filled", 2, "99", 2],
      ["filled", 0, "98", 3],
    ]);
  });

  it("fills the lowest asks first, and each ask once", () => {
    const orders = [102, 100, 101].map((rate, id) => restingOrder({ kind: "ask", id, rate: String(rate) }));
    assert.deepEqual(momentsOf(fillsOf(orders, rising, 0, 10 * MATCH_STEP_MS)), [
      ["filled", 1, "100", 1],
      ["filled", 2, "101", 2],
      ["filled", 0, "102", 3],
    ]);
  });

  for (const kind of ["bid", "ask"] as const) {
    it(`fills a large ${kind} in parts, by what the market trades, and the parts bring what one fill would`, () => {
      const order = restingOrder({ kind, amount: "1000.00000007", rate: "70.01" });
      const trading = { quoteAt: () => ({ ask: 70.01, bid: 70.01 }), baseAt: () => new Decimal("3.333") };
      const fills = fillsOf([order], trading, 0, DAY);
      const offered = kind === "bid" ? 234 : 100;
      assert.equal(fills.length, Math.ceil(1000 / offered));
      let filled = order;
      for (const { kind: how, fill, at } of fills) {
        const part = how === "partFilled" ? fill : restOf(filled, fill);
        filled = withMatch(filled, part, at, true);
      }
      assert.deepEqual(filled.closed, { at: fills.length * MATCH_STEP_MS, as: "filled" });
      const whole = fillAt(kind, order.placed.amount, order.placed.rate);
      for (const name of ["amount", "quantity", "fee"] as const) {
        const sum = filled.matches.reduce((sum, match) => sum.plus(match[name]), new Decimal("0"));
        const expected = name === "amount" ? order.placed.amount : whole[name];
        assert.equal(sum.toFixed(), expected.toFixed(), name);
      }
    });

    it(`fills a ${kind} in ten parts at most, however little the market trades`, () => {
      const order = restingOrder({ kind, amount: "10.00000009", rate: "70.01" });
      const trading = { quoteAt: () => ({ ask: 70.01, bid: 70.01 }), baseAt: () => new Decimal("0") };
      const fills = fillsOf([order], trading, 0, DAY);
      assert.ok(fills.length <= MAX_PARTS, String(fills.length));
      assert.equal(fills.at(-1)?.kind, "filled");
    });
  }
});

describe("practice matching at an order's acceptance", () => {
  const market = createMarket("practice");
  const AT = Date.UTC(2026, 2, 3, 4, 5, 6);
  const book = depthAt(market, "THB_BTC", AT, MAX_PRACTICE_LEVELS);
  const levels = (side: typeof book.asks) =>
    side.map(([price, size]) => ({ price: new Decimal(String(price)), size: new Decimal(String(size)) }));
  const shown: Book = { asks: levels(book.asks), bids: levels(book.bids), spread: undefined };

  for (const [kind, side] of [
    ["bid", "buy"],
    ["ask", "sell"],
  ] as const) {
    for (const [level, amount] of [
      [0, "20"],
      [3, "3000"],
      [3, "900000"],
      [60, "40000"],
    ] as const) {
      it(`fills a ${kind} of ${amount} THB up to level ${level} as the ticket estimates from the same book`, () => {
        const offers = kind === "bid" ? shown.asks : shown.bids;
        const rate = offers[level]?.price ?? assert.fail();
        const order = {
          amount:
            kind === "bid" ? new Decimal(amount) : new Decimal(amount).div(rate).round(8, Decimal.roundDown),
          rate,
        };
        const estimate = fillFromBook({ side, ...order }, shown, new Decimal("0.0025"));
        const fill = takeFrom(book, { kind, ...order });
        assert.ok(fill && estimate !== "nothing");
        const share = fill.amount.div(order.amount);
        assert.ok(share.minus(estimate.share).abs().lt("0.0002"), `${share} ${estimate.share}`);
        assert.equal(fill.isAll, estimate.share.eq("1"));
        assert.ok(fill.rate.minus(estimate.average).abs().lte("0.01"));
      });
    }
  }

  it("takes nothing if no offer reaches the rate", () => {
    const rate = shown.bids[0]?.price ?? assert.fail();
    assert.equal(takeFrom(book, { kind: "bid", amount: new Decimal("1000"), rate }), undefined);
  });

  it("fills a part at once, and the rest at the order's own rate when the market comes back", () => {
    const exchange = new Exchange(market, undefined);
    const rate = book.asks[3]?.[0] ?? assert.fail();
    const body = {
      sym: "THB_BTC",
      amt: new JsonNumber("900000"),
      rat: new JsonNumber(String(rate)),
      typ: "limit",
    };
    const placed = exchange.place("bid", body, AT);
    assert.ok("order" in placed);
    const order = exchange.orders.get(placed.order.id) ?? assert.fail();
    assert.deepEqual(
      order.matches.map(({ isMaker }) => isMaker),
      [false],
    );
    fillOrder(exchange, String(placed.order.id), order.left, AT + 20_000);
    const { matches, closed } = exchange.orders.get(placed.order.id) ?? assert.fail();
    assert.deepEqual([matches.length, closed?.as, matches[1]?.isMaker], [2, "filled", true]);
    const fees = matches.reduce((sum, { fee }) => sum.plus(fee), new Decimal("0"));
    assert.equal(fees.toFixed(), "2250");
  });
});
