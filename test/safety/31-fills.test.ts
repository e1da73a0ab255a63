import assert from "node:assert/strict";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import {
  applyReport,
  averageRate,
  type Fill,
  type KnownOrder,
  sumFills,
} from "../../src/market/orderReport.ts";
import { testReport } from "../support/builders/reports.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

const SCALE = 10n ** 8n;

/** A fill and its figures as whole numbers of 1e-8, so that the model needs no decimals. */
interface ModelFill {
  readonly fill: Fill;
  readonly quantity: bigint;
  readonly value: bigint;
  readonly fee: bigint;
}

function modelFill(id: string, random: Random): ModelFill {
  const figure = (most: number): bigint => BigInt(1 + Math.floor(random() * most));
  const [quantity, rate, fee] = [figure(4e8), figure(1e4), figure(1e9)];
  const value = quantity * rate;
  return {
    quantity,
    value,
    fee,
    fill: {
      id,
      at: Math.floor(random() * 1e6),
      rate: new Decimal(rate.toString()),
      quantity: decimalOf(quantity),
      value: decimalOf(value),
      fee: decimalOf(fee),
    },
  };
}

/** The decimal of a whole number of 1e-8, by text. */
function decimalOf(units: bigint): Decimal {
  const text = units.toString().padStart(9, "0");
  return new Decimal(`${text.slice(0, -8)}.${text.slice(-8)}`);
}

function total(each: readonly ModelFill[], figure: "quantity" | "value" | "fee"): bigint {
  return each.reduce((sum, one) => sum + one[figure], 0n);
}

describe("fills of an order", () => {
  safetyLine(31, "Fills: each once, sums and average rate exact, never more than ordered", async (proof) => {
    const counts = { reports: 0, fills: 0, beyond: 0, contradictions: 0 };
    const rounds = await proof.each(10_000, ({ random }) => {
      const all = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, index) =>
        modelFill(String(index), random),
      );
      const side = pick(random, ["buy", "sell"] as const);
      // In half of the rounds, the service reports more than was ordered.
      const bound = side === "buy" ? "value" : "quantity";
      const sum = total(all, bound);
      const ordered = random() < 0.5 ? sum : (sum * BigInt(Math.floor(random() * 1000))) / 1000n + 1n;
      const order =
        side === "buy"
          ? { side, amount: decimalOf(ordered), quantity: undefined }
          : { side, quantity: decimalOf(ordered) };
      let known: KnownOrder | undefined;
      const seen: ModelFill[] = [];
      const changed = new Set<string>();
      for (let round = 1 + Math.floor(random() * 8); round > 0; round--) {
        const part = all.filter(() => random() < 0.5);
        const fills = part.map((each) => {
          // Now and then, a fill is reported again with other figures.
          if (!seen.includes(each) || random() > 0.05) return each.fill;
          changed.add(each.fill.id);
          return { ...each.fill, fee: each.fill.fee.plus("1") };
        });
        counts.reports += fills.length;
        seen.push(...part.filter((each) => !seen.includes(each)));
        known = applyReport(
          known,
          testReport({ ...order, fills: random() < 0.5 ? fills : [...fills, ...fills] }),
        );
        const counted = seen.filter(({ fill }) => known?.fills.some(({ id }) => id === fill.id));
        assert.equal(counted.length, known.fills.length, "each once");
        assert.equal(known.fills.length + known.surplus.length, seen.length, "none lost");
        assert.ok(total(counted, bound) <= ordered, "never more than ordered");
        if (total(seen, bound) <= ordered) assert.equal(known.surplus.length, 0);
        const left = ordered - total(counted, bound);
        for (const each of seen)
          if (!counted.includes(each)) assert.ok(each[bound] > left, "a fill that fits is counted");
        const sums = sumFills(known.fills);
        assert.equal(sums.quantity.toFixed(), decimalOf(total(counted, "quantity")).toFixed());
        assert.equal(sums.value.toFixed(), decimalOf(total(counted, "value")).toFixed());
        assert.equal(sums.fee.toFixed(), decimalOf(total(counted, "fee")).toFixed());
        assertAverage(counted, averageRate(known.fills, 8));
      }
      assert.deepEqual(
        new Set(known?.contradictions.map((each) => each.about === "fill" && each.reported.id)),
        changed,
      );
      counts.fills += known?.fills.length ?? 0;
      counts.beyond += known?.surplus.length ?? 0;
      counts.contradictions += changed.size;
    });
    return (
      `${rounds} orders, ${counts.reports} reports of a fill: ${counts.fills} counted once each, ${counts.beyond} beyond the order ` +
      `left out, ${counts.contradictions} reported again with other figures, 0 wrong sums or averages`
    );
  });
});

/** Rounded half up in whole numbers: twice the quotient plus one, halved. */
function assertAverage(counted: readonly ModelFill[], found: Decimal | undefined): void {
  const quantity = total(counted, "quantity");
  if (quantity === 0n) return assert.equal(found, undefined);
  const expected = (2n * total(counted, "value") * SCALE + quantity) / (2n * quantity);
  assert.equal(found?.toFixed(), decimalOf(expected).toFixed());
}
