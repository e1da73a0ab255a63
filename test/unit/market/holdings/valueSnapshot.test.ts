import assert from "node:assert/strict";
import fc from "fast-check";
import { type DailyValue, dailyValues } from "../../../../src/market/holdings/dailyValues.ts";
import type { Trade } from "../../../../src/market/holdings/cost.ts";
import {
  changeBetween,
  changeOver,
  pricedAmounts,
  snapshotIn,
  totalValue,
  tradedAmounts,
  type TradedAmount,
  type ValueChange,
  type ValueSnapshot,
} from "../../../../src/market/holdings/valueSnapshot.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";

const zero = new Decimal("0");
const of = (text: string): Decimal => new Decimal(text);

type Row = readonly [asset: string, quantity: string, price: string];

function snapshot(at: number, balances: readonly Row[], elsewhere: readonly Row[] = []): ValueSnapshot {
  const rows = (all: readonly Row[]) =>
    all.map(([asset, quantity, price]) => ({ asset, quantity: of(quantity), price: of(price) }));
  return { at, account: "practice", quote: "THB", balances: rows(balances), elsewhere: rows(elsewhere) };
}

function change(
  before: ValueSnapshot,
  after: ValueSnapshot,
  trades: readonly TradedAmount[] = [],
): [result: string, transferred: string] {
  const { result, transferred } = changeBetween(before, after, trades);
  return [plainText(result), plainText(transferred)];
}

const buy: Trade = {
  id: "1",
  at: 5,
  side: "buy",
  quantity: of("0.5"),
  value: of("50"),
  fee: of("0.25"),
};

describe("the change between two values", () => {
  it("is a result if prices moved", () => {
    const [before, after] = [snapshot(0, [["BTC", "2", "100"]]), snapshot(9, [["BTC", "2", "130"]])];
    assert.deepEqual(change(before, after), ["60", "0"]);
  });

  it("of a deposit, a withdrawal and an entry is a step, never a gain or a loss", () => {
    const before = snapshot(0, [
      ["THB", "1000", "1"],
      ["BTC", "2", "100"],
    ]);
    const deposited = snapshot(1, [
      ["THB", "6000", "1"],
      ["BTC", "2", "100"],
    ]);
    const withdrawn = snapshot(2, [["THB", "6000", "1"]]);
    const entered = snapshot(3, [["THB", "6000", "1"]], [["BTC", "3", "100"]]);
    assert.deepEqual(change(before, deposited), ["0", "5000"]);
    assert.deepEqual(change(deposited, withdrawn), ["0", "-200"]);
    assert.deepEqual(change(withdrawn, entered), ["0", "300"]);
  });

  it("of a trade is its fee, and what the price moved since", () => {
    const before = snapshot(0, [["THB", "1000", "1"]]);
    const after = snapshot(9, [
      ["THB", "949.75", "1"],
      ["BTC", "0.5", "120"],
    ]);
    const trades = tradedAmounts({ base: "BTC", quote: "THB" }, [buy], 0);
    assert.deepEqual(change(before, after, trades), ["9.75", "0"]);
    assert.deepEqual(
      change(before, after, tradedAmounts({ base: "BTC", quote: "THB" }, [buy], 5)),
      ["0", "9.75"],
      "a trade of an earlier time explains nothing",
    );
  });

  it("of an asset that lost its price is a step at its previous one", () => {
    const before = snapshot(0, [
      ["BTC", "2", "100"],
      ["THB", "1", "1"],
    ]);
    assert.deepEqual(change(before, snapshot(1, [["THB", "1", "1"]])), ["0", "-200"]);
  });

  it("adds up holdings of one asset, and leaves out what has no price", () => {
    const amounts = [
      { asset: "BTC", amount: of("1"), price: of("10") },
      { asset: "AIR", amount: of("5"), price: undefined },
      { asset: "BTC", amount: of("0.1"), price: of("10") },
    ];
    assert.deepEqual(
      pricedAmounts(amounts).map(({ asset, quantity }) => [asset, plainText(quantity)]),
      [["BTC", "1.1"]],
    );
  });
});

