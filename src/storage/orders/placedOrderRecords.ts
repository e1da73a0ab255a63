import * as z from "zod/mini";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import type { Account } from "../../market/order.ts";
import type { Fill, OrderReport } from "../../market/orderReport.ts";
import * as fields from "./fields.ts";

const { at, decimal } = fields;
const MAX_OTHER_IDS = 20;
const optionalDecimal = z.optional(decimal);

/** Where a report was read. */
const source = z.enum(["list", "info", "history", "push"]);

/** An order as reported by its exchange, whether or not it was placed from this computer. */
const ofOrder = {
  /** When the record was written. */
  at,
  venue: z.enum(["practice", "live"]),
  origin: fields.origin,
  account: z.optional(fields.account),
  orderId: fields.orderId,
  symbol: fields.symbol,
  quote: fields.asset,
  base: fields.asset,
  side: fields.side,
  clientId: z.optional(fields.clientId),
};

/** One report of an order, without its fills. Meanings and units as in `OrderReport`. */
export const reportRecord = z.strictObject({
  kind: z.literal("report"),
  source,
  ...ofOrder,
  status: z.optional(z.enum(["open", "cancelled", "rejected", "partlyFilledCancelled", "filled"])),
  trigger: z.optional(z.union([decimal, z.enum(["unknown", "none"])])),
  rate: optionalDecimal,
  quantity: optionalDecimal,
  amount: optionalDecimal,
  remaining: optionalDecimal,
  executed: optionalDecimal,
  otherIds: z.optional(z.readonly(z.array(fields.orderId).check(z.maxLength(MAX_OTHER_IDS)))),
  laterId: z.optional(fields.orderId),
  unclearFills: z.optional(z.int().check(z.nonnegative())),
  placedAt: z.optional(at),
  closedAt: z.optional(at),
  goneAt: z.optional(at),
  askedAt: at,
});

/** One fill. Meanings and units as in `Fill`. */
export const fillRecord = z.strictObject({
  kind: z.literal("fill"),
  source,
  ...ofOrder,
  /** The exchange's fill id. */
  txn: z.string().check(z.minLength(1), z.maxLength(200)),
  filledAt: at,
  rate: decimal,
  quantity: decimal,
  isQuantityAbout: z.optional(z.literal(true)),
  value: decimal,
  fee: fields.signedDecimal,
  isMaker: z.optional(z.boolean()),
});

/**
 * A step of a cancellation requested by the user.
 *
 * - `asked`: recorded before the first request.
 * - `taken`: the exchange accepted it; only a report proves that the order ended.
 * - `notOpen`: the exchange has no such open order.
 * - `refused`: the exchange did not cancel the order.
 * - `unanswered`: the outcome is unknown.
 * - `stillOpen`: the exchange lists the order as open long after the request.
 */
export const cancelRecord = z.strictObject({
  kind: z.literal("cancel"),
  ...ofOrder,
  step: z.enum(["asked", "taken", "notOpen", "refused", "unanswered", "stillOpen"]),
  /** The exchange's message, or why there was no response. */
  reason: z.optional(fields.text),
});

/**
 * A cost basis entered by the user for an asset bought elsewhere. The newest record of an asset wins; quantity 0
 * removes it.
 */
export const costRecord = z.strictObject({
  kind: z.literal("cost"),
  at,
  venue: z.enum(["practice", "live"]),
  origin: fields.origin,
  account: z.optional(fields.account),
  quote: fields.asset,
  base: fields.asset,
  /** In base. */
  quantity: decimal,
  /** In quote, for all of `quantity`. */
  cost: decimal,
});

export type ReportRecord = Readonly<z.infer<typeof reportRecord>>;
export type FillRecord = Readonly<z.infer<typeof fillRecord>>;
export type CancelRecord = Readonly<z.infer<typeof cancelRecord>>;
export type CostRecord = Readonly<z.infer<typeof costRecord>>;
/** Records about an order that its exchange has: reports, fills and cancellations. */
export type PlacedOrderRecord = ReportRecord | FillRecord | CancelRecord;

