import assert from "node:assert/strict";
import fc from "fast-check";
import type { Trade } from "../../../../src/market/holdings/cost.ts";
import {
  changeBetween,
  changeOver,
  pricedAmounts,
  totalValue,
  tradedAmounts,
  type TradedAmount,
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
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, places]) => new Decimal(`${digits}e-${places}`));
const asset = fc.constantFrom(...assets);
const account = fc.integer({ min: 0, max: 1 });
const event = fc.oneof(
  fc.record({
    kind: fc.constant("price" as const),
    asset: fc.constantFrom("USDT", "BTC", "ETH"),
    price: amount,
  }),
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
  fc.record({ kind: fc.constant("snapshot" as const), account }),
  fc.record({ kind: fc.constant("noSnapshot" as const) }),
);

/** Two accounts with one set of entries, moved event by event. */
class NaiveAccounts {
  readonly prices = new Map<string, Decimal>(assets.map((each) => [each, of(each === "THB" ? "1" : "100")]));
  readonly balances = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  readonly entries = new Map<string, Decimal>();
  readonly trades: TradedAmount[][] = [[], []];
  /** What no trade explains, by asset, since the last snapshot of an account. */
  readonly moved = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  readonly transferred = [zero, zero];

  at(index: number): Map<string, Decimal> {
    return this.balances[index] ?? assert.fail();
  }

  price(of: string): Decimal {
    return this.prices.get(of) ?? assert.fail(of);
  }

  snapshot(index: number, at: number): ValueSnapshot {
    for (const [moved, quantity] of this.moved[index] ?? [])
      this.transferred[index] = (this.transferred[index] ?? zero).plus(quantity.times(this.price(moved)));
    this.moved[index] = new Map();
    const rows = (all: Map<string, Decimal>) =>
      [...all].map(([name, quantity]) => ({ asset: name, quantity, price: this.price(name) }));
    return {
      at,
      account: String(index),
      quote: "THB",
      balances: rows(this.at(index)),
      elsewhere: rows(this.entries),
    };
  }

  value(index: number): Decimal {
    return [...this.at(index), ...this.entries].reduce(
      (sum, [name, quantity]) => sum.plus(quantity.times(this.price(name))),
      zero,
    );
  }
}

function add(to: Map<string, Decimal>, name: string, quantity: Decimal): void {
  to.set(name, (to.get(name) ?? zero).plus(quantity));
}

/** Replays events, and compares the change over all snapshots of each account with the events themselves. */
function check(events: readonly (typeof event extends fc.Arbitrary<infer Each> ? Each : never)[]): void {
  const naive = new NaiveAccounts();
  const taken: ValueSnapshot[][] = [[naive.snapshot(0, 0)], [naive.snapshot(1, 0)]];
  for (const [index, each] of events.entries()) {
    const at = index + 1;
    if (each.kind === "price") naive.prices.set(each.asset, each.price);
    else if (each.kind === "trade") {
      const { pair, side, quantity, rate, feeShare } = each;
      const value = quantity.times(rate);
      const trade: Trade = { id: String(at), at, side, quantity, value, fee: value.times(feeShare) };
      // The model's own bookkeeping, not the function under test.
      const sign = side === "buy" ? of("1") : of("-1");
      add(naive.at(each.account), pair.base, quantity.times(sign));
      add(naive.at(each.account), pair.quote, value.times(sign).times("-1").minus(trade.fee));
      naive.trades[each.account]?.push(...tradedAmounts(pair, [trade], 0));
    } else if (each.kind === "transfer") {
      const quantity = each.quantity.times(each.isOut ? "-1" : "1");
      add(naive.at(each.account), each.asset, quantity);
      add(naive.moved[each.account] ?? assert.fail(), each.asset, quantity);
    } else if (each.kind === "entry") {
      const before = naive.entries.get(each.asset) ?? zero;
      naive.entries.set(each.asset, each.quantity);
      for (const moved of naive.moved) add(moved, each.asset, each.quantity.minus(before));
    } else if (each.kind === "snapshot") taken[each.account]?.push(naive.snapshot(each.account, at));
  }
  for (const [index, snapshots] of taken.entries()) {
    snapshots.push(naive.snapshot(index, events.length + 1));
    const { result, transferred } = changeOver(snapshots, naive.trades[index] ?? []);
    assert.ok(transferred.eq(naive.transferred[index] ?? assert.fail()), plainText(transferred));
    assert.ok(result.plus(transferred).eq(naive.value(index)), "result and transfers are the whole value");
    const last = snapshots.at(-1) ?? assert.fail();
    assert.ok(totalValue(last).eq(naive.value(index)));
  }
}

describe("the changes over a random history of two accounts", () => {
  it("are exact: every transfer at the price of its snapshot, and everything else a result", () => {
    fc.assert(fc.property(fc.array(event, { maxLength: 30 }), check), { numRuns: 10_000 });
  });
});