const assets = ["THB", "USDT", "BTC", "ETH"] as const;
const pairs = [
  { base: "BTC", quote: "THB" },
  { base: "ETH", quote: "THB" },
  { base: "BTC", quote: "USDT" },
  { base: "USDT", quote: "THB" },
] as const;
/** The assets that values are recorded and shown in. */
const quotes = ["THB", "USDT"] as const;
type Quote = (typeof quotes)[number];
/** THB for one USDT and USDT for one THB: exact decimals both. */
const rates = [
  ["40", "0.025"],
  ["32", "0.03125"],
  ["25", "0.04"],
  ["0.5", "2"],
] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => new Decimal(`${digits}e-${places}`));
const asset = fc.constantFrom(...assets);
const account = fc.integer({ min: 0, max: 1 });
const snapshotTaken = fc.record({
  kind: fc.constant("snapshot" as const),
  account,
  quote: fc.constantFrom(...quotes),
});
const event = fc.oneof(
  fc.record({
    kind: fc.constant("price" as const),
    asset: fc.constantFrom("BTC", "ETH"),
    price: amount,
  }),
  fc.record({ kind: fc.constant("rate" as const), rate: fc.constantFrom(...rates) }),
  fc.record({
    kind: fc.constant("trade" as const),
    account,
    pair: fc.constantFrom(...pairs),
    side: fc.constantFrom("buy" as const, "sell" as const),
    quantity: amount,
    rate: amount,
    feeShare: fc.constantFrom("0", "0.0025", "-0.0001"),
  }),
  fc.record({
    kind: fc.constant("transfer" as const),
    account,
    asset,
    quantity: amount,
    isOut: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("entry" as const), asset, quantity: amount }),
  snapshotTaken,
  snapshotTaken,
  fc.record({
    kind: fc.constant("pause" as const),
    minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 4 * 24 * 60 })),
  }),
);
type Event = typeof event extends fc.Arbitrary<infer Each> ? Each : never;

/** A snapshot that a reader can show, and what was transferred since the one before it, by the model's own books. */
interface Taken {
  readonly snapshot: ValueSnapshot;
  readonly transferred: Decimal;
  readonly value: Decimal;
}

/** Two accounts with one set of entries, moved event by event. Everything is shown in `view`. */
class NaiveAccounts {
  readonly view: Quote;
  at = 0;
  /** In THB. */
  readonly prices = new Map<string, Decimal>(assets.map((each) => [each, of(each === "THB" ? "1" : "100")]));
  #rate: (typeof rates)[number] = ["40", "0.025"];
  readonly balances = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  readonly entries = new Map<string, Decimal>();
  readonly trades: TradedAmount[][] = [[], []];
  /** What no trade explains, by asset, since the last shown snapshot of an account. */
  readonly moved = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  readonly taken: Taken[][] = [[], []];

