import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { eventRecord, readEvent, type LedgerEvent } from "../../../../src/practice/account/events.ts";
import { Ledger, type LedgerAccount } from "../../../../src/practice/account/ledger.ts";
import { fillAt } from "../../../../src/practice/account/rules.ts";
import { roundsOf } from "../../../support/rounds.ts";

const ACCOUNTS: readonly LedgerAccount[] = ["opening", "available", "reserved", "market", "fees"];
const SEED = 20260101;
const SEQUENCES = roundsOf(10_000);

/** The same account, in whole units of 10^-12 THB and 10^-8 base, without code of the ledger. */
class Model {
  readonly available = new Map<string, bigint>([["THB", 10n ** 18n]]);
  reserved = 0n;
  fees = 0n;
  readonly resting = new Map<number, { base: string; amount: bigint; rate: bigint }>();

  add(asset: string, units: bigint): void {
    this.available.set(asset, (this.available.get(asset) ?? 0n) + units);
  }

  buy(base: string, amount: bigint, rate: bigint): void {
    const fee = (amount * 25n) / 10_000n;
    this.fees += fee;
    this.add(base, ((amount - fee) * 10n ** 4n) / rate);
  }
}

const units8 = (text: bigint): string => {
  const digits = text.toString().padStart(9, "0");
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, "");
};

function unitsOf(value: Decimal, places: number): bigint {
  return BigInt(value.times(new Decimal("10").pow(places)).toFixed());
}

/** The recorded fill of a bid. */
function boughtAt(amount: Decimal, rate: Decimal): { rate: Decimal; quantity: Decimal } {
  return { rate, quantity: fillAt("bid", amount, rate).quantity };
}

const bid = fc.record({
  kind: fc.constant("bid" as const),
  base: fc.constantFrom("BTC", "DOGE", "PEPE"),
  amount: fc.bigInt({ min: 10n * 10n ** 8n, max: 150_000n * 10n ** 8n }),
  rate: fc.bigInt({ min: 1n, max: 4_000_000n * 10n ** 8n }),
  rests: fc.boolean(),
});
const fill = fc.record({ kind: fc.constant("fill" as const), pick: fc.nat(50) });

describe("practice ledger", () => {
  it(`conserves every asset to the last digit, over ${SEQUENCES} random sequences and a replay`, function () {
    this.timeout(60_000);
    let events = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(bid, bid, fill), { maxLength: 16, size: "max" }), (steps) => {
        const ledger = new Ledger();
        const model = new Model();
        const records: unknown[] = [];
        const apply = (event: LedgerEvent): void => {
          records.push(JSON.parse(JSON.stringify(eventRecord(event))));
          ledger.apply(event);
          events += 1;
        };
        apply({ kind: "opened", asset: "THB", amount: new Decimal("1000000") });
        for (const [id, step] of steps.entries()) {
          if (step.kind === "fill") {
            const ids = [...model.resting.keys()];
            const chosen = ids[step.pick % Math.max(ids.length, 1)];
            const waiting = chosen === undefined ? undefined : model.resting.get(chosen);
            const resting = chosen === undefined ? undefined : ledger.resting.get(chosen);
            assert.equal(resting === undefined, waiting === undefined);
            if (chosen === undefined || !waiting || !resting) continue;
            apply({
              kind: "filled",
              id: chosen,
              at: id,
              fill: boughtAt(resting.placed.amount, resting.placed.rate),
            });
            model.resting.delete(chosen);
            model.reserved -= waiting.amount;
            model.buy(waiting.base, waiting.amount, waiting.rate);
            continue;
          }
          const amount = new Decimal(units8(step.amount));
          const rate = new Decimal(units8(step.rate));
          const order = { amount, rate, fee: amount.times("0.0025") };
          const event: LedgerEvent = {
            kind: "bid",
            id,
            at: id,
            symbol: `THB_${step.base}`,
            quote: "THB",
            base: step.base,
            ...order,
            ...(!step.rests && { fill: boughtAt(amount, rate) }),
          };
          const spent = step.amount * 10n ** 4n;
          if (spent > (model.available.get("THB") ?? 0n)) {
            assert.throws(() => ledger.apply(event), RangeError);
            continue;
          }
          apply(event);
          model.add("THB", -spent);
          if (step.rests) {
            model.reserved += spent;
            model.resting.set(id, { base: step.base, amount: spent, rate: step.rate });
          } else model.buy(step.base, spent, step.rate);
        }

        const replayed = new Ledger();
        for (const record of records) replayed.apply(readEvent(record));
        for (const each of [ledger, replayed]) {
          for (const asset of ["THB", "BTC", "DOGE", "PEPE"]) {
            const places = asset === "THB" ? 12 : 8;
            assert.equal(unitsOf(each.available(asset), places), model.available.get(asset) ?? 0n);
            const sum = ACCOUNTS.reduce(
              (sum, account) => sum + unitsOf(each.total(asset, account), places),
              0n,
            );
            assert.equal(sum, 0n);
          }
          assert.equal(unitsOf(each.total("THB", "reserved"), 12), model.reserved);
          assert.equal(unitsOf(each.total("THB", "fees"), 12), model.fees);
          assert.deepEqual([...each.resting.keys()], [...model.resting.keys()]);
        }
      }),
      { numRuns: SEQUENCES, seed: SEED },
    );
    console.log(`      ${SEQUENCES} sequences (seed ${SEED}), ${events} events`);
  });

  it("changes nothing on an event that would overdraw", () => {
    const ledger = new Ledger();
    ledger.apply({ kind: "opened", asset: "THB", amount: new Decimal("100") });
    const order = { amount: new Decimal("100.00000001"), rate: new Decimal("1"), fee: new Decimal("0.25") };
    const event = { kind: "bid", id: 1, at: 0, symbol: "THB_A", quote: "THB", base: "A", ...order } as const;
    assert.throws(() => ledger.apply(event), /Not enough THB/);
    assert.throws(
      () => ledger.apply({ ...event, fill: boughtAt(order.amount, order.rate) }),
      /Not enough THB/,
    );
    assert.deepEqual([...ledger.wallet().keys()], ["THB"]);
    assert.equal(ledger.available("THB").toFixed(), "100");
    assert.equal(ledger.lastId, 0);
  });

  it("fills a bid once, also if the fill is replayed several times, and ignores a fill without a bid", () => {
    const ledger = new Ledger();
    ledger.apply({ kind: "opened", asset: "THB", amount: new Decimal("100") });
    const order = { amount: new Decimal("40"), rate: new Decimal("2"), fee: new Decimal("0.1") };
    ledger.apply({ kind: "bid", id: 1, at: 0, symbol: "THB_A", quote: "THB", base: "A", ...order });
    for (const id of [1, 1, 2])
      ledger.apply({ kind: "filled", id, at: 1, fill: boughtAt(order.amount, order.rate) });
    assert.equal(ledger.available("A").toFixed(), "19.95");
    assert.equal(ledger.available("THB").toFixed(), "60");
  });

  it("refuses an unreadable record, so that it never guesses a balance", () => {
    const bad = [
      null,
      {},
      { kind: "sold" },
      { kind: "opened", asset: "THB", amount: 5 },
      { kind: "filled", id: -1 },
    ];
    for (const record of bad) assert.throws(() => readEvent(record), /cannot read/);
    assert.throws(() => readEvent({ kind: "opened", asset: "THB", amount: "1e9" }), /cannot read/);
  });
});
