import { knownBalance, type Wallet } from "../../market/balance.ts";
import { parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** The result of checking an order. */
export interface Evidence {
  /** `accepted` and `notPlaced` settle the order; `unknown` does not. */
  readonly state: "accepted" | "notPlaced" | "unknown";
  /** The order's id at the exchange: set if it is accepted. */
  readonly orderId?: string | undefined;
  /** Current available balance of the spent asset, as decimal text; undefined if unknown. */
  readonly now: string | undefined;
  /** Not final: a list that may contain the order could not be read because of a rate limit. */
  readonly isRateLimited?: boolean | undefined;
  /** What was found, in English, for the journal and for the user who may have to decide. */
  readonly text: string;
}

/** A list of orders as read from an exchange. */
export interface List {
  readonly orders: readonly OrderReport[];
  /** Whether all its rows and pages could be read. */
  readonly isWhole: boolean;
  /** Local time right before the request, ms. */
  readonly askedAt: number;
}

/** The lists of the order's pair. One is undefined if the exchange does not offer it or it could not be read. */
export interface OrderListing {
  readonly open: List | undefined;
  readonly history: List | undefined;
  /** Every list that the exchange offers was read to its end. */
  readonly isComplete: boolean;
  /** A list could not be read because of a rate limit, so a later attempt may succeed. */
  readonly isRateLimited?: boolean | undefined;
}

/**
 * The available balance of the asset that the order spends, before it and now: figures for the user. They prove
 * nothing, because anything may have changed the balance by exactly the order's amount.
 */
export function balanceEvidence(
  order: Pick<OrderIntent, "side" | "quote" | "base" | "availableBefore">,
  wallet: Wallet,
): Pick<Evidence, "now" | "text"> {
  const asset = assetsOf(order.side, order).amount;
  const before = order.availableBefore && parseDecimal(order.availableBefore);
  const now = knownBalance(wallet, asset)?.available;
  const difference = before && now?.minus(before);
  const [was, is, change] = [before, now, difference].map((each) => (each ? plainText(each) : "unknown"));
  return { now: now && plainText(now), text: `${asset} before ${was}, now ${is}, difference ${change}` };
}
