import * as z from "zod/mini";
import type { BidReceipt } from "../market/order.ts";

/** A bid about to be sent. Every amount is plain decimal text (no sign, no exponent), every time ms since the epoch. */
export interface BidIntent {
  /** A UUID, made for this bid alone. */
  readonly id: string;
  readonly venue: "practice" | "live";
  /** Scheme, host and port of the service: never a path or a user. */
  readonly origin: string;
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  /** Of quote, to be spent. */
  readonly amount: string;
  /** Quote per one base. */
  readonly rate: string;
  /** Of base, expected. */
  readonly quantity: string;
  /** Of quote, expected, out of `amount`. */
  readonly fee: string;
  readonly at: number;
  /** Free quote balance before sending; absent where it was unknown. */
  readonly availableBefore?: string | undefined;
}

/** What sending came to. `accepted`, `rejected` and `notSent` are proofs; `unknown` is the want of one. */
export type SendOutcome =
  | ({ readonly state: "accepted" } & Partial<BidReceipt>)
  | ({
      readonly state: "rejected";
      readonly code: number | string;
      readonly message?: string | undefined;
    } & MayBlock)
  | ({ readonly state: "notSent" | "unknown"; readonly reason: string } & MayBlock);

interface MayBlock {
  /** Where the service asked for a pause: when its rate block ends. */
  readonly retryAt?: number | undefined;
}

/** What one reconciling check found. Evidence only: a settlement draws the conclusion. */
export interface CheckFinding {
  /** Free quote balance now, plain decimal text; absent where it could not be read. */
  readonly available?: string | undefined;
  readonly text: string;
  readonly verdict: "placed" | "notPlaced" | "inconclusive";
}

/** How a bid that nothing proved was settled, and on what grounds. */
export interface Settlement {
  readonly by: "check" | "user";
  readonly as: "placed" | "notPlaced" | "unresolved";
  readonly evidence: string;
}

interface OfBid {
  /** Of the intent. */
  readonly id: string;
  readonly at: number;
}

/** What the journal learnt about a bid after its intent. */
export type BidEvent =
  | (OfBid & { readonly kind: "sent" })
  | (OfBid & { readonly kind: "outcome" } & SendOutcome)
  | (OfBid & { readonly kind: "check" } & CheckFinding)
  | (OfBid & { readonly kind: "settled" } & Settlement);

/** The practice account was reset: what was ordered before belongs to an account that is no more. */
export interface AccountReset {
  readonly kind: "accountReset";
  /** A UUID, of this reset alone. */
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

/** Reads what a journal file holds; undefined for anything that is not exactly a record. */
export function readOrderRecord(value: unknown): OrderRecord | undefined {
  const read = orderRecord.safeParse(value);
  return read.success ? read.data : undefined;
}

/**
 * An event as it will be read back, its free text cut to 500 characters: a service's long message must not keep an
 * outcome out of the journal. Undefined where a field is not what the schema asks for.
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

/** A draft's id as its claim is named; undefined where it is no UUID. */
export function draftIdToClaim(draftId: string): string | undefined {
  return id.safeParse(draftId).data?.toLowerCase();
}

/** An intent as it will be read back; undefined where a field is not what the schema asks for. */
export function intentToWrite({ availableBefore, ...intent }: BidIntent): IntentRecord | undefined {
  const record = readOrderRecord({
    ...intent,
    kind: "intent",
    ...(availableBefore !== undefined && { availableBefore }),
  });
  return record?.kind === "intent" ? record : undefined;
}
