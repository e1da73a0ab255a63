import * as z from "zod/mini";
import { Decimal } from "../../market/numbers/decimal.ts";

const decimal = z.pipe(
  z.string().check(z.regex(/^(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/)),
  z.transform((text: string) => new Decimal(text)),
);
const whole = z.int().check(z.nonnegative());
/** Rate of a fill, and quantity received: base of a bid, quote after the fee of an ask. */
const fill = z.readonly(z.object({ rate: decimal, quantity: decimal }));
/** A partial fill: `amount` is what was spent, `fee` is in quote. */
const part = z.readonly(z.object({ rate: decimal, quantity: decimal, amount: decimal, fee: decimal }));
/** An accepted order: filled at once in full, or resting with its amount reserved. */
const order = {
  id: whole,
  /** Ms since the epoch. */
  at: whole,
  symbol: z.string(),
  quote: z.string(),
  base: z.string(),
  /** What is spent: quote of a bid, base of an ask. */
  amount: decimal,
  rate: decimal,
  /** In quote, for the whole order: at the rate of its fill, or else at its own rate. */
  fee: decimal,
  clientId: z.exactOptional(z.string()),
  postOnly: z.exactOptional(z.literal(true)),
  /** A post-only order that would have been filled immediately was cancelled on acceptance. */
  isCrossed: z.exactOptional(z.literal(true)),
  fill: z.exactOptional(fill),
};
const event = z.discriminatedUnion("kind", [
  /** Start balance. */
  z.object({ kind: z.literal("opened"), asset: z.string(), amount: decimal }),
  z.object({ kind: z.literal("bid"), ...order }),
  z.object({ kind: z.literal("ask"), ...order }),
  /** Partial fill of a resting order. */
  z.object({ kind: z.literal("partFilled"), id: whole, at: whole, fill: part }),
  /** The remainder of a resting order was filled. */
  z.object({ kind: z.literal("filled"), id: whole, at: whole, fill }),
  /** The user cancelled a resting order, which releases its unfilled amount. */
  z.object({ kind: z.literal("cancelled"), id: whole, at: whole }),
  /** The account was reset to a start balance; earlier balances and orders no longer count. */
  z.object({ kind: z.literal("reset"), at: whole, asset: z.string(), amount: decimal }),
]);

/** All events that change the account. Replaying them in order reproduces the balances to the last digit. */
export type LedgerEvent = Readonly<z.infer<typeof event>>;
export type OrderAccepted = Extract<LedgerEvent, { kind: "bid" | "ask" }>;
export type PracticeFill = z.infer<typeof fill>;
export type PartFill = z.infer<typeof part>;

/** Parses a log record; throws if this version does not know it. */
export function readEvent(record: unknown): LedgerEvent {
  const read = event.safeParse(record);
  if (!read.success) {
    throw new Error(
      "The practice ledger holds a record this version cannot read. Update, or move the ledger's folder away to start anew.",
      { cause: read.error },
    );
  }
  return read.data;
}

/** Serializes an event with all amounts as exact decimal text. */
export function eventRecord(event: LedgerEvent): unknown {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, name === "fill" ? texts(value) : text(value)]),
  );
}

function texts(value: unknown): unknown {
  return Object.fromEntries(
    Object.entries(value as PracticeFill).map(([name, amount]) => [name, text(amount)]),
  );
}

function text(value: unknown): unknown {
  return value instanceof Decimal ? value.toFixed() : value;
}
