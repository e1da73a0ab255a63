import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { knownOrder } from "../../../src/market/orders/knownOrder.ts";
import { orderState } from "../../../src/market/orders/orderState.ts";
import type { OwnOrder, SentOrder } from "../../../src/storage/orders/order.ts";

/** An order of this computer by what was sent, before its exchange reported anything. */
export function ownOrder(sent: SentOrder): OwnOrder {
  const { intent, orderId } = sent;
  const { venue, origin, account, quote, base, side, at } = intent;
  const amount = new Decimal(intent.amount);
  const quantity = side === "buy" ? new Decimal(intent.quantity) : amount;
  const figures = { pair: { quote, base }, side, rate: new Decimal(intent.rate), amount, quantity };
  const state = (): ReturnType<typeof orderState> =>
    orderState([
      { source: "intent", at, sent: figures },
      { source: "receipt", at, says: "accepted", orderId },
    ]);
  return {
    ...sent,
    id: intent.id,
    account: intent,
    name: orderId === undefined ? undefined : { venue, origin, account, quote, base, side, orderId },
    known: orderId === undefined ? undefined : knownOrder(state(), orderId),
    isReported: false,
    cancel: undefined,
    at,
    lastAt: undefined,
  };
}
