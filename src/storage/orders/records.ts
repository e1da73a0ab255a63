import * as z from "zod/mini";
import {
  account,
  asset,
  at,
  decimal,
  id,
  keyDigest,
  MAX_TEXT,
  origin,
  side,
  symbol,
  text,
} from "./fields.ts";
import {
  absenceRecord,
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
  returned: text,
});
const differences = z.readonly(z.array(difference).check(z.maxLength(difference.shape.field.options.length)));

// Strict: an unlisted field, such as a key, makes the whole record unreadable and unwritable.

const intentRecord = z.strictObject({
  kind: z.literal("intent"),
  /** A UUID, unique to this order. */
  id,
  at,
  /** A time after the latest practice reset, set only if the clock was set back since, so that `at` is earlier. */
  notBefore: z.optional(at),
  venue: z.enum(["practice", "live"]),
  origin,
  /** Missing for the practice exchange, which has one account. */
  account: z.optional(account),
  symbol,
  quote: asset,
  base: asset,
  side,
  /** What is spent: quote to buy, base to sell. */
  amount: decimal,
  /** Quote per one base. */
  rate: decimal,
  /** Expected to be received: base for a bid, quote after the fee for an ask. */
  quantity: decimal,
  /** Expected fee in quote; included in the amount of a bid. */
  fee: decimal,
  /** Maker only. Missing: the order may fill immediately. */
  postOnly: z.optional(z.literal(true)),
  /** Available balance of the spent asset before sending; missing if unknown. */
  availableBefore: z.optional(decimal),
  /** Its reserved balance before sending; missing if unknown. */
  reservedBefore: z.optional(decimal),
  /** Client id, only for exchanges that accept one. */
  clientId: z.optional(z.string().check(z.regex(/^[A-Z0-9-]{1,32}$/))),
  /** `at` by the exchange's clock; missing if that was not measured. */
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

/** The result of one check that did not find the order: figures for the user, and no proof. */
const checkRecord = z.strictObject({
  kind: z.literal("check"),
  ...ofOrder,
  /** Available balance of the spent asset, plain decimal text; missing if unreadable. */
  available: z.optional(decimal),
  text,
});

/** How and why an unknown order was settled. */
const settledRecord = z.strictObject({
  kind: z.literal("settled"),
  ...ofOrder,
  by: z.enum(["check", "user"]),
  as: z.enum(["accepted", "notPlaced", "unresolved"]),
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

/** The API key that an account uses from now on: the first one, or one that the user said is theirs. */
const accountKeyRecord = z.strictObject({ kind: z.literal("accountKey"), at, account, digest: keyDigest });

const anyRecord = z.discriminatedUnion("kind", [
  intentRecord,
  resetRecord,
  outcomeRecord,
  checkRecord,
  settledRecord,
  reportRecord,
  fillRecord,
  absenceRecord,
  cancelRecord,
  costRecord,
  accountKeyRecord,
]);

/** Every live record names its account, and no other does. */
const orderRecord = anyRecord.check(
  z.refine(
    (record) =>
      !("venue" in record) ||
      (record.venue === "practice") === (!("account" in record) || record.account === undefined),
  ),
);

export type OrderRecord = Readonly<z.infer<typeof orderRecord>>;
export type IntentRecord = Extract<OrderRecord, { kind: "intent" }>;
export type AccountReset = Extract<OrderRecord, { kind: "accountReset" }>;
export type AccountKeyRecord = Extract<OrderRecord, { kind: "accountKey" }>;

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
  IntentRecord | AccountReset | AccountKeyRecord | PlacedOrderRecord | CostRecord
>;

/**
 * An order about to be sent. Amounts are plain decimal text without sign or exponent, times are ms since the epoch.
 */
export type OrderIntent = Omit<IntentRecord, "kind">;

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type EventFields<K extends OrderEvent["kind"]> = Without<
  Extract<OrderEvent, { kind: K }>,
  "kind" | "id" | "at"
>;
/** The outcome of sending an order, with the recorded parts of the response. */
export type Outcome = EventFields<"outcome">;
/** The result of one check that did not find the order. */
export type CheckFinding = EventFields<"check">;
/** The settlement of an unknown order by a check or the user, and why. */
export type Settlement = EventFields<"settled">;

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
