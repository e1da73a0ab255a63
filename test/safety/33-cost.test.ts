import assert from "node:assert/strict";
import {
  averageCost,
  averageCostRate,
  soldLots,
  type Trade,
  unrealisedResult,
} from "../../src/market/holdings/cost.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

/** The naive model counts in whole numbers: a quantity in units of 1e-8 base, money in units of 1e-12 quote. */
const MONEY_PLACES = 12;
const BASE_PLACES = 8;

interface ModelTrade {
  readonly trade: Trade;
  readonly units: bigint;
  /** Paid with the fee, or received after the fee. */
  readonly money: bigint;
}

function decimalOf(units: bigint, places: number): Decimal {
  const sign = units < 0n ? "-" : "";
  const text = (units < 0n ? -units : units).toString().padStart(places + 1, "0");
  return new Decimal(`${sign}${text.slice(0, -places)}.${text.slice(-places)}`);
}

function whole(random: Random, most: number): bigint {
  return 1n + BigInt(Math.floor(random() * most));
}

function modelTrade(random: Random, index: number, units: bigint, money: bigint): ModelTrade {
  const side = pick(random, ["buy", "buy", "sell"] as const);
  const fee = money / 400n;
  const trade: Trade = {
    id: `t${index}`,
    at: index * 1000,
    side,
    quantity: decimalOf(units, BASE_PLACES),
    value: decimalOf(side === "buy" ? money - fee : money + fee, MONEY_PLACES),
    fee: decimalOf(fee, MONEY_PLACES),
  };
  return { trade, units, money };
}

/** Half up, in whole numbers. */
function share(amount: bigint, part: bigint, of: bigint): bigint {
  return part === of ? amount : (2n * amount * part + of) / (2n * of);
}

function assertMoney(found: Decimal | undefined, expected: bigint): void {
  assert.equal(found?.toFixed(), decimalOf(expected, MONEY_PLACES).toFixed());
}

/** Moving average, computed backwards: what is left of all that was paid after each sale took its share. */
function assertAverage(
  trades: readonly ModelTrade[],
  opening: readonly [bigint, bigint],
  random: Random,
): void {
  let [units, paid] = opening;
  let [received, expensed, without] = [0n, 0n, 0n];
  let left = paid;
  for (const { trade, units: size, money } of trades) {
    if (trade.side === "buy") {
      units += size;
      paid += money;
      left += money;
      continue;
    }
    const known = size < units ? size : units;
    without += size - known;
    if (known === 0n) continue;
    received += share(money, known, size);
    const part = share(left, known, units);
    expensed += part;
    left -= part;
    units -= known;
  }
  assert.equal(paid, expensed + left, "no part is lost");
  const found = averageCost(
    trades.map(({ trade }) => trade),
    { quantity: decimalOf(opening[0], BASE_PLACES), cost: decimalOf(opening[1], MONEY_PLACES) },
  );
  assertMoney(found.cost, left);
  assertMoney(found.realised, received - expensed);
  assert.equal(found.held.toFixed(), decimalOf(units, BASE_PLACES).toFixed());
  assert.equal(found.soldWithoutCost.toFixed(), decimalOf(without, BASE_PLACES).toFixed());
  const price = whole(random, 1e6);
  // 1e-8 base at a whole price is 1e-8 quote.
  assertMoney(unrealisedResult(found, new Decimal(price.toString())), units * price * 10_000n - left);
  const rate = averageCostRate(found, 8);
  if (units === 0n) assert.equal(rate, undefined);
  // 1e-12 quote by 1e-8 base is 1e-4: 8 places are 1e-8.
  else assert.equal(rate?.toFixed(), decimalOf((2n * left * 10_000n + units) / (2n * units), 8).toFixed());
}

/** First in, first out, coin by coin: every unit of base is an own coin with its own exact price. */
function assertFifo(random: Random): number {
  const coins: (readonly [lot: string, cost: bigint])[] = [];
  const trades: Trade[] = [];
  const expected: (readonly [sale: string, lot: string, count: bigint, proceeds: bigint, cost: bigint])[] =
    [];
  const openingUnits = BigInt(Math.floor(random() * 4));
  for (let coin = 0n; coin < openingUnits; coin++) coins.push(["opening", 500n]);
  for (let index = 0, last = 1 + Math.floor(random() * 12); index < last; index++) {
    const [units, price] = [whole(random, 6), whole(random, 1e9)];
    const made = modelTrade(random, index, units, units * price);
    trades.push(made.trade);
    if (made.trade.side === "buy") {
      for (let coin = 0n; coin < units; coin++) coins.push([made.trade.id, price]);
      continue;
    }
    for (let coin = 0n; coin < units; coin++) {
      const [lot, cost] = coins.shift() ?? ["none", 0n];
      const before = expected.at(-1);
      if (before?.[0] !== made.trade.id || before[1] !== lot) {
        expected.push([made.trade.id, lot, 1n, price, cost]);
        continue;
      }
      expected[expected.length - 1] = [
        made.trade.id,
        lot,
        before[2] + 1n,
        before[3] + price,
        before[4] + cost,
      ];
    }
  }
  const opening = {
    quantity: decimalOf(openingUnits, BASE_PLACES),
    cost: decimalOf(openingUnits * 500n, MONEY_PLACES),
  };
  const found = soldLots(trades, openingUnits > 0n ? opening : undefined);
  assert.deepEqual(
    found.map(({ sale, bought, quantity, proceeds, cost }) => [
      sale.id,
      bought?.id ?? (cost ? "opening" : "none"),
      quantity.toFixed(),
      proceeds.toFixed(),
      (cost ?? new Decimal("0")).toFixed(),
    ]),
    expected.map(([sale, lot, count, proceeds, cost]) => [
      sale,
      lot,
      decimalOf(count, BASE_PLACES).toFixed(),
      decimalOf(proceeds, MONEY_PLACES).toFixed(),
      decimalOf(cost, MONEY_PLACES).toFixed(),
    ]),
  );
  return found.length;
}

describe("cost and result", () => {
  safetyLine(33, "Cost and result equal a naive model's, digit for digit", async (proof) => {
    let [trades, parts] = [0, 0];
    const rounds = await proof.each(10_000, ({ random }) => {
      const made = Array.from({ length: Math.floor(random() * 30) }, (_, index) =>
        modelTrade(random, index, whole(random, 5e9), whole(random, 9e15)),
      );
      trades += made.length;
      assertAverage(made, random() < 0.5 ? [0n, 0n] : [whole(random, 5e9), whole(random, 9e15)], random);
      parts += assertFifo(random);
    });
    return `${rounds} sequences, ${trades} trades by moving average and ${parts} sold lots first in, first out: 0 differences`;
  });
});
