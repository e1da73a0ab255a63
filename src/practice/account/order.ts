import { Decimal } from "../../market/numbers/decimal.ts";
import type { Fill, OrderAccepted, PartFill } from "./events.ts";
import { fillAt } from "./rules.ts";

/** One match of an order. What left the user (`amount`) and what arrived (`quantity`) are in the order's own units. */
export interface Match extends PartFill {
  /** Unique in the account's life, and the same at each replay of the ledger. */
  readonly txn: string;
  /** ms. */
  readonly at: number;
  /** The order rested before. */
  readonly isMaker: boolean;
}

/** An accepted order and all that has happened to it. */
export interface Order {
  readonly placed: OrderAccepted;
  readonly matches: readonly Match[];
  /** The part of the amount that was neither filled nor given back: what the order reserves. */
  readonly left: Decimal;
  /** ms; missing while the order is open. */
  readonly closed?: { readonly at: number; readonly as: "filled" | "cancelled" };
}

const ZERO = new Decimal("0");

export function openOrder(placed: OrderAccepted): Order {
  return { placed, matches: [], left: placed.amount };
}

/** The order after a match. Throws RangeError if the match takes more than what is left. */
export function withMatch(order: Order, part: PartFill, at: number, isMaker: boolean): Order {
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

/** The last fill: it takes all that is left of the amount and of the fee. */
export function restOf(order: Order, fill: Fill): PartFill {
  const fee = order.matches
    .filter(({ isMaker }) => isMaker)
    .reduce(
      (rest, match) => rest.minus(match.fee),
      order.matches.length > 0 ? resting(order).fee : order.placed.fee,
    );
  return { ...fill, amount: order.left, fee: fee.lt(ZERO) ? ZERO : fee };
}

/** What the part of an order that did not trade at its acceptance brings at the order's own rate. */
export function resting({ placed: { kind, amount, rate }, matches }: Order): ReturnType<typeof fillAt> {
  const atOnce = matches.filter(({ isMaker }) => !isMaker);
  return fillAt(
    kind,
    atOnce.reduce((rest, match) => rest.minus(match.amount), amount),
    rate,
  );
}

/** When the order last changed by the market: a match at this moment of the grid, or before, cannot happen again. */
export function matchedUntil({ placed, matches }: Order): number {
  return matches.at(-1)?.at ?? placed.at;
}

/** What the order holds back while it is open: quote of a bid, base of an ask. */
export function reservedAsset({ kind, quote, base }: OrderAccepted): string {
  return kind === "bid" ? quote : base;
}
