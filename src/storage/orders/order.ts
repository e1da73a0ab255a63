import type { AccountRef, OrderName, SentOrderState } from "../../market/order.ts";
import type { KnownOrder } from "../../market/orders/knownOrder.ts";
import type { CancelRecord } from "./placedOrderRecords.ts";
import type { OrderEvent, OrderIntent, Settlement } from "./records.ts";

/**
 * One order as recorded by all windows: placed from this computer (`OwnOrder`) or elsewhere. The object is replaced
 * only when the order changes.
 */
export interface Order {
  /** Unique: the intent's id, or for an order placed elsewhere the key of its name. */
  readonly id: string;
  readonly account: AccountRef;
  /** Identifies the order at its exchange; undefined until an exchange id is proven. */
  readonly name: OrderName | undefined;
  /** Its state, from what was sent and everything observed since. Undefined without an exchange id. */
  readonly known: KnownOrder | undefined;
  /** Whether the exchange has stated anything of it; otherwise `known` is what was sent. */
  readonly isReported: boolean;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When it was placed or, for an order placed elsewhere, first seen, in ms. */
  readonly at: number;
  /** The time of its newest recorded report or cancellation, in ms; undefined without one. */
  readonly lastAt: number | undefined;
}

export interface PlacedOrder extends Order {
  readonly name: OrderName;
  readonly known: KnownOrder;
}

/** An order as sent, and its outcome, from our own records. */
export interface SentOrder {
  readonly intent: OrderIntent;
  readonly state: SentOrderState;
  /** When the record that determines the state was written, ms. */
  readonly since: number;
  /** Set if the state comes from a check or the user's decision instead of a recorded outcome. */
  readonly settledBy?: Settlement["by"] | undefined;
  /** From the exchange's acceptance. */
  readonly orderId: string | undefined;
  /** When the practice account was reset, ms: later balances say nothing about the order. */
  readonly accountResetAt?: number | undefined;
  /** Everything recorded after the intent, oldest first. */
  readonly evidence: readonly OrderEvent[];
}

/** An order that was placed from this computer. */
export interface OwnOrder extends Order, SentOrder {}

export function isPlaced<T extends Order>(order: T): order is T & PlacedOrder {
  return order.name !== undefined && order.known !== undefined;
}

export function isOwn(order: Order): order is OwnOrder {
  return "intent" in order;
}
