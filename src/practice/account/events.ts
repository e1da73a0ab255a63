import * as z from "zod/mini";
import { Decimal } from "../../market/numbers/decimal.ts";

/** The rate and the base quantity of a fill. The whole amount is spent, including the fee. */
export interface Fill {
  readonly rate: Decimal;
  readonly quantity: Decimal;
}

/** The start balance. */
interface Opened {
  readonly kind: "opened";
  readonly asset: string;
  readonly amount: Decimal;
}

/** A bid was accepted: filled at once, or resting with its amount reserved. */
export interface BidAccepted {
  readonly kind: "bid";
  readonly id: number;
  /** ms. */
  readonly at: number;
  readonly symbol: string;
  readonly quote: string;
  readonly base: string;
  readonly amount: Decimal;
  readonly rate: Decimal;
  readonly fee: Decimal;
  readonly fill?: Fill;
}

/** A resting bid was filled. */
interface BidFilled {
  readonly kind: "filled";
  readonly id: number;
  readonly at: number;
  readonly fill: Fill;
}

/** The account starts again with a start balance: earlier balances and open orders no longer count. */
interface Reset {
  readonly kind: "reset";
  readonly at: number;
  readonly asset: string;
  readonly amount: Decimal;
}

/** All events that change the account. Replayed in order, they give the same balances to the last digit. */
export type LedgerEvent = Opened | BidAccepted | BidFilled | Reset;

const decimal = z.pipe(
  z.string().check(z.regex(/^(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?$/)),
  z.transform((text: string) => new Decimal(text)),
);
const whole = z.int().check(z.nonnegative());
const fill = z.object({ rate: decimal, quantity: decimal });
const event = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("opened"), asset: z.string(), amount: decimal }),
  z.object({
    kind: z.literal("bid"),
    id: whole,
    at: whole,
    symbol: z.string(),
    quote: z.string(),
    base: z.string(),
    amount: decimal,
    rate: decimal,
    fee: decimal,
    fill: z.exactOptional(fill),
  }),
  z.object({ kind: z.literal("filled"), id: whole, at: whole, fill }),
  z.object({ kind: z.literal("reset"), at: whole, asset: z.string(), amount: decimal }),
]);

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
