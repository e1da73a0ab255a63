import * as z from "zod/mini";
import { Decimal } from "../../market/numbers/decimal.ts";

const decimal = z.pipe(
  z.string().check(z.regex(/^(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/)),
  z.transform((text: string) => new Decimal(text)),
);
const whole = z.int().check(z.nonnegative());
/** The rate and the base quantity of a fill. The whole amount is spent, including the fee. */
const fill = z.readonly(z.object({ rate: decimal, quantity: decimal }));
const event = z.discriminatedUnion("kind", [
  /** The start balance. */
  z.object({ kind: z.literal("opened"), asset: z.string(), amount: decimal }),
  /** A bid was accepted: filled at once, or resting with its amount reserved. */
  z.object({
    kind: z.literal("bid"),
    id: whole,
    /** ms. */
    at: whole,
    symbol: z.string(),
    quote: z.string(),
    base: z.string(),
    amount: decimal,
    rate: decimal,
    fee: decimal,
    fill: z.exactOptional(fill),
  }),
  /** A resting bid was filled. */
  z.object({ kind: z.literal("filled"), id: whole, at: whole, fill }),
  /** The account starts again with a start balance: earlier balances and open orders no longer count. */
  z.object({ kind: z.literal("reset"), at: whole, asset: z.string(), amount: decimal }),
]);

/** All events that change the account. Replayed in order, they give the same balances to the last digit. */
export type LedgerEvent = Readonly<z.infer<typeof event>>;
export type BidAccepted = Extract<LedgerEvent, { kind: "bid" }>;
export type Fill = z.infer<typeof fill>;

/** Reads a log record; throws for one that this version does not know. */
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

/** The record of an event: every amount as exact decimal text. */
export function eventRecord(event: LedgerEvent): unknown {
  switch (event.kind) {
    case "opened":
    case "reset":
      return { ...event, amount: event.amount.toFixed() };
    case "bid":
      return {
        ...event,
        amount: event.amount.toFixed(),
        rate: event.rate.toFixed(),
        fee: event.fee.toFixed(),
        ...(event.fill && { fill: fillRecord(event.fill) }),
      };
    case "filled":
      return { ...event, fill: fillRecord(event.fill) };
  }
}

function fillRecord({ rate, quantity }: Fill): unknown {
  return { rate: rate.toFixed(), quantity: quantity.toFixed() };
}
