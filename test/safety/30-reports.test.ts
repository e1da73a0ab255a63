import assert from "node:assert/strict";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import {
  applyReport,
  type Fill,
  hasEnded,
  type KnownOrder,
  type OrderReport,
  type OrderStatus,
} from "../../src/market/orderReport.ts";
import { testFill, testReport } from "../support/builders/reports.ts";
import { pick, type Random } from "../support/random.ts";
import { safetyLine } from "./safetyLine.ts";

/** What really happened to one order, in whole seconds and whole units of 10 base. */
interface TrueOrder {
  readonly fills: readonly Fill[];
  /** When it was cancelled or completely filled; undefined: it still rests. */
  readonly endedAt: number | undefined;
  readonly end: OrderStatus;
}

const QUANTITY = 10;
const LAST = 60;
const STEPS: readonly (OrderStatus | undefined)[] = [
  undefined,
  "open",
  "cancelled",
  "partlyFilledCancelled",
  "filled",
];

function trueOrder(random: Random): TrueOrder {
  const whole = (most: number): number => Math.floor(random() * most);
  const times = Array.from({ length: whole(5) }, () => 1 + whole(LAST - 20)).sort((a, b) => a - b);
  let left = QUANTITY;
  const fills = times.flatMap((at, index) => {
    const part = index === times.length - 1 && random() < 0.5 ? left : Math.min(left, 1 + whole(4));
    left -= part;
    return part === 0 ? [] : [testFill(`t${index}`, String(part), "100", at * 1000)];
  });
  if (left === 0) return { fills, endedAt: (fills.at(-1)?.at ?? 0) / 1000, end: "filled" };
  const isCancelled = random() < 0.6;
  const end = fills.length > 0 ? "partlyFilledCancelled" : "cancelled";
  return isCancelled
    ? { fills, endedAt: (times.at(-1) ?? 0) + whole(10), end }
    : { fills, endedAt: undefined, end: "open" };
}

/** An answer with the truth of one moment: right after the request, during it, or an older one of a history that lags. */
function reportOf(truth: TrueOrder, random: Random): { report: OrderReport; seen: number } | undefined {
  const askedAt = Math.floor(random() * LAST);
  const kind = pick(random, ["row", "info", "history"] as const);
  const seen = kind === "history" ? askedAt - Math.floor(random() * 20) : askedAt + Math.floor(random() * 10);
  const fills = truth.fills.filter(({ at }) => at <= seen * 1000);
  const isOver = truth.endedAt !== undefined && truth.endedAt <= seen;
  const done = fills.reduce((sum, { quantity }) => sum.plus(quantity), new Decimal("0"));
  const remaining = new Decimal(String(QUANTITY)).minus(done);
  const base = { askedAt: askedAt * 1000 };
  if (kind === "row") {
    if (isOver || remaining.eq("0")) return undefined;
    return { seen, report: testReport({ ...base, status: "open", remaining }) };
  }
  if (kind === "history") {
    if (fills.length === 0) return undefined;
    const closedAt = isOver ? (truth.endedAt ?? 0) * 1000 : undefined;
    return { seen, report: testReport({ ...base, fills, rate: undefined, quantity: undefined, closedAt }) };
  }
  // Some services have one word for every cancelled order.
  const word = truth.end === "partlyFilledCancelled" && random() < 0.5 ? "cancelled" : truth.end;
  return { seen, report: testReport({ ...base, status: isOver ? word : "open", fills, remaining }) };
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

function assertForward(before: KnownOrder | undefined, after: KnownOrder): void {
  if (!before) return;
  assert.ok(
    STEPS.indexOf(after.status) >= STEPS.indexOf(before.status),
    `${before.status} → ${after.status}`,
  );
  assert.deepEqual(
    before.fills.filter((fill) => !after.fills.includes(fill)),
    [],
  );
  if (before.remaining) assert.ok(after.remaining?.lte(before.remaining));
}

describe("reports of an order", () => {
  safetyLine(30, "A report requested before a newer event never undoes it", async (proof) => {
    const counts = { reports: 0, late: 0, ended: 0 };
    const rounds = await proof.each(10_000, ({ random }) => {
      const truth = trueOrder(random);
      const responses = Array.from({ length: 1 + Math.floor(random() * 12) }, () => reportOf(truth, random));
      const reports = responses.flatMap((each) => each ?? []);
      if (reports.length === 0) return;
      const repeated = [...reports, ...reports.filter(() => random() < 0.3)];
      const ends = [shuffled(repeated, random), shuffled(repeated, random)].map((order) => {
        let known: KnownOrder | undefined;
        for (const { report } of order) {
          if (known && report.askedAt < known.askedAt) counts.late += 1;
          const next = applyReport(known, report);
          assertForward(known, next);
          // Nothing is ever known that was not true.
          assert.ok(next.fills.every((fill) => truth.fills.includes(fill)));
          const { status } = next;
          if (status !== undefined && status !== "open") assert.equal(status, truth.end);
          if (hasEnded(next)) assert.notEqual(truth.endedAt, undefined);
          known = next;
          counts.reports += 1;
        }
        return known ?? assert.fail();
      });
      assert.deepEqual(ends[0], ends[1], "the sequence of the responses changes nothing");
      const [known] = ends;
      assert.deepEqual([known?.contradictions, known?.surplus], [[], []]);
      const { endedAt } = truth;
      const wasSeen = reports.some(
        ({ report, seen }) => endedAt !== undefined && seen >= endedAt && report.status,
      );
      if (wasSeen) {
        assert.equal(known?.status, truth.end);
        counts.ended += 1;
      }
    });
    return (
      `${rounds} orders, each with its responses in two sequences: ${counts.reports} reports, ${counts.late} of them late, ` +
      `${counts.ended} ends seen, 0 steps back, 0 fills lost`
    );
  });
});
