import { Decimal } from "../../market/numbers/decimal.ts";
import type { LedgerEvent } from "../account/events.ts";
import { openOrder, type Match, type PracticeOrder } from "../account/order.ts";
import { FEE_SHARE } from "../account/rules.ts";

/** Channels of the private stream. */
export type StreamChannel = "order_update" | "match_update";

interface ChannelFrame {
  readonly channel: StreamChannel;
  readonly data: unknown;
}

type Status = "new" | "open" | "partial_filled" | "filled" | "canceled" | "partial_filled_canceled";

const ZERO = new Decimal("0");
const AVERAGE_PLACES = 8;

/** Frames for a recorded event; `order` is the state after it. */
export function framesOf(event: LedgerEvent, order: PracticeOrder): ChannelFrame[] {
  const matched = (): ChannelFrame[] =>
    order.matches.slice(-1).map((match) => ({ channel: "match_update", data: matchData(order, match) }));
  const update = (of: PracticeOrder, status: Status): ChannelFrame => ({
    channel: "order_update",
    data: orderData(of, status, status === "new" ? undefined : updatedAt(event)),
  });
  switch (event.kind) {
    case "bid":
    case "ask": {
      const created = update(openOrder(event), "new");
      if (event.fill) return [created, ...matched(), update(order, "filled")];
      return [created, update(order, event.isCrossed ? "canceled" : "open")];
    }
    case "partFilled":
      return [...matched(), update(order, "partial_filled")];
    case "filled":
      return [...matched(), update(order, "filled")];
    case "cancelled":
      return [update(order, order.matches.length > 0 ? "partial_filled_canceled" : "canceled")];
    default:
      return [];
  }
}

function updatedAt(event: LedgerEvent): number | undefined {
  return event.kind === "opened" ? undefined : event.at;
}

/** A buy spends quote, including the fee, and receives base. A sell spends base and receives quote, net of the fee. */
function orderData(
  { placed, matches, closed }: PracticeOrder,
  status: Status,
  at: number | undefined,
): unknown {
  const { kind, quote, base, rate } = placed;
  const isBid = kind === "bid";
  const sum = (figure: (match: Match) => Decimal): Decimal =>
    matches.reduce((total, match) => total.plus(figure(match)), ZERO);
  const filledBase = sum(({ amount, quantity }) => (isBid ? quantity : amount));
  const value = sum((match) => match.rate.times(isBid ? match.quantity : match.amount));
  const fee = sum((match) => match.fee).toFixed();
  const average = filledBase.gt(ZERO)
    ? value.div(filledBase).round(AVERAGE_PLACES, Decimal.roundHalfUp)
    : ZERO;
  return {
    order_id: String(placed.id),
    client_id: placed.clientId ?? null,
    symbol: `${base}_${quote}`,
    side: isBid ? "buy" : "sell",
    type: "limit",
    status,
    price: rate.toFixed(),
    order_currency: isBid ? quote : base,
    order_amount: placed.amount.toFixed(),
    executed_currency: isBid ? quote : base,
    executed_amount: sum(({ amount }) => amount).toFixed(),
    received_currency: isBid ? base : quote,
    received_amount: sum(({ quantity }) => quantity).toFixed(),
    total_fee: fee,
    credit_used: "0",
    net_fee_paid: fee,
    avg_filled_price: average.toFixed(),
    post_only: placed.postOnly === true,
    canceled_by: closed?.as === "cancelled" ? (placed.isCrossed ? "system" : "user") : null,
    order_created_at: placed.at,
    order_updated_at: at ?? null,
  };
}

function matchData({ placed }: PracticeOrder, match: Match): unknown {
  return {
    order_id: String(placed.id),
    txn_id: match.txn,
    client_id: placed.clientId ?? null,
    symbol: `${placed.base}_${placed.quote}`,
    side: placed.kind === "bid" ? "buy" : "sell",
    is_maker: match.isMaker,
    price: match.rate.toFixed(),
    executed_amount: match.amount.toFixed(),
    received_amount: match.quantity.toFixed(),
    fee_rate: FEE_SHARE.toFixed(),
    total_fee: match.fee.toFixed(),
    txn_ts: Math.floor(match.at / 1000),
  };
}
