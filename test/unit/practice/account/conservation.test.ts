import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonNumber } from "../../../../src/practice/json.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { readEvent } from "../../../../src/practice/account/events.ts";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import { Ledger } from "../../../../src/practice/account/ledger.ts";
import { MATCH_STEP_MS, MAX_PARTS } from "../../../../src/practice/account/matching.ts";
import type { Match, PracticeOrder } from "../../../../src/practice/account/order.ts";
import type { Market } from "../../../../src/practice/market/market.ts";
import { unit } from "../../../../src/practice/market/noise.ts";
import { assertProperty } from "../../../support/rounds.ts";

const START = 1_000_000 * MATCH_STEP_MS;
const PRICES: Readonly<Record<string, number>> = { THB_BTC: 3_000_000, THB_DOGE: 6.2, THB_PEPE: 0.0004 };
const SYMBOLS = Object.keys(PRICES);
const ASSETS = ["THB", "BTC", "DOGE", "PEPE"];
const ZERO = new Decimal("0");

/** A market that moves by up to 3 % between matching times, and trades little or much. */
const market: Market = {
  find: (symbol) => (PRICES[symbol] === undefined ? undefined : { base: symbol.slice(4), frozen: false }),
  quoteAt: (symbol, at) => {
    const places = symbol === "THB_PEPE" ? 6 : 2;
    const scale = 10 ** places;
    const share = 0.97 + 0.06 * unit(SYMBOLS.indexOf(symbol), Math.floor(at / MATCH_STEP_MS));
    const steps = Math.round((PRICES[symbol] ?? 0) * share * scale);
    return { last: steps / scale, ask: (steps + 1) / scale, bid: (steps - 1) / scale };
  },
  candle: (symbol, from) => {
    const thb = 40_000 * unit(9, Math.floor(from / MATCH_STEP_MS));
    const volume = Math.round((thb / (PRICES[symbol] ?? 1)) * 1e8) / 1e8;
    return { open: 1, high: 1, low: 1, close: 1, volume };
  },
  pairs: [],
  tickerAt: () => assert.fail("no ticker is requested"),
  tickersAt: () => [],
};

/** A log cut off by a kill, before or after the record was written. */
class MortalLog {
  readonly records: unknown[] = [];
  #appends = Number.POSITIVE_INFINITY;
  #isLastKept = false;

  killAfter(appends: number, isLastKept: boolean): void {
    this.#appends = appends;
    this.#isLastKept = isLastKept;
  }