  constructor(view: Quote) {
    this.view = view;
    this.setRate(this.#rate);
  }

  setRate(rate: (typeof rates)[number]): void {
    this.#rate = rate;
    this.prices.set("USDT", of(rate[0]));
  }

  balance(index: number): Map<string, Decimal> {
    return this.balances[index] ?? assert.fail();
  }

  price(name: string, quote: Quote): Decimal {
    if (name === quote) return of("1");
    const inBaht = this.prices.get(name) ?? assert.fail(name);
    return quote === "THB" ? inBaht : inBaht.times(this.#rate[1]);
  }

  value(index: number): Decimal {
    return [...this.balance(index), ...this.entries].reduce(
      (sum, [name, quantity]) => sum.plus(quantity.times(this.price(name, this.view))),
      zero,
    );
  }

  take(index: number, quote: Quote): void {
    const rows = (all: Map<string, Decimal>) =>
      [...all].map(([name, quantity]) => ({ asset: name, quantity, price: this.price(name, quote) }));
    const recorded: ValueSnapshot = {
      at: this.at,
      account: String(index),
      quote,
      balances: rows(this.balance(index)),
      elsewhere: rows(this.entries),
    };
    // In another asset, a value can be shown only if the record has that asset.
    const isShown =
      quote === this.view || [...this.balance(index), ...this.entries].some(([name]) => name === this.view);
    const shown = snapshotIn(recorded, this.view);
    assert.equal(shown !== undefined, isShown);
    if (!shown) return;
    let transferred = zero;
    for (const [name, quantity] of this.moved[index] ?? [])
      transferred = transferred.plus(quantity.times(this.price(name, this.view)));
    this.moved[index] = new Map();
    this.taken[index]?.push({ snapshot: shown, transferred, value: this.value(index) });
  }
}

function add(to: Map<string, Decimal>, name: string, quantity: Decimal): void {
  to.set(name, (to.get(name) ?? zero).plus(quantity));
}

function replay(events: readonly Event[], view: Quote): NaiveAccounts {
  const naive = new NaiveAccounts(view);
  naive.take(0, view);
  naive.take(1, view);
  for (const [index, each] of events.entries()) {
    naive.at += MINUTE_MS;
    if (each.kind === "pause") naive.at += each.minutes * MINUTE_MS;
    else if (each.kind === "price") naive.prices.set(each.asset, each.price);
    else if (each.kind === "rate") naive.setRate(each.rate);
    else if (each.kind === "trade") {
      const { pair, side, quantity, rate, feeShare } = each;
      const value = quantity.times(rate);
      const { at } = naive;
      const trade: Trade = { id: String(index), at, side, quantity, value, fee: value.times(feeShare) };
      // The model's own bookkeeping, not the function under test.
      const sign = side === "buy" ? of("1") : of("-1");
      add(naive.balance(each.account), pair.base, quantity.times(sign));
      add(naive.balance(each.account), pair.quote, value.times(sign).times("-1").minus(trade.fee));
      naive.trades[each.account]?.push(...tradedAmounts(pair, [trade], 0));
    } else if (each.kind === "transfer") {
      const quantity = each.quantity.times(each.isOut ? "-1" : "1");
      add(naive.balance(each.account), each.asset, quantity);
      add(naive.moved[each.account] ?? assert.fail(), each.asset, quantity);
    } else if (each.kind === "entry") {
      const before = naive.entries.get(each.asset) ?? zero;
      naive.entries.set(each.asset, each.quantity);
      for (const moved of naive.moved) add(moved, each.asset, each.quantity.minus(before));
    } else naive.take(each.account, each.quote);
  }
  naive.at += MINUTE_MS;
  naive.take(0, view);
  naive.take(1, view);
  return naive;
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The day to which the time from one snapshot to the next belongs; undefined for a gap across midnight. */
function dayBetween(before: number, after: number): number | undefined {
  if (dayOf(before) === dayOf(after)) return dayOf(after);
  const midnight = dayOf(after) * DAY_MS;
  if (dayOf(after) - dayOf(before) !== 1) return undefined;
  const [toBefore, toAfter] = [midnight - before, after - midnight];
  if (Math.min(toBefore, toAfter) > HOUR_MS) return undefined;
  return toBefore <= toAfter ? dayOf(after) : dayOf(before);
}

function expectChange(found: ValueChange, result: Decimal, transferred: Decimal, what: string): void {
  assert.equal(plainText(found.transferred), plainText(transferred), `${what}: transferred`);
  assert.equal(plainText(found.result), plainText(result), `${what}: result`);
}

/** Compares the changes over all snapshots of each account, and over each day, with the events themselves. */
function check(events: readonly Event[], view: Quote): void {
  const naive = replay(events, view);
  for (const [index, taken] of naive.taken.entries()) {
    const trades = naive.trades[index] ?? [];
    const snapshots = taken.map(({ snapshot }) => snapshot);
    const sums = new Map<number | undefined, { result: Decimal; transferred: Decimal }>();
    let all = { result: zero, transferred: zero };
    for (const [place, { snapshot, transferred, value }] of taken.entries()) {
      assert.equal(plainText(totalValue(snapshot)), plainText(value));
      const before = taken[place - 1];
      if (!before) continue;
      const result = value.minus(before.value).minus(transferred);
      const day = dayBetween(before.snapshot.at, snapshot.at);
      const sum = sums.get(day) ?? { result: zero, transferred: zero };
      sums.set(day, { result: sum.result.plus(result), transferred: sum.transferred.plus(transferred) });
      all = { result: all.result.plus(result), transferred: all.transferred.plus(transferred) };
    }
    expectChange(changeOver(snapshots, trades), all.result, all.transferred, "all");
    const days = [...dailyValues(snapshots, trades, (at) => dayOf(at) * DAY_MS)];
    assert.deepEqual(
      days.map(({ day }) => day / DAY_MS),
      [...new Set(snapshots.map(({ at }) => dayOf(at)))],
    );
    let previous: DailyValue | undefined;
    for (const day of days) {
      const { result, transferred } = sums.get(day.day / DAY_MS) ?? { result: zero, transferred: zero };
      expectChange(day, result, transferred, `day ${day.day / DAY_MS}`);
      assert.ok(day.value.minus(day.from).eq(day.result.plus(day.transferred)));
      const isWhole = !sums.has(undefined);
      if (previous && isWhole) assert.ok(previous.value.eq(day.from), "a day begins as the one before ended");
      previous = day;
    }
  }
}

describe("the changes over a random history of two accounts, recorded and shown in several assets", () => {
  it("are exact, in all and by day: every transfer at the price of its snapshot, and everything else a result", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30, size: "max" }), fc.constantFrom(...quotes), check),
      {
        numRuns: 10_000,
      },
    );
  });
});
