import { Decimal } from "./numbers/decimal.ts";
import type { Side } from "./order.ts";
import type { Pair } from "./pair.ts";

/** One fill of an order, as reported by an exchange. */
export interface Fill {
  /** The exchange's fill id, unique within the order. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  /** Quote per one base. */
  readonly rate: Decimal;
  /** In base. */
  readonly quantity: Decimal;
  /** Computed from the value, because the exchange reports only that: it may differ by what the exchange rounded. */
  readonly isQuantityAbout?: true | undefined;
  /** In quote, before the fee: a buy paid exactly `value` plus `fee`, a sell received `value` minus `fee`. */
  readonly value: Decimal;
  /** In quote; negative for a rebate. */
  readonly fee: Decimal;
  readonly isMaker?: boolean | undefined;
}

/** Status of an order. `open` rests in the book, possibly partly filled; all others are final. */
export type OrderStatus = "open" | "cancelled" | "rejected" | "partlyFilledCancelled" | "filled";

/** Where a report was read. `push`: an event of the private stream. */
export type ReportSource = "list" | "info" | "history" | "push";

/**
 * What one response reports about one order. Unreported fields are missing: a history has only fills, a list of open
 * orders has none.
 */
export interface OrderReport {
  readonly source: ReportSource;
  /** As text, because some ids exceed 2^53. */
  readonly orderId: string;
  /** Other ids of the same order, earlier or later: some exchanges give the remainder of an order a new id. */
  readonly otherIds?: readonly string[] | undefined;
  /** The one of `otherIds` that the exchange continued the order under. */
  readonly laterId?: string | undefined;
  readonly clientId?: string | undefined;
  /** The pair's key (`pairKey`). */
  readonly symbol: string;
  readonly pair: Pair;
  readonly side: Side;
  /** Limit price, quote per base. Missing in a history, whose rates are those of fills. */
  readonly rate?: Decimal | undefined;
  readonly status?: OrderStatus | undefined;
  /** Price at which a stop order enters the book; it waits until then. `none` once it is in the book, or never waits. */
  readonly trigger?: Decimal | "unknown" | "none" | undefined;
  /** Ordered quantity in base. An estimate for a buy, because a better price yields more. */
  readonly quantity?: Decimal | undefined;
  /** In quote, fee included: the most a buy may spend. */
  readonly amount?: Decimal | undefined;
  /** Unfilled part of `quantity`, in base. */
  readonly remaining?: Decimal | undefined;
  /** Amount spent so far as counted by the exchange: quote with the fee for a buy, base for a sell. */
  readonly executed?: Decimal | undefined;
  readonly fills: readonly Fill[];
  /** Number of fills in the response with unreadable figures: no sum of the fills is complete then. */
  readonly unclearFills?: number | undefined;
  /** ms since the epoch, like all times. */
  readonly placedAt?: number | undefined;
  /** Without a `status`, the order ended, filled or not. */
  readonly closedAt?: number | undefined;
  /** Local time right before the request. */
  readonly askedAt: number;
}

/** The sums of some fills, exact. */
export interface FillSums {
  /** In base. */
  readonly quantity: Decimal;
  /** In quote, before the fee. */
  readonly value: Decimal;
  /** In quote. */
  readonly fee: Decimal;
}

const ZERO = new Decimal("0");
/** Whether the report states that the order ended. A history may not say how. */
export function statesEnd({ status, closedAt }: Pick<OrderReport, "status" | "closedAt">): boolean {
  return closedAt !== undefined || (status !== undefined && status !== "open");
}

export function sumFills(fills: readonly Fill[]): FillSums {
  const sum = (figure: (fill: Fill) => Decimal): Decimal =>
    fills.reduce((total, fill) => total.plus(figure(fill)), ZERO);
  return {
    quantity: sum(({ quantity }) => quantity),
    value: sum(({ value }) => value),
    fee: sum(({ fee }) => fee),
  };
}

/**
 * Average rate of fills weighted by quantity, rounded half up to `places` (at most 39); undefined without a quantity.
 * Never outside the rates of the fills, which value divided by a truncated quantity could be.
 */
export function averageRate(fills: readonly Fill[], places: number): Decimal | undefined {
  const { quantity } = sumFills(fills);
  const weighted = fills.reduce((sum, fill) => sum.plus(fill.rate.times(fill.quantity)), ZERO);
  return quantity.gt(ZERO) ? weighted.div(quantity).round(places, Decimal.roundHalfUp) : undefined;
}
/** What fills spent: quote with the fee for a buy, base for a sell. */
export function spentBy(side: Side, { quantity, value, fee }: FillSums): Decimal {
  return side === "buy" ? value.plus(fee) : quantity;
}

/** The amount spent if the order fills completely: quote for a buy, base for a sell. */
export function fullAmount({
  side,
  quantity,
  amount,
}: Pick<OrderReport, "side" | "quantity" | "amount">): Decimal | undefined {
  return side === "buy" ? amount : quantity;
}

/** The inverse of `fullAmount`: the fields of a report that state the ordered amount. */
export function orderedAs<Amount extends Decimal | undefined>(
  side: Side,
  ordered: Amount,
): { readonly amount: Amount } | { readonly quantity: Amount } {
  return side === "buy" ? { amount: ordered } : { quantity: ordered };
}