/**
 * Splits a report into records: one for the report itself and one per fill. `at` is the current time in ms. Fields that
 * the exchange did not report are undefined.
 */
export function recordsOf(report: OrderReport, account: Account, at: number): (ReportRecord | FillRecord)[] {
  const { source, orderId, symbol, pair, side, status, otherIds, laterId, unclearFills } = report;
  const { placedAt, closedAt, goneAt, askedAt } = report;
  // Another program's client id may not fit the schema.
  const clientId = fields.clientId.safeParse(report.clientId).data;
  const order = { at, ...account, orderId, symbol, ...pair, side, clientId };
  return [
    {
      kind: "report",
      source,
      ...order,
      status,
      trigger: report.trigger && triggerText(report.trigger),
      rate: report.rate && nonNegativeText(report.rate),
      quantity: report.quantity && nonNegativeText(report.quantity),
      amount: report.amount && nonNegativeText(report.amount),
      remaining: report.remaining && nonNegativeText(report.remaining),
      executed: report.executed && nonNegativeText(report.executed),
      otherIds: otherIds?.slice(0, MAX_OTHER_IDS),
      laterId,
      unclearFills,
      placedAt,
      closedAt,
      goneAt,
      askedAt,
    },
    ...report.fills.map((fill): FillRecord => ({
      kind: "fill",
      source,
      ...order,
      ...figuresOf(fill),
    })),
  ];
}

function figuresOf({ id: txn, at: filledAt, rate, quantity, isQuantityAbout, value, fee, isMaker }: Fill) {
  return {
    txn,
    filledAt,
    rate: nonNegativeText(rate),
    quantity: nonNegativeText(quantity),
    isQuantityAbout,
    value: nonNegativeText(value),
    fee: plainText(fee),
    isMaker,
  };
}

/** The journal stores no negative numbers. */
function nonNegativeText(value: Decimal): string {
  return value.lt("0") ? "0" : plainText(value);
}

/** Restores a report from a record. */
export function reportOf(record: ReportRecord | FillRecord): OrderReport {
  const { source, orderId, clientId, symbol, quote, base, side } = record;
  const order = { source, orderId, clientId, symbol, pair: { quote, base }, side };
  if (record.kind === "fill") return { ...order, askedAt: 0, fills: [fillOf(record)] };
  const { status, otherIds, laterId, unclearFills, placedAt, closedAt, goneAt, askedAt } = record;
  return {
    ...order,
    status,
    ...(record.trigger !== undefined && { trigger: triggerIn(record.trigger) }),
    otherIds,
    laterId,
    unclearFills,
    rate: decimalOf(record.rate),
    quantity: decimalOf(record.quantity),
    amount: decimalOf(record.amount),
    remaining: decimalOf(record.remaining),
    executed: decimalOf(record.executed),
    placedAt,
    closedAt,
    goneAt,
    askedAt,
    fills: [],
  };
}

type Trigger = NonNullable<OrderReport["trigger"]>;

function triggerText(trigger: Trigger): string {
  return typeof trigger === "string" ? trigger : nonNegativeText(trigger);
}

function triggerIn(text: string): Trigger {
  return text === "unknown" || text === "none" ? text : new Decimal(text);
}

function fillOf(record: FillRecord): Fill {
  return {
    id: record.txn,
    at: record.filledAt,
    rate: new Decimal(record.rate),
    quantity: new Decimal(record.quantity),
    value: new Decimal(record.value),
    fee: new Decimal(record.fee),
    ...(record.isQuantityAbout && { isQuantityAbout: record.isQuantityAbout }),
    ...(record.isMaker !== undefined && { isMaker: record.isMaker }),
  };
}

function decimalOf(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : new Decimal(text);
}