  /** What the next process finds. */
  reopened(): { records: unknown[]; append: (record: unknown) => void } {
    this.#appends = Number.POSITIVE_INFINITY;
    return { records: [...this.records], append: (record) => this.#append(record) };
  }

  #append(record: unknown): void {
    this.#appends -= 1;
    const isKilled = this.#appends < 0;
    if (!isKilled || this.#isLastKept) this.records.push(JSON.parse(JSON.stringify(record)));
    if (isKilled) throw new Error("killed");
  }
}

const pair = fc.constantFrom(...SYMBOLS);
/** The rate by its distance from the last price; the amount as a share of what is available. */
const place = fc.record({
  step: fc.constantFrom("bid" as const, "ask" as const),
  symbol: pair,
  distance: fc.double({ min: -0.03, max: 0.03, noNaN: true }),
  share: fc.double({ min: 0.01, max: 1.05, noNaN: true }),
  postOnly: fc.constantFrom(false, false, true),
});
const step = fc.oneof(
  { weight: 6, arbitrary: place },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("pass" as const), ms: fc.nat(300_000) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("cancel" as const), pick: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant("kill" as const),
      appends: fc.nat(3),
      isLastKept: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("restart" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One account over a series of steps, and what the exchange acknowledged. */
class AccountRun {
  readonly log = new MortalLog();
  now = START;
  exchange = new Exchange(market, this.log.reopened());
  readonly acknowledged = new Set<number>();
  readonly cancelled = new Set<number>();
  kills = 0;

  take(given: Step): void {
    switch (given.step) {
      case "pass":
        this.now += given.ms;
        break;
      case "kill":
        this.log.killAfter(given.appends, given.isLastKept);
        return;
      case "restart":
        return this.reopen();
      default:
    }
    try {
      this.exchange.match(this.now);
      if (given.step === "cancel") this.#cancel(given.pick);
      else if (given.step !== "pass") this.#place(given);
    } catch (error) {
      if (!(error instanceof Error) || error.message !== "killed") throw error;
      this.kills += 1;
      this.reopen();
    }
  }

  reopen(): void {
    this.exchange = new Exchange(market, this.log.reopened());
  }

  #place(given: Extract<Step, { step: "bid" | "ask" }>): void {
    const { step: kind, distance, share, postOnly } = given;
    const wallet = this.exchange.wallet();
    const held = SYMBOLS.filter((each) => wallet.get(each.slice(4))?.available.gt(ZERO));
    const symbol = kind === "bid" || held.includes(given.symbol) ? given.symbol : (held[0] ?? given.symbol);
    const { last } = market.quoteAt(symbol, this.now);
    const asset = kind === "bid" ? "THB" : symbol.slice(4);
    const available = wallet.get(asset)?.available ?? ZERO;
    const amount = available.times(share.toFixed(6)).round(8, Decimal.roundDown);
    const rate = (last * (1 + distance)).toFixed(symbol === "THB_PEPE" ? 6 : 2).replace(/\.?0+$/, "");
    const figures = { amt: new JsonNumber(amount.toFixed()), rat: new JsonNumber(rate) };
    const body = { sym: symbol, ...figures, typ: "limit", post_only: postOnly };
    const placed = this.exchange.place(kind, body, this.now);
    if ("order" in placed) this.acknowledged.add(placed.order.id);
    else if (share <= 1) assert.notEqual(placed.code, 18);
  }

  #cancel(pick: number): void {
    const open = [...this.exchange.orders.values()].filter(({ closed }) => !closed);
    const chosen = open[pick % Math.max(open.length, 1)];
    if (chosen && this.exchange.cancel(chosen.placed.id, this.now)) this.cancelled.add(chosen.placed.id);
  }
}

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), ZERO);

/** Proceeds of a sale: the digits after two decimals stay with the market. */
const cut = (value: Decimal): string => value.round(2, Decimal.roundDown).toFixed();

/**
 * No order spent more than it had, and its matches yield exactly what its fee leaves, truncated once on acceptance and once
 * for all later ones.
 */
function checkOrder({ placed, matches, left, closed }: PracticeOrder): void {
  const filled = sum(matches.map(({ amount }) => amount));
  const given = closed?.as === "cancelled" ? placed.amount.minus(filled) : ZERO;
  assert.ok(filled.lte(placed.amount), "filled beyond its amount");
  assert.equal(left.plus(filled).plus(given).toFixed(), placed.amount.toFixed());
  assert.ok(matches.length <= MAX_PARTS + 1);
  if (closed) assert.ok(left.eq(ZERO));
  if (placed.postOnly) assert.ok(matches.every(({ isMaker }) => isMaker));
  for (const { amount, quantity, fee, rate } of matches) {
    const value = placed.kind === "bid" ? amount : amount.times(rate);
    assert.equal(fee.toFixed(), value.times("0.0025").toFixed());
    if (placed.kind === "bid")
      assert.ok(quantity.times(rate).lte(amount.minus(fee).plus(rate.times("0.0000001"))));
    assert.ok(placed.kind === "bid" ? rate.lte(placed.rate) : rate.gte(placed.rate));
  }
  if (placed.kind === "bid") return;
  const net = ({ amount, rate, fee }: Match): Decimal => amount.times(rate).minus(fee);
  const parts = closed?.as === "filled" && matches.at(-1)?.isMaker === true ? matches.slice(0, -1) : matches;
  for (const part of parts) assert.equal(part.quantity.toFixed(), cut(net(part)));
  const later = matches.filter(({ isMaker }) => isMaker);
  if (closed?.as === "filled")
    assert.equal(sum(later.map(({ quantity }) => quantity)).toFixed(), cut(sum(later.map(net))));
}

