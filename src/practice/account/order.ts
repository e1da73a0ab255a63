import { Decimal } from "../../market/numbers/decimal.ts";
import type { PracticeFill, OrderAccepted, PartFill } from "./events.ts";
import { fillAt } from "./rules.ts";

/** A match of an order: `amount` spent and `quantity` received. */
export interface Match extends PartFill {
  /** Unique within the account, and unchanged when the ledger is replayed. */
  readonly txn: string;
  /** ms. */
  readonly at: number;
  /** The order was resting. */
  readonly isMaker: boolean;
}

/** An accepted order with its history. */
export interface PracticeOrder {
  readonly placed: OrderAccepted;
  readonly matches: readonly Match[];
  /** The reserved amount: neither filled nor released. */
  readonly left: Decimal;
  /** ms; missing while the order is open. */
  readonly closed?: { readonly at: number; readonly as: "filled" | "cancelled" };
}

const ZERO = new Decimal("0");

export function openOrder(placed: OrderAccepted): PracticeOrder {
  return { placed, matches: [], left: placed.amount };
}

/** Applies a match. Throws RangeError if it exceeds the remainder. */
export function withMatch(order: PracticeOrder, part: PartFill, at: number, isMaker: boolean): PracticeOrder {
  const left = order.left.minus(part.amount);
  if (left.lt(ZERO)) throw new RangeError(`Order ${order.placed.id} has less left than was filled.`);
  const txn = `${order.placed.id}-${order.matches.length + 1}`;
  return {
    ...order,
    matches: [...order.matches, { ...part, txn, at, isMaker }],
    left,
    ...(left.eq(ZERO) && { closed: { at, as: "filled" as const } }),
  };
}

/** The final fill: the remainder of amount and fee. */
export function restOf(order: PracticeOrder, fill: PracticeFill): PartFill {
  const fee = order.matches
    .filter(({ isMaker }) => isMaker)
    .reduce(
      (rest, match) => rest.minus(match.fee),
      order.matches.length > 0 ? resting(order).fee : order.placed.fee,
    );
  return { ...fill, amount: order.left, fee: fee.lt(ZERO) ? ZERO : fee };
}

/** The quantity and fee that the resting part of an order yields at the order's rate. */
export function resting({
  placed: { kind, amount, rate },
  matches,
}: PracticeOrder): ReturnType<typeof fillAt> {
  const atOnce = matches.filter(({ isMaker }) => !isMaker);
  return fillAt(
    kind,
    atOnce.reduce((rest, match) => rest.minus(match.amount), amount),
    rate,
  );
}

/** When the market last changed the order: it cannot be matched again at or before this time. */
export function matchedUntil({ placed, matches }: PracticeOrder): number {
  return matches.at(-1)?.at ?? placed.at;
}

/** The asset an open order reserves: quote of a bid, base of an ask. */
export function reservedAsset({ kind, quote, base }: OrderAccepted): string {
  return kind === "bid" ? quote : base;
}
