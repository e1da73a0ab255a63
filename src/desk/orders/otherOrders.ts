import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { Decimal, truncate } from "../../market/numbers/decimal.ts";
import { assetsOf, keyOf, type Side, sideOf } from "../../market/order.ts";
import { hasEnded, isGone, type KnownOrder, sumFills } from "../../market/orderReport.ts";
import type { OrderLife } from "../../storage/orders/orderLives.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import { cancelStateOf } from "../life/canceller.ts";
import { listedLike } from "../life/namelessOrders.ts";
import { knownOf, lifeOf, nameOf } from "../life/ownOrder.ts";
import { isAt, isInAccount, type Venue } from "../venue.ts";
import type { Change } from "./balanceEvidence.ts";
import { mayBeOf, type Orders } from "./orders.ts";

/** An order may have taken its amount from the balance, if nothing proves that it took nothing. */
const MAY_HAVE_SPENT: ReadonlySet<RecordedOrder["state"]> = new Set([
  "accepted",
  "sending",
  "unknown",
  "unresolved",
  // The person's word is no proof.
  "notPlaced",
]);

interface OtherOrder {
  readonly side: Side;
  readonly quote: string;
  readonly base: string;
  /** What leaves the account; undefined if nothing tells it. */
  readonly amount: Decimal | undefined;
  /** Whether it was placed since the balance was read. */
  readonly isNew: boolean;
  readonly known: KnownOrder | undefined;
  readonly life: OrderLife | undefined;
}

/**
 * How the other orders of the account may have changed the available balance that `order` is compared with, since `from`
 * (ms): own orders, and those that were placed elsewhere. Undefined if that is not known exactly: a sale may have brought
 * money, a cancellation is on its way, or an order ended and its fills are not all known to the last digit.
 */
export function changesByOthers(
  order: OrderIntent,
  orders: Pick<Orders, "all" | "lives">,
  venue: Venue,
  from: number,
): readonly Change[] | undefined {
  const asset = assetsOf(sideOf(order), order).amount;
  const others = [...ownOthers(order, orders, venue, from), ...foreignOthers(order, orders, venue, from)];
  const changes = others
    .filter((each) => assetsOf(each.side, each).amount === asset && mayStillChange(each, from))
    .map((each) => changeBy(each, from))
    .filter((change) => change === undefined || change.length > 0);
  // A bid brings the money of another bid only on a pair of two traded assets, which is rare.
  const mayBring = others
    .filter(({ side }) => side === "sell" || sideOf(order) === "sell")
    .some((each) => assetsOf(each.side, each).quantity === asset && mayStillChange(each, from));
  const known = changes.filter((change) => change !== undefined);
  return known.length < changes.length || (mayBring && known.length > 0) ? undefined : known;
}

function ownOthers(
  order: OrderIntent,
  { all, lives }: Pick<Orders, "all" | "lives">,
  venue: Venue,
  from: number,
): OtherOrder[] {
  return all
    .filter(({ intent, state }) => intent.id !== order.id && MAY_HAVE_SPENT.has(state))
    .filter((each) => each.accountResetAt === undefined && mayBeOf(each, venue))
    .map((own): OtherOrder => {
      const { intent } = own;
      const life = lifeOf(own, lives);
      const isNew = intent.at >= from;
      // The reports of an order that ended long ago are not read.
      const known = life && (isNew || life.lastAt >= from) ? knownOf(own, lives) : undefined;
      const { quote, base } = intent;
      return { side: sideOf(intent), quote, base, amount: new Decimal(intent.amount), isNew, known, life };
    });
}

/** One listed order like this one may be this one. */
function foreignOthers(
  order: OrderIntent,
  { all, lives }: Pick<Orders, "all" | "lives">,
  venue: Venue,
  from: number,
): OtherOrder[] {
  const told = (lives?.all() ?? []).filter(({ lastAt }) => lastAt >= from);
  if (told.length === 0) return [];
  const own = new Set(all.flatMap((each) => nameOf(each) ?? []).map(keyOf));
  const [only, another] = listedLike(order, { all, lives }, venue);
  const fromThere = from + (venue.client.clock?.offset ?? 0);
  return told.flatMap((life): OtherOrder[] => {
    const { name, key } = life;
    // Nobody knows whose the orders are that were recorded without an account.
    const isOurs = isInAccount(name, venue) || (isAt(name, venue) && name.account === undefined);
    const known = isOurs && !own.has(key) ? life.known : undefined;
    if (!known || (known === only && !another)) return [];
    const { side, quote, base } = name;
    const placedAt = known.placedAt ?? known.fills[0]?.at ?? Number.POSITIVE_INFINITY;
    const size = side === "buy" ? known.amount : known.quantity;
    return [{ side, quote, base, amount: size ?? spentBy(known), isNew: placedAt >= fromThere, known, life }];
  });
}

/** Whether anything may have happened to the order since. */
function mayStillChange({ isNew, life }: OtherOrder, from: number): boolean {
  return isNew || !life || !life.isEndRecorded || life.lastAt >= from;
}

/**
 * What an order may have taken from the available balance, beside nothing; below zero: given back. An open order took
 * its whole amount, however much of it is filled.
 */
function changeBy({ amount, isNew, known, life }: OtherOrder, from: number): Change | undefined {
  if (!isNew && (!life || life.lastAt < from)) return [];
  if (amount === undefined || cancelStateOf(life && { cancel: life.cancel, known }) !== undefined)
    return undefined;
  if (known && isGone(known)) return undefined;
  const taken = isNew ? [amount] : [];
  if (!known || !hasEnded(known) || known.status === "filled") return taken;
  const spent = spentBy(known);
  if (!spent) return undefined;
  return [...taken, spent.minus(amount), ...(isNew ? [spent] : [])];
}

/** What an order that ended took in the end; undefined if its fills do not tell all digits of it. */
function spentBy({ side, pair, status, fills, surplus, unclearFills }: KnownOrder): Decimal | undefined {
  const isPart = status === "partlyFilledCancelled";
  if (status === undefined || status === "open" || (isPart && fills.length === 0)) return undefined;
  if (surplus.length > 0 || unclearFills !== undefined) return undefined;
  const { quantity, value, fee } = sumFills(fills);
  if (side === "sell") return quantity;
  const spent = value.plus(fee);
  return truncate(spent, amountDecimals(pair.quote)).eq(spent) ? spent : undefined;
}