/** Both assets of every order are conserved, computed from the matches alone. */
function checkAccount(run: AccountRun): void {
  const { exchange, log } = run;
  const orders = [...exchange.orders.values()];
  orders.forEach(checkOrder);
  const ledger = new Ledger();
  for (const record of log.records) ledger.apply(readEvent(record));
  const wallet = exchange.wallet();
  for (const asset of ASSETS) {
    const gives = ({ placed }: PracticeOrder): boolean =>
      (placed.kind === "bid" ? placed.quote : placed.base) === asset;
    const gets = ({ placed }: PracticeOrder): boolean =>
      (placed.kind === "bid" ? placed.base : placed.quote) === asset;
    const given = sum(orders.filter(gives).flatMap(({ matches }) => matches.map(({ amount }) => amount)));
    const got = sum(orders.filter(gets).flatMap(({ matches }) => matches.map(({ quantity }) => quantity)));
    const fees = asset === "THB" ? sum(orders.flatMap(({ matches }) => matches.map(({ fee }) => fee))) : ZERO;
    const { available = ZERO, reserved = ZERO } = wallet.get(asset) ?? {};
    const start = asset === "THB" ? "1000000" : "0";
    assert.ok(available.gte(ZERO) && reserved.gte(ZERO));
    assert.equal(available.plus(reserved).toFixed(), got.minus(given).plus(start).toFixed(), asset);
    const open = orders.filter((order) => !order.closed && gives(order));
    assert.equal(reserved.toFixed(), sum(open.map(({ left }) => left)).toFixed(), `reserved ${asset}`);
    assert.equal(ledger.total(asset, "fees").toFixed(), fees.toFixed());
    const all = (["available", "reserved", "fees", "market"] as const).map((account) =>
      ledger.total(asset, account),
    );
    assert.equal(sum(all).toFixed(), start, `${asset} of all accounts`);
    assert.equal(ledger.available(asset).toFixed(), available.toFixed());
  }
  for (const id of run.acknowledged) assert.ok(exchange.orders.has(id), `order ${id} is lost`);
  for (const id of run.cancelled) assert.equal(exchange.orders.get(id)?.closed?.as, "cancelled");
}

/** Every order, as plain data. */
function ordersOf({ exchange }: AccountRun): unknown {
  return JSON.parse(JSON.stringify([...exchange.orders.values()]));
}

describe("practice account", () => {
  it("conserves both assets, over bids, asks, cancellations, market moves and kills", async () => {
    const counts = { orders: 0, parts: 0, cancelled: 0, kills: 0, asks: 0 };
    const runs = await assertProperty(
      10_000,
      fc.property(fc.array(step, { minLength: 4, maxLength: 24, size: "max" }), (steps) => {
        const run = new AccountRun();
        for (const each of steps) run.take(each);
        const before = ordersOf(run);
        run.reopen();
        assert.deepEqual(ordersOf(run), before, "a restart changes nothing");
        checkAccount(run);
        const orders = [...run.exchange.orders.values()];
        counts.orders += orders.length;
        counts.asks += orders.filter(({ placed }) => placed.kind === "ask").length;
        counts.parts += orders.filter(({ matches }) => matches.length > 1).length;
        counts.cancelled += run.cancelled.size;
        counts.kills += run.kills;
      }),
    );
    console.log(
      `      ${runs} runs: ${counts.orders} orders, ${counts.asks} of them asks, ${counts.parts} filled in ` +
        `parts, ${counts.cancelled} cancelled, ${counts.kills} kills`,
    );
    if (runs < 100) return;
    for (const count of Object.values(counts)) assert.ok(count > runs / 20, JSON.stringify(counts));
  });

  it("comes to the same end for any times of matching, also through kills", async () => {
    await assertProperty(
      300,
      fc.property(
        fc.array(fc.tuple(pair, fc.double({ min: -0.03, max: 0, noNaN: true })), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 30 }),
        (bids, pauses) => {
          const ends = [pauses, [sumOf(pauses)]].map((parts, index) => {
            const run = new AccountRun();
            for (const [symbol, distance] of bids)
              run.take({ step: "bid", symbol, distance, share: 0.3, postOnly: false });
            for (const ms of parts) {
              run.take({ step: "pass", ms });
              if (index === 0) run.reopen();
            }
            return [...run.exchange.orders.values()].map(({ placed, matches }) => [
              placed.id,
              matches.map(({ at, amount }) => [at, amount.toFixed()]),
            ]);
          });
          assert.deepEqual(ends[0], ends[1]);
        },
      ),
    );
  });
});

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
