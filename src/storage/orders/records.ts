import * as z from "zod/mini";
import type { OrderState } from "../../market/order.ts";
import { account, asset, at, decimal, id, MAX_TEXT, origin, symbol, text } from "./fields.ts";
import {
  cancelRecord,
  costRecord,
  type CostRecord,
  fillRecord,
  type PlacedOrderRecord,
  reportRecord,
} from "./placedOrderRecords.ts";

const ofOrder = { id, at };
const difference = z.strictObject({
  field: z.enum(["amount", "rate", "quantity", "symbol", "side", "type"]),
  sent: text,
  told: text,
});
const differences = z.readonly(z.array(difference).check(z.maxLength(difference.shape.field.options.length)));

// Strict: an unlisted field, such as a key, makes the whole record unreadable and unwritable. Field names and values
// are those of all existing journals and cannot change; `settledState` and the functions below translate them.

const intentRecord = z.strictObject({
  kind: z.literal("intent"),
  /** A UUID, unique to this order. */
  id,
  at,
  /**
   * A time after the latest practice reset, set only if the clock was set back since, so that `at` is earlier. Version
   * 0.1 skips such lines.
   */
  notBefore: z.optional(at),
  venue: z.enum(["practice", "live"]),
  origin,
  /**
   * Missing for the practice exchange, which has one account, and in records that predate accounts. Version 0.1 skips
   * lines with it.
   */
  account: z.optional(account),
  symbol,
  quote: asset,
  base: asset,
  /** Missing: a bid. Version 0.1 skips asks. */
  side: z.optional(z.literal("sell")),
  /** What is spent: quote to buy, base to sell. */
  amount: decimal,
  /** Quote per one base. */
  rate: decimal,
  /** Expected to be received: base for a bid, quote after the fee for an ask. */
  quantity: decimal,
  /** Expected fee in quote; included in the amount of a bid. */
  fee: decimal,
  /** Maker only. Missing: the order may fill immediately. Version 0.1 skips such lines. */
  postOnly: z.optional(z.literal(true)),
  /** Available balance of the spent asset before sending; missing if unknown. */
  availableBefore: z.optional(decimal),
  /** Its reserved balance before sending; missing if unknown. */
  reservedBefore: z.optional(decimal),
  /** Client id, only for exchanges that accept one. */
  clientId: z.optional(z.string().check(z.regex(/^[A-Z0-9-]{1,32}$/))),
  /** `at` by the exchange's clock, only with a client id; missing if that clock was not measured. */
  exchangeAt: z.optional(at),
});

/** End of a rate limit, if the exchange set one. */
const rateLimit = { retryAt: z.optional(at) };

/** `accepted`, `rejected` and `notSent` are proof; `unknown` is not. */
const outcomeRecord = z.discriminatedUnion("state", [
  z.strictObject({
    kind: z.literal("outcome"),
    ...ofOrder,
    state: z.literal("accepted"),
    orderId: z.optional(text),
    differences: z.optional(differences),
  }),
  z.strictObject({
    kind: z.literal("outcome"),
    ...ofOrder,
    state: z.literal("rejected"),
    code: z.union([z.number(), text]),
    message: z.optional(text),
    ...rateLimit,
  }),
  z.strictObject({
    kind: z.literal("outcome"),
    ...ofOrder,
    state: z.enum(["notSent", "unknown"]),
    reason: text,
    ...rateLimit,
  }),
]);

/**
 * The result of one check of the balance or of the exchange's order lists. Evidence only: a settlement draws the
 * conclusion.
 */
const checkRecord = z.strictObject({
  kind: z.literal("check"),
  ...ofOrder,
  /** Available balance of the spent asset at the time; missing if unreadable. */
  available: z.optional(decimal),
  text,
  /** `notPlaced` occurs only in old journals. A check that proves it is now recorded as a settlement. */
  verdict: z.enum(["placed", "notPlaced", "inconclusive"]),
});

/** How and why an unknown order was settled. */
const settledRecord = z.strictObject({
  kind: z.literal("settled"),
  ...ofOrder,
  by: z.enum(["check", "user"]),
  as: z.enum(["placed", "notPlaced", "unresolved"]),
  evidence: text,
});

/** The practice account was reset: earlier orders belong to an account that no longer exists. */
const resetRecord = z.strictObject({
  kind: z.literal("accountReset"),
  /** A UUID, unique to this reset. */
  id,
  at,
  venue: z.literal("practice"),
});

