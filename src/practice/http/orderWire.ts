import type { OrderAccepted } from "../account/events.ts";
import type { Match, PracticeOrder } from "../account/order.ts";
import { fillAt, type OrderKind } from "../account/rules.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import type { PracticeGeneration } from "./routes.ts";
import { exact } from "./wire.ts";

/** Writes amounts as numbers in generation A, as text in the others. */
function amountWriter(generation: PracticeGeneration): (amount: Decimal) => unknown {
  return generation === "A" ? exact : (amount) => amount.toFixed();
}

function sideOf(kind: OrderKind): "buy" | "sell" {
  return kind === "bid" ? "buy" : "sell";
}

/**
 * An accepted order. `rec` is what it received, or will receive at its own rate: base of a bid, quote of an ask. `ci` is
 * the client id, if given.
 */
export function placedResult(order: OrderAccepted, received: Decimal): unknown {
  return {
    id: String(order.id),
    typ: "limit",
    amt: exact(order.amount),
    rat: exact(order.rate),
    fee: exact(order.fee),
    cre: 0,
    rec: exact(received),
    ts: String(Math.floor(order.at / 1000)),
    ...(order.clientId !== undefined && { ci: order.clientId }),
  };
}

/** A row of open orders. `amount` is the ordered amount, and `receive` what it yields in full at the order's rate. */
export function openOrderRow({ placed }: PracticeOrder, generation: PracticeGeneration): unknown {
  const { kind, amount, rate, fee, at } = placed;
  const isOldest = generation === "A";
  const write = amountWriter(generation);
  const id = (number: number): unknown => (isOldest ? number : String(number));
  const side = sideOf(kind);
  return {
    id: id(placed.id),
    side: isOldest ? side.toUpperCase() : side,
    type: "limit",
    rate: write(rate),
    fee: write(fee),
    credit: id(0),
    amount: write(amount),
    receive: write(fillAt(kind, amount, rate).quantity),
    parent_id: id(0),
    super_id: id(0),
    client_id: placed.clientId ?? "",
    ts: isOldest ? Math.floor(at / 1000) : at,
  };
}

/** Details of an order; amounts in the asset that is spent: quote of a bid, base of an ask. Times in ms. */
export function orderInfoResult({ placed, matches, left, closed }: PracticeOrder): unknown {
  const id = String(placed.id);
  const filled = matches.reduce((sum, { amount }) => sum.plus(amount), placed.amount.minus(placed.amount));
  return {
    id,
    first: id,
    parent: "0",
    last: id,
    client_id: placed.clientId ?? "",
    post_only: placed.postOnly === true,
    amount: placed.amount.toFixed(),
    rate: exact(placed.rate),
    fee: exact(placed.fee),
    credit: 0,
    filled: exact(filled),
    total: exact(placed.amount),
    status: closed?.as ?? "unfilled",
    partial_filled: matches.length > 0 && closed?.as !== "filled",
    remaining: exact(left),
    history: matches.map(({ amount, fee, rate, at, txn }) => ({
      amount: exact(amount),
      credit: 0,
      fee: exact(fee),
      id,
      rate: exact(rate),
      timestamp: at,
      txn_id: txn,
    })),
  };
}

/** A row of the order history: one match. `amount` of a buy is base in generation A, quote in the others. */
export function historyRow(
  { placed, closed }: PracticeOrder,
  match: Match,
  generation: PracticeGeneration,
): unknown {
  const isBase = placed.kind === "ask" || generation === "A";
  const base = placed.kind === "ask" ? match.amount : match.quantity;
  return {
    txn_id: match.txn,
    order_id: String(placed.id),
    client_id: placed.clientId ?? "",
    taken_by_me: !match.isMaker,
    is_maker: match.isMaker,
    side: sideOf(placed.kind),
    type: "limit",
    rate: match.rate.toFixed(),
    fee: match.fee.toFixed(),
    credit: "0",
    amount: (isBase ? base : match.amount).toFixed(),
    ts: match.at,
    order_closed_at: closed?.at ?? null,
  };
}
