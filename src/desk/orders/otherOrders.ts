import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { Decimal, truncate } from "../../market/numbers/decimal.ts";
import { assetsOf, type Side } from "../../market/order.ts";
import { hasEnded, isEndKnown, isUnlisted, type KnownOrder, sumFills } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { Order, OwnOrder } from "../../storage/orders/order.ts";
import { cancelStateOf } from "../tracking/canceller.ts";
import { similarListed } from "../tracking/ordersWithoutId.ts";
import { isInAccount, type Venue } from "../venue.ts";
import type { Change } from "./balanceEvidence.ts";
import { isOfAccount, type Orders } from "./orders.ts";

/** States in which an order may have lowered the balance. */
const MAY_HAVE_SPENT: ReadonlySet<OwnOrder["state"]> = new Set([
  "accepted",
  "sending",
  "unknown",
  "unresolved",
  // This may be the user's decision, which is not proof.
  "notPlaced",
]);

interface OtherOrder {
  readonly side: Side;
  readonly quote: string;
  readonly base: string;
  /** The amount spent; undefined if unknown. */
  readonly amount: Decimal | undefined;
  /** Whether it was placed since the balance was read. */
  readonly isNew: boolean;
  readonly of: Order;
}

/**
 * How the account's other orders, placed here or elsewhere, may have changed the available balance that `order` is
 * compared with, since `from` (ms). Undefined if a change is not known exactly: a sale may have raised the balance, a
 * cancellation is pending, or an order ended and its fills are not known to the last digit.
 */
export function changesByOthers(
  order: OrderIntent,
  orders: Pick<Orders, "own" | "elsewhere">,
  venue: Venue,
  from: number,
): readonly Change[] | undefined {
  const asset = assetsOf(order.side, order).amount;
  const others = [
    ...ownOthers(order, orders.own, venue, from),
    ...foreignOthers(order, orders.elsewhere, venue, from),
  ];
  const changes = others
    .filter((each) => assetsOf(each.side, each).amount === asset && mayStillChange(each, from))
    .map((each) => changeBy(each, from))
    .filter((change) => change === undefined || change.length > 0);
  // Bids are assumed not to raise the balance that another bid spends: that takes a pair of two quote assets, which is
  // rare.
  const mayBring = others
    .filter(({ side }) => side === "sell" || order.side === "sell")
    .some((each) => assetsOf(each.side, each).quantity === asset && mayStillChange(each, from));
  const known = changes.filter((change) => change !== undefined);
  return known.length < changes.length || (mayBring && known.length > 0) ? undefined : known;
}

function ownOthers(order: OrderIntent, all: readonly OwnOrder[], venue: Venue, from: number): OtherOrder[] {
  return all
    .filter(({ intent, state }) => intent.id !== order.id && MAY_HAVE_SPENT.has(state))
    .filter((each) => each.accountResetAt === undefined && isOfAccount(each, venue))
    .map((own): OtherOrder => {
      const { quote, base, amount, at } = own.intent;
      return {
        side: own.intent.side,
        quote,
        base,
        amount: new Decimal(amount),
        isNew: at >= from,
        of: own,
      };
    });
}

/** Orders placed elsewhere. If exactly one resembles this order, it may be this order and is left out. */
function foreignOthers(
  order: OrderIntent,
  elsewhere: readonly Order[],
  venue: Venue,
  from: number,
): OtherOrder[] {
  const recent = elsewhere.filter(({ lastAt = from }) => lastAt >= from);
  if (recent.length === 0) return [];
  const [only, another] = similarListed(order, elsewhere, venue);
  const fromThere = from + (venue.client.clock?.offset ?? 0);
  return recent.flatMap((of): OtherOrder[] => {
    const { account, known } = of;
    if (!isInAccount(account, venue) || !known || (known === only && !another)) return [];
    const {
      side,
      pair: { quote, base },
    } = known;
    const placedAt = known.placedAt ?? known.fills[0]?.at ?? Number.POSITIVE_INFINITY;
    const size = side === "buy" ? known.amount : known.quantity;
    return [{ side, quote, base, amount: size ?? spentBy(known), isNew: placedAt >= fromThere, of }];
  });
}

/**
 * Whether the order may have changed the balance since `from`. An end inferred from a cancellation alone may be wrong.
 */
function mayStillChange({ isNew, of: { known, lastAt, cancel } }: OtherOrder, from: number): boolean {
  if (isNew || lastAt === undefined || lastAt >= from || !known) return true;
  return !isEndKnown(known) && (cancel !== undefined || !hasEnded(known));
}

/**
 * The amounts by which an order may have lowered the available balance, besides zero; a negative amount was returned to
 * it. An open order reserves its whole amount, however much of it is filled.
 */
function changeBy({ amount, isNew, of }: OtherOrder, from: number): Change | undefined {
  const { known, lastAt } = of;
  if (!isNew && (lastAt === undefined || lastAt < from)) return [];
  if (amount === undefined || cancelStateOf(of) !== undefined) return undefined;
  if (known && isUnlisted(known)) return undefined;
  const reserved = isNew ? [amount] : [];
  if (!known || !hasEnded(known) || known.status === "filled") return reserved;
  const spent = spentBy(known);
  if (!spent) return undefined;
  return [...reserved, spent.minus(amount), ...(isNew ? [spent] : [])];
}

/** The amount that an ended order spent; undefined if its fills do not determine it exactly. */
function spentBy({ side, pair, status, fills, surplus, unclearFills }: KnownOrder): Decimal | undefined {
  const isPart = status === "partlyFilledCancelled";
  if (status === undefined || status === "open" || (isPart && fills.length === 0)) return undefined;
  if (surplus.length > 0 || unclearFills !== undefined) return undefined;
  const { quantity, value, fee } = sumFills(fills);
  if (side === "sell") return quantity;
  const spent = value.plus(fee);
  return truncate(spent, amountDecimals(pair.quote)).eq(spent) ? spent : undefined;
}
