import * as z from "zod/mini";
import type { BidReceipt } from "../../market/order.ts";

/** A bid before it is sent. Amounts are plain decimal text (no sign, no exponent), times are ms since the epoch. */
export interface BidIntent {
  /** A UUID, used for this bid only. */
  readonly id: string;
  readonly venue: "practice" | "live";
  /** Scheme, host and port of the exchange: never a path or a user. */
  readonly origin: string;
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  /** In the quote asset: the amount to spend. */
  readonly amount: string;
  /** Quote per one base. */
  readonly rate: string;
  /** In the base asset: the expected quantity. */
  readonly quantity: string;
  /** In the quote asset: the expected fee, included in `amount`. */
  readonly fee: string;
  readonly at: number;
  /** Available quote balance before sending; missing if unknown. */
  readonly availableBefore?: string | undefined;
}

/** The outcome. `accepted`, `rejected` and `notSent` are proofs; `unknown` means that there is no proof. */
export type SendOutcome =
  | ({ readonly state: "accepted" } & Partial<BidReceipt>)
  | ({
      readonly state: "rejected";
      readonly code: number | string;
      readonly message?: string | undefined;
    } & MayBlock)
  | ({ readonly state: "notSent" | "unknown"; readonly reason: string } & MayBlock);

interface MayBlock {
  /** If the exchange set a rate limit: its end. */
  readonly retryAt?: number | undefined;
}

/** The result of one reconciling check. It is evidence only: a settlement draws the conclusion. */
export interface CheckFinding {
  /** Available quote balance now, plain decimal text; missing if it could not be read. */
  readonly available?: string | undefined;
  readonly text: string;
  /** `notPlaced` is in old journals only: a check cannot prove it. */
  readonly verdict: "placed" | "notPlaced" | "inconclusive";
}

/** How an unknown bid was settled, and why. */
export interface Settlement {
  readonly by: "check" | "user";
  readonly as: "placed" | "notPlaced" | "unresolved";
  readonly evidence: string;
}

interface OfBid {
  /** Id of the intent. */
  readonly id: string;
  readonly at: number;
}

/** What the journal learns about a bid after its intent. */
export type BidEvent =
  /** In old journals only. */
  | (OfBid & { readonly kind: "sent" })
  | (OfBid & { readonly kind: "outcome" } & SendOutcome)
  | (OfBid & { readonly kind: "check" } & CheckFinding)
  | (OfBid & { readonly kind: "settled" } & Settlement);

/** The practice account was reset: earlier orders belong to an account that does not exist any more. */
export interface AccountReset {
  readonly kind: "accountReset";
  /** A UUID, used for this reset only. */
  readonly id: string;
  readonly venue: "practice";
  readonly at: number;
}

export type IntentRecord = BidIntent & { readonly kind: "intent" };
export type OrderRecord = IntentRecord | AccountReset | BidEvent;

const MAX_TEXT = 500;
const MAX_DIFFERENCES = 5;
const LATEST_DATE = 8.64e15;

const id = z.uuid();
const at = z.int().check(z.nonnegative(), z.lte(LATEST_DATE));
const decimal = z.string().check(z.regex(/^(?:0|[1-9]\d{0,120})(?:\.\d{1,120})?$/));
const asset = z.string().check(z.regex(/^[A-Z0-9][A-Z0-9.-]{0,23}$/));
const symbol = z.string().check(z.regex(/^[A-Za-z0-9.-]{1,24}_[A-Za-z0-9.-]{1,24}$/));
const origin = z.string().check(z.regex(/^https?:\/\/[^\s/?#@\\]{1,300}$/));
const text = z.string().check(z.maxLength(MAX_TEXT));
const ofBid = { id, at };
const difference = z.strictObject({
  field: z.enum(["amount", "rate", "symbol", "side", "type"]),
  sent: text,
  told: text,
});

// Strict: a field that is not listed here, such as a key, makes the whole record unreadable and unwritable.
const orderRecord = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("intent"),
    ...ofBid,
    venue: z.enum(["practice", "live"]),
    origin,
    symbol,
    quote: asset,
    base: asset,
    amount: decimal,
    rate: decimal,
    quantity: decimal,
    fee: decimal,
    availableBefore: z.optional(decimal),
  }),
  z.strictObject({ kind: z.literal("accountReset"), ...ofBid, venue: z.literal("practice") }),
  z.strictObject({ kind: z.literal("sent"), ...ofBid }),
  z.discriminatedUnion("state", [
    z.strictObject({
      kind: z.literal("outcome"),
      ...ofBid,
      state: z.literal("accepted"),
      orderId: z.optional(text),
      differences: z.optional(z.array(difference).check(z.maxLength(MAX_DIFFERENCES))),
    }),
    z.strictObject({
      kind: z.literal("outcome"),
      ...ofBid,
      state: z.literal("rejected"),
      code: z.union([z.number(), text]),
      message: z.optional(text),
      retryAt: z.optional(at),
    }),
    z.strictObject({
      kind: z.literal("outcome"),
      ...ofBid,
      state: z.enum(["notSent", "unknown"]),
      reason: text,
      retryAt: z.optional(at),
    }),
  ]),
  z.strictObject({
    kind: z.literal("check"),
    ...ofBid,
    available: z.optional(decimal),
    text,
    verdict: z.enum(["placed", "notPlaced", "inconclusive"]),
  }),
  z.strictObject({
    kind: z.literal("settled"),
    ...ofBid,
    by: z.enum(["check", "user"]),
    as: z.enum(["placed", "notPlaced", "unresolved"]),
    evidence: text,
  }),
]);

/** Reads one record of a journal file; undefined for anything that is not exactly a record. */
export function readOrderRecord(value: unknown): OrderRecord | undefined {
  const read = orderRecord.safeParse(value);
  return read.success ? read.data : undefined;
}

/**
 * An event as it will be read back, with free text cut to 500 characters: a long message of the exchange must not
 * keep an outcome out of the journal. Undefined if a field does not match the schema.
 */
export function eventToWrite(event: BidEvent): BidEvent | undefined {
  const cut = Object.fromEntries(
    Object.entries(event)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => [field, typeof value === "string" ? cutText(value) : value]),
  );
  const record = readOrderRecord(cut);
  return record?.kind === "intent" || record?.kind === "accountReset" ? undefined : record;
}

function cutText(value: string): string {
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT - 1)}…` : value;
}

/** A draft's id in the form of its claim; undefined if it is no UUID. */
export function draftIdToClaim(draftId: string): string | undefined {
  return id.safeParse(draftId).data?.toLowerCase();
}

/** An intent as it will be read back; undefined if a field does not match the schema. */
export function intentToWrite({ availableBefore, ...intent }: BidIntent): IntentRecord | undefined {
  const record = readOrderRecord({
    ...intent,
    kind: "intent",
    ...(availableBefore !== undefined && { availableBefore }),
  });
  return record?.kind === "intent" ? record : undefined;
}
