import { Decimal } from "../../market/numbers/decimal.ts";
import { sideOf, type OrderName } from "../../market/order.ts";
import { advance, type KnownOrder, type OrderReport } from "../../market/orderReport.ts";
import type { OrderLife, OrderLives } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";

/** The name of an own order at its exchange; undefined while no id is proven. */
export function nameOf(order: RecordedOrder): OrderName | undefined {
  const { intent, orderId } = order;
  if (orderId === undefined) return undefined;
  const { venue, origin, account, quote, base } = intent;
  return { venue, origin, account, quote, base, side: sideOf(intent), orderId };
}

/** The records of an own order by its exchange's id, if there are any. */
export function lifeOf(order: RecordedOrder, lives: OrderLives | undefined): OrderLife | undefined {
  const name = nameOf(order);
  return name && lives?.get(name);
}

/** What is known of an own order: what was sent, and all that its exchange said since. Undefined without its id. */
export function knownOf(order: RecordedOrder, lives: OrderLives | undefined): KnownOrder | undefined {
  const sent = sentReport(order);
  if (!sent) return undefined;
  const known = lifeOf(order, lives)?.known;
  return known ? merge(advance(undefined, sent), known) : advance(undefined, sent);
}

/** An accepted order as its intent describes it: how much, at which limit, and nothing about its fill. */
function sentReport(order: RecordedOrder): OrderReport | undefined {
  const { intent, orderId } = order;
  if (orderId === undefined) return undefined;
  const { symbol, quote, base, clientId, at } = intent;
  const [amount, quantity] = [new Decimal(intent.amount), new Decimal(intent.quantity)];
  const side = sideOf(intent);
  return {
    orderId,
    clientId,
    symbol,
    pair: { quote, base },
    side,
    rate: new Decimal(intent.rate),
    ...(side === "buy" ? { amount, quantity } : { quantity: amount }),
    fills: [],
    placedAt: at,
    askedAt: at,
  };
}

function merge(sent: KnownOrder, known: KnownOrder): KnownOrder {
  const merged = advance(sent, { ...known, fills: [...known.fills, ...known.surplus] });
  return { ...merged, contradictions: [...known.contradictions, ...merged.contradictions] };
}
