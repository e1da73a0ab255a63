import * as z from "zod/mini";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import type { AccountRef } from "../../market/order.ts";
import type { Fill, OrderReport } from "../../market/orderReport.ts";
import {
  type FillStatement,
  type IdObservation,
  observationsIn,
  type Statement,
} from "../../market/orders/observation.ts";
import * as fields from "./fields.ts";

const { at, decimal } = fields;
const MAX_OTHER_IDS = 20;
const optionalDecimal = z.optional(decimal);
const otherIds = z.optional(z.readonly(z.array(fields.orderId).check(z.maxLength(MAX_OTHER_IDS))));

/** Where a report was read. */
const source = z.enum(["list", "info", "history", "push"]);

/** An order as reported by its exchange, whether or not it was placed from this computer. */
const ofOrder = {
  /** Right before the request, or at the event. */
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

/** One report of an order, without its fills. Meanings and units as in `OrderReport` and `Statement`. */
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
  earlierIds: otherIds,
  openWith: otherIds,
  laterId: z.optional(fields.orderId),
  unclearFills: z.optional(z.int().check(z.nonnegative())),
  placedAt: z.optional(at),
  closedAt: z.optional(at),
});

/** A complete response without the order. */
export const absenceRecord = z.strictObject({ kind: z.literal("absent"), ...ofOrder });

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
 * - `requested`: recorded before the first request.
 * - `accepted`: the exchange accepted it; only a report proves that the order ended.
 * - `notOpen`: the exchange has no such open order.
 * - `rejected`: the exchange did not cancel the order.
 * - `unanswered`: the outcome is unknown.
 */
export const cancelRecord = z.strictObject({
  kind: z.literal("cancel"),
  ...ofOrder,
  step: z.enum(["requested", "accepted", "notOpen", "rejected", "unanswered"]),
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
type AbsenceRecord = Readonly<z.infer<typeof absenceRecord>>;
export type CancelRecord = Readonly<z.infer<typeof cancelRecord>>;
export type CostRecord = Readonly<z.infer<typeof costRecord>>;
/** Records about an order that its exchange has: what it states of it, and cancellations. */
export type PlacedOrderRecord = ReportRecord | FillRecord | AbsenceRecord | CancelRecord;

/**
 * Splits a report into records: one for the report itself and one per fill. `at` is when it was asked for, in the
 * sequence, `listed` all orders of the same list. Fields that the exchange did not report are undefined.
 */
export function recordsOf(
  report: OrderReport,
  account: AccountRef,
  at: number,
  listed: readonly OrderReport[] = [],
): (ReportRecord | FillRecord)[] {
  const { source, orderId, symbol, pair, side } = report;
  // Another program's client id may not fit the schema.
  const clientId = fields.clientId.safeParse(report.clientId).data;
  const order = { at, ...account, orderId, symbol, ...pair, side, clientId };
  return observationsIn(report, listed).map((each): ReportRecord | FillRecord => {
    if (each.source === "fill") return { kind: "fill", source, ...order, ...figuresOf(each.fill) };
    const { earlierIds, openWith, unclearFills } = each;
    return {
      kind: "report",
      source,
      ...order,
      status: each.status,
      trigger: report.trigger && triggerText(report.trigger),
      rate: report.rate && nonNegativeText(report.rate),
      quantity: report.quantity && nonNegativeText(report.quantity),
      amount: report.amount && nonNegativeText(report.amount),
      remaining: report.remaining && nonNegativeText(report.remaining),
      executed: report.executed && nonNegativeText(report.executed),
      earlierIds: earlierIds.length > 0 ? earlierIds.slice(0, MAX_OTHER_IDS) : undefined,
      openWith: openWith.length > 0 ? openWith.slice(0, MAX_OTHER_IDS) : undefined,
      laterId: each.laterId,
      unclearFills: unclearFills > 0 ? unclearFills : undefined,
      placedAt: each.placedAt,
      closedAt: each.closedAt,
    };
  });
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

/** What a record observes of the order with its id. */
export function observationOf(record: PlacedOrderRecord): IdObservation {
  const { at, orderId } = record;
  if (record.kind === "absent") return { source: "absent", at, orderId };
  if (record.kind === "cancel") return { source: "cancel", at, orderId, step: record.step };
  return record.kind === "fill" ? fillStatementOf(record) : statementOf(record);
}

function fillStatementOf(record: FillRecord): FillStatement {
  const { at, orderId, side, quote, base, clientId } = record;
  const pair = { quote, base };
  return { source: "fill", from: record.source, at, orderId, pair, side, clientId, fill: fillOf(record) };
}

function statementOf(record: ReportRecord): Statement {
  const { source, at, orderId, side, quote, base, clientId, status, trigger } = record;
  const quantity = decimalOf(record.quantity);
  return {
    source,
    at,
    orderId,
    pair: { quote, base },
    side,
    clientId,
    earlierIds: record.earlierIds ?? [],
    laterId: record.laterId,
    openWith: record.openWith ?? [],
    status,
    ...(trigger !== undefined && { trigger: triggerIn(trigger) }),
    closedAt: record.closedAt,
    rate: decimalOf(record.rate),
    amount: side === "buy" ? decimalOf(record.amount) : quantity,
    quantity,
    remaining: decimalOf(record.remaining),
    executed: decimalOf(record.executed),
    unclearFills: record.unclearFills ?? 0,
    placedAt: record.placedAt,
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
