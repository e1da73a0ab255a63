import { Decimal } from "../../market/numbers/decimal.ts";
import { type Account, type OrderName, type OrderState, sideOf } from "../../market/order.ts";
import type { KnownOrder } from "../../market/orderReport.ts";
import type { CancelRecord } from "./placedOrderRecords.ts";
import type { OrderEvent, OrderIntent, Settlement } from "./records.ts";

/**
 * One order, as the records of all windows describe it: placed from this computer (`OwnOrder`), or elsewhere. An order
 * that did not change stays the same object.
 */
export interface Order {
  /** Never used for another order: the id of the intent, or for an order placed elsewhere the key of its name. */
  readonly id: string;
  readonly account: Account;
  /** The order at its exchange; undefined while no id is proven. */
  readonly name: OrderName | undefined;
  /** All ids of the order at its exchange: some exchanges give the rest of an order a new id. */
  readonly ids: readonly string[];
  /** The id that the exchange has for the order now: the one to request and to cancel. */
  readonly currentId: string | undefined;
  /**
   * What was sent and what the exchange reported since: status, fills and figures. Undefined without an id, and for an
   * order placed elsewhere of which only a cancellation is recorded.
   */
  readonly known: KnownOrder | undefined;
  /** Whether any report is recorded. Without one, `known` is what was sent. */
  readonly isReported: boolean;
  /** Whether the kind of end and all fills are known, so that no further report is needed. */
  readonly isComplete: boolean;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When the order was placed, or for an order placed elsewhere first seen, ms. */
  readonly at: number;
  /** When the newest report or cancellation was recorded, ms; undefined without one. */
  readonly lastAt: number | undefined;
}

/** An order whose id at its exchange is known. */
export interface PlacedOrder extends Order {
  readonly name: OrderName;
  readonly known: KnownOrder;
}

/** What the records say of sending an order. */
export interface SentOrder {
  readonly intent: OrderIntent;
  readonly state: OrderState;
  /** When the deciding record was written, ms. */
  readonly since: number;
  /** The deciding record is a check of the balance or a decision of the person, not a proof. */
  readonly settledBy?: Settlement["by"] | undefined;
  /** From the exchange's acceptance. */
  readonly orderId: string | undefined;
  /** When the account of the order was reset, ms: the balance says nothing about the order since then. */
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

/** The name of a sent order at its exchange; undefined while no id is proven. */
export function nameOf({ intent, orderId }: SentOrder): OrderName | undefined {
  if (orderId === undefined) return undefined;
  const { venue, origin, account, quote, base } = intent;
  return { venue, origin, account, quote, base, side: sideOf(intent), orderId };
}

/** An order by its intent: how much, at which limit, and nothing about its fills. */
export function knownAsSent({ intent, orderId }: SentOrder): KnownOrder | undefined {
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
    surplus: [],
    contradictions: [],
    placedAt: at,
    askedAt: at,
  };
}