/**
 * The user's answer to whether two keys belong to the same account, for example after a key was replaced. The newest
 * answer about `other` wins.
 */
const accountAnswerRecord = z.strictObject({
  kind: z.literal("accountAnswer"),
  at,
  venue: z.literal("live"),
  origin,
  /** The account that was signed in. */
  account,
  /** The account that the question was about; missing: it was about records that name no account. */
  other: z.optional(account),
  isSame: z.boolean(),
});

/** Occurs only in old journals. */
const sentRecord = z.strictObject({ kind: z.literal("sent"), ...ofOrder });

const orderRecord = z.discriminatedUnion("kind", [
  intentRecord,
  resetRecord,
  sentRecord,
  outcomeRecord,
  checkRecord,
  settledRecord,
  reportRecord,
  fillRecord,
  cancelRecord,
  costRecord,
  accountAnswerRecord,
]);

export type OrderRecord = Readonly<z.infer<typeof orderRecord>>;
export type IntentRecord = Extract<OrderRecord, { kind: "intent" }>;
export type AccountReset = Extract<OrderRecord, { kind: "accountReset" }>;
export type AccountAnswer = Extract<OrderRecord, { kind: "accountAnswer" }>;

/** When a record was written, ms, ordered correctly around practice resets even if the clock was set back. */
export function sequenceTime({
  at,
  notBefore = at,
}: {
  readonly at: number;
  readonly notBefore?: number | undefined;
}): number {
  return Math.max(at, notBefore);
}

/** Records about the sending of an order, after its intent. */
export type OrderEvent = Exclude<
  OrderRecord,
  IntentRecord | AccountReset | AccountAnswer | PlacedOrderRecord | CostRecord
>;
type Settled = Extract<OrderEvent, { kind: "settled" }>;

/**
 * An order about to be sent. Amounts are plain decimal text without sign or exponent, times are ms since the epoch.
 */
export type OrderIntent = Omit<IntentRecord, "kind">;

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** The outcome of sending an order, with the recorded parts of the response. */
export type Outcome = Without<Extract<OrderEvent, { kind: "outcome" }>, "kind" | "id" | "at">;

/** The result of one check: the order is accepted, or still unknown. */
export interface CheckFinding {
  /** Current available balance of the spent asset, plain decimal text; undefined if unreadable. */
  readonly available?: string | undefined;
  readonly text: string;
  readonly state: Extract<OrderState, "accepted" | "unknown">;
}

/** The settlement of an unknown order by a check or the user, and why. */
export interface Settlement {
  readonly by: Settled["by"];
  readonly as: Extract<OrderState, "accepted" | "notPlaced" | "unresolved">;
  readonly evidence: string;
}

/** The recorded form of a finding's state. */
export function storedVerdict({ state }: CheckFinding): "placed" | "inconclusive" {
  return state === "accepted" ? "placed" : "inconclusive";
}

/** The recorded form of a settled state. */
export function storedSettlement({ as }: Settlement): Settled["as"] {
  return as === "accepted" ? "placed" : as;
}

/** The state that a recorded settlement gives its order. */
export function settledState({ as }: Settled): Settlement["as"] {
  return as === "placed" ? "accepted" : as;
}

/** Parses one journal record; undefined unless it matches the schema exactly. */
export function readOrderRecord(value: unknown): OrderRecord | undefined {
  return orderRecord.safeParse(value).data;
}

/**
 * A record as it will be read back, with free text truncated to 500 characters: a long message must not keep an outcome
 * out of the journal, nor must differences of a receipt that cannot be recorded. Undefined if another field does not
 * match the schema.
 */
export function recordToWrite(record: OrderRecord): OrderRecord | undefined {
  const isAcceptance = record.kind === "outcome" && record.state === "accepted";
  const bare = isAcceptance ? { ...record, differences: undefined } : undefined;
  return writable(record) ?? (bare && writable(bare));
}

function writable(record: OrderRecord): OrderRecord | undefined {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === "string" ? truncateText(value) : value]);
  return readOrderRecord(Object.fromEntries(fields));
}

function truncateText(value: string): string {
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value;
}

/** The draft id in the form used for claims; undefined if it is not a UUID. */
export function draftIdToClaim(draftId: string): string | undefined {
  return id.safeParse(draftId).data?.toLowerCase();
}
