import { Decimal } from "../../market/numbers/decimal.ts";
import { type Account, type OrderName, type OrderState } from "../../market/order.ts";
import { type KnownOrder, orderedAs } from "../../market/orderReport.ts";
import type { CancelRecord } from "./placedOrderRecords.ts";
import type { OrderEvent, OrderIntent, Settlement } from "./records.ts";

/**
 * One order as recorded by all windows: placed from this computer (`OwnOrder`) or elsewhere. The object is replaced
 * only when the order changes.
 */
export interface Order {
  /** Unique: the intent's id, or for an order placed elsewhere the key of its name. */
  readonly id: string;
  readonly account: Account;
  /** Identifies the order at its exchange; undefined until an exchange id is proven. */
  readonly name: OrderName | undefined;
  /** All its ids at the exchange: some exchanges give the remainder of an order a new id. */
  readonly ids: readonly string[];
  /** The latest of these ids, to request and cancel the order by. */
  readonly currentId: string | undefined;
  /**
   * What was sent merged with everything reported since: status, fills and amounts. Undefined without an exchange id,
   * and for an order placed elsewhere of which only a cancellation is recorded.
   */
  readonly known: KnownOrder | undefined;
  /** Whether any report is recorded; otherwise `known` is what was sent. */
  readonly isReported: boolean;
  /** Whether its end and all its fills are known, so that no further reports are needed. */
  readonly isComplete: boolean;
  /** The newest step of a cancellation. */
  readonly cancel: CancelRecord | undefined;
  /** When it was placed or, for an order placed elsewhere, first seen, in ms. */
  readonly at: number;
  /** When its newest report or cancellation was recorded, in ms; undefined without one. */
  readonly lastAt: number | undefined;
}

export interface PlacedOrder extends Order {
  readonly name: OrderName;
  readonly known: KnownOrder;
}

/** An order as sent, and its outcome, from our own records. */
export interface SentOrder {
  readonly intent: OrderIntent;
  readonly state: OrderState;
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

/** The exchange's name of a sent order; undefined until an id is proven. */
export function nameOf({ intent, orderId }: SentOrder): OrderName | undefined {
  if (orderId === undefined) return undefined;
  const { venue, origin, account, quote, base } = intent;
  return { venue, origin, account, quote, base, side: intent.side, orderId };
}

/** An order as sent: amount and limit price, no fills. */
export function knownAsSent({ intent, orderId }: SentOrder): KnownOrder | undefined {
  if (orderId === undefined) return undefined;
  const { symbol, quote, base, clientId, at } = intent;
  const [amount, quantity] = [new Decimal(intent.amount), new Decimal(intent.quantity)];
  const side = intent.side;
  return {
    source: "info",
    orderId,
    clientId,
    symbol,
    pair: { quote, base },
    side,
    rate: new Decimal(intent.rate),
    quantity,
    ...orderedAs(side, amount),
    fills: [],
    surplus: [],
    contradictions: [],
    placedAt: at,
    askedAt: at,
  };
}
