import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { isWorse } from "../../market/order.ts";
import { fullAmount, type OrderReport, spentBy, sumFills } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { Watching } from "../venue.ts";

type Sized = Pick<
  OrderReport,
  "pair" | "side" | "clientId" | "rate" | "trigger" | "amount" | "quantity" | "fills"
>;

/** The exchange dates an order by its own clock, on arrival. */
const MAX_CLOCK_DIFFERENCE_MS = 120_000;
/** Smallest unit of a quantity. */
const QUANTITY_UNIT = new Decimal("1e-8");

/**
 * Whether a reported order has the pair, side, price and amount of the sent one. An order with a client id has not: it
 * would have been recognized by that id. Neither has a stop order that waits: none was sent.
 */
export function isAlike(intent: OrderIntent, reported: Sized): boolean {
  const { pair, side, clientId, rate, trigger = "none", fills } = reported;
  const limit = new Decimal(intent.rate);
  return (
    pair.quote === intent.quote &&
    pair.base === intent.base &&
    side === intent.side &&
    clientId === undefined &&
    trigger === "none" &&
    (rate ? rate.eq(limit) : !fills.some((fill) => isWorse(fill.rate, limit, side))) &&
    isOfSize(reported, new Decimal(intent.amount))
  );
}

/** Whether the exchange dates the order near the time of sending, or its first fill not before that. */
export function isOfTime(
  intent: OrderIntent,
  { placedAt, fills }: Pick<OrderReport, "placedAt" | "fills">,
  { client }: Watching,
): boolean {
  const sentAt = intent.exchangeAt ?? intent.at + (client.clock?.offset ?? 0);
  if (placedAt !== undefined) return Math.abs(placedAt - sentAt) <= MAX_CLOCK_DIFFERENCE_MS;
  return fills.length > 0 && fills.every(({ at }) => at >= sentAt - MAX_CLOCK_DIFFERENCE_MS);
}

/**
 * The history has no amounts, so the sum of an order's matches must equal the sent amount. Each match may be rounded, by
 * one unit of the amount and one of the quantity.
 */
function isOfSize(reported: Sized, sent: Decimal): boolean {
  const { side, pair, fills } = reported;
  const size = fullAmount(reported);
  if (size) return size.eq(sent);
  const spent = spentBy(side, sumFills(fills));
  if (side === "sell") return spent.eq(sent);
  const unit = new Decimal(`1e-${amountDecimals(pair.quote)}`);
  const slack = fills.reduce(
    (sum, { rate }) => sum.plus(unit).plus(QUANTITY_UNIT.times(rate)),
    new Decimal("0"),
  );
  return spent.minus(sent).abs().lte(slack);
}
