import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { OrderReport, ReportSource } from "../../../src/market/orderReport.ts";
import {
  type CancelStep,
  type IdObservation,
  type Observation,
  observationsIn,
} from "../../../src/market/orders/observation.ts";
import { testReport } from "./reports.ts";

type Intent = Extract<Observation, { source: "intent" }>;

/** Seconds after the intent, as a time in ms. */
export const at = (seconds: number): number => 1_000_000 + seconds * 1000;

/** To sell 10 BTC at 100 THB. */
export const intent: Intent = {
  source: "intent",
  at: at(0),
  sent: {
    pair: { quote: "THB", base: "BTC" },
    side: "sell",
    rate: new Decimal("100"),
    amount: new Decimal("10"),
    quantity: new Decimal("10"),
  },
};

/** What a report says of order 7, unless `changes` name another. `listed`: the other orders of its response. */
export const from = (
  source: ReportSource,
  seconds: number,
  changes: Partial<OrderReport> = {},
  listed: readonly OrderReport[] = [],
): readonly IdObservation[] =>
  observationsIn(testReport({ source, askedAt: at(seconds), ...changes }), listed);

export const cancel = (step: CancelStep, seconds: number): Observation => ({
  source: "cancel",
  at: at(seconds),
  orderId: "7",
  step,
});

export const says = (word: "placed" | "notPlaced", seconds: number): Observation => ({
  source: "person",
  at: at(seconds),
  says: word,
});
