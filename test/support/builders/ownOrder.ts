import { knownAsSent, nameOf, type OwnOrder, type SentOrder } from "../../../src/storage/orders/order.ts";

/** An order of this computer by what was sent, before its exchange reported anything. */
export function ownOrder(sent: SentOrder): OwnOrder {
  const name = nameOf(sent);
  return {
    ...sent,
    id: sent.intent.id,
    account: sent.intent,
    name,
    ids: name ? [name.orderId] : [],
    currentId: sent.orderId,
    known: knownAsSent(sent),
    isReported: false,
    isComplete: false,
    cancel: undefined,
    at: sent.intent.at,
    lastAt: undefined,
  };
}
