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

const MAX_DIFFERENCES = 5;

const ofOrder = { id, at };
const difference = z.strictObject({
  field: z.enum(["amount", "rate", "quantity", "symbol", "side", "type"]),
  sent: text,
  told: text,
});
const differences = z.readonly(z.array(difference).check(z.maxLength(MAX_DIFFERENCES)));

// Strict: a field that is not listed here, such as a key, makes the whole record unreadable and unwritable. The words are
// those of all journals so far, and stay as they are: `stateOf` and the functions below translate them.

const intentRecord = z.strictObject({
  kind: z.literal("intent"),
  /** A UUID, used for this order only. */
  id,
  at,
  /**
   * A time after the reset that began the practice account of the order. Only if the clock was set back since that reset,
   * so that `at` is earlier. Version 0.1 leaves such a line alone.
   */
  notBefore: z.optional(at),
  venue: z.enum(["practice", "live"]),
  origin,
  /**
   * Missing at the practice exchange, which has one account, and in records from before accounts were recorded. Version
   * 0.1 leaves such a line alone.
   */
  account: z.optional(account),
  symbol,
  quote: asset,
  base: asset,
  /** Missing: a bid. Version 0.1 knows no other side, and leaves the line of an ask alone. */
  side: z.optional(z.literal("sell")),
  /** What leaves: the quote asset to spend, or the base asset to sell. */
  amount: decimal,
  /** Quote per one base. */
  rate: decimal,
  /** What is expected to arrive: the base asset, or for an ask the quote asset after the fee. */
  quantity: decimal,
  /** In the quote asset: the expected fee, included in the amount of a bid. */
  fee: decimal,
  /** The order may only wait in the book. Missing: it may also be filled at once. Version 0.1 leaves such a line alone. */
  postOnly: z.optional(z.literal(true)),
  /** Available balance of the asset of `amount` before sending; missing if unknown. */
  availableBefore: z.optional(decimal),
  /** Reserved balance of the same asset before sending; missing if unknown. */
  reservedBefore: z.optional(decimal),
  /** The order's own client id; only for an exchange that takes one. */
  clientId: z.optional(z.string().check(z.regex(/^[A-Z0-9-]{1,32}$/))),
  /** `at` by the exchange's clock; only with a client id, and missing if that clock was not measured. */
  exchangeAt: z.optional(at),
});

/** If the exchange set a rate limit: its end. */
const rateLimit = { retryAt: z.optional(at) };

/** `accepted`, `rejected` and `notSent` are proofs; `unknown` means that there is no proof. */
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

/** The result of one check of the balance. It is evidence only: a settlement draws the conclusion. */
const checkRecord = z.strictObject({
  kind: z.literal("check"),
  ...ofOrder,
  /** Available balance of the asset of `amount` then; missing if it could not be read. */
  available: z.optional(decimal),
  text,
  /** `notPlaced` is in old journals only: a check cannot prove it. */
  verdict: z.enum(["placed", "notPlaced", "inconclusive"]),
});

/** How an unknown order was settled, and why. */
const settledRecord = z.strictObject({
  kind: z.literal("settled"),
  ...ofOrder,
  by: z.enum(["check", "user"]),
  as: z.enum(["placed", "notPlaced", "unresolved"]),
  evidence: text,
});

/** The practice account was reset: earlier orders belong to an account that does not exist any more. */
const resetRecord = z.strictObject({
  kind: z.literal("accountReset"),
  /** A UUID, used for this reset only. */
  id,
  at,
  venue: z.literal("practice"),
});

/**
 * The person's answer whether two keys are of the same account, for example because a key was replaced. The newest answer
 * about `other` counts.
 */
const accountAnswerRecord = z.strictObject({
  kind: z.literal("accountAnswer"),
  at,
  venue: z.literal("live"),
  origin,
  /** The account that was signed in. */
  account,
  /** The account that the question was about; missing: the records that name none. */
  other: z.optional(account),
  isSame: z.boolean(),
});

/** In old journals only. */
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
/** When a record was written, in ms, in the sequence of the practice account's resets, whatever the clock said. */
export function sequenceTime({
  at,
  notBefore = at,
}: {
  readonly at: number;
  readonly notBefore?: number | undefined;
}): number {
  return Math.max(at, notBefore);
}

/** The records about an order after its intent. */
export type OrderEvent = Exclude<
  OrderRecord,
  IntentRecord | AccountReset | AccountAnswer | PlacedOrderRecord | CostRecord
>;
type Settled = Extract<OrderEvent, { kind: "settled" }>;

/** An order before it is sent. Amounts are plain decimal text (no sign, no exponent), times are ms since the epoch. */
export type OrderIntent = Omit<IntentRecord, "kind">;

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** The outcome of sending an order, with the kept parts of the answer. */
export type Outcome = Without<Extract<OrderEvent, { kind: "outcome" }>, "kind" | "id" | "at">;

/** The result of one check of the balance: the order is accepted, or stays unknown. */
export interface CheckFinding {
  /** Available balance of the asset of `amount` now, plain decimal text; undefined if it could not be read. */
  readonly available?: string | undefined;
  readonly text: string;
  readonly state: Extract<OrderState, "accepted" | "unknown">;
}

/** The end of an unknown order without a proof, and why. */
export interface Settlement {
  readonly by: Settled["by"];
  readonly as: Extract<OrderState, "accepted" | "notPlaced" | "unresolved">;
  readonly evidence: string;
}

/** In the words of the journal. */
export function storedVerdict({ state }: CheckFinding): "placed" | "inconclusive" {
  return state === "accepted" ? "placed" : "inconclusive";
}

/** In the words of the journal. */
export function storedSettlement({ as }: Settlement): Settled["as"] {
  return as === "accepted" ? "placed" : as;
}

/** The state that a settlement in the journal gives its order. */
export function settledState({ as }: Settled): Settlement["as"] {
  return as === "placed" ? "accepted" : as;
}

/** Reads one record of a journal file; undefined for anything that is not exactly a record. */
export function readOrderRecord(value: unknown): OrderRecord | undefined {
  return orderRecord.safeParse(value).data;
}

/**
 * A record as it will be read back, with free text cut to 500 characters: a long message of the exchange must not keep an
 * outcome out of the journal. Undefined if a field does not match the schema.
 */
export function recordToWrite(record: OrderRecord): OrderRecord | undefined {
  const fields = Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, typeof value === "string" ? truncateText(value) : value]);
  return readOrderRecord(Object.fromEntries(fields));
}

function truncateText(value: string): string {
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value;
}

/** A draft's id in the form of its claim; undefined if it is no UUID. */
export function draftIdToClaim(draftId: string): string | undefined {
  return id.safeParse(draftId).data?.toLowerCase();
}
