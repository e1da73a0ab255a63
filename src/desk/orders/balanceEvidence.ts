import { knownBalance, type Wallet } from "../../market/balance.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf, sideOf } from "../../market/order.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** What a check found out about an order. */
export interface Evidence {
  /** `accepted` and `notPlaced` end the order; `unknown` concludes nothing. */
  readonly state: "accepted" | "notPlaced" | "unknown";
  /** The exchange's id of the order, if a list of the exchange has the order: proof. */
  readonly orderId?: string | undefined;
  /** Available balance of the asset that leaves, now, decimal text; undefined if unknown. */
  readonly now: string | undefined;
  /** A rate limit hid a list that may have the order, so this is no last word. */
  readonly isRateLimited?: boolean | undefined;
  /** The figures in English, so that a person can judge them later. "difference -1000" is 1000 spent. */
  readonly text: string;
}

/**
 * `accepted`: the balance of the asset that leaves fell by the order's amount, and nothing else that is known explains
 * the fall. Anything else leaves the order `unknown`.
 */
export interface BalanceEvidence extends Evidence {
  readonly state: "accepted" | "unknown";
}

/** The part of an order that is compared with a balance: of the quote asset for a bid, of the base asset for an ask. */
export type WeighedOrder = Pick<OrderIntent, "side" | "quote" | "base" | "amount" | "availableBefore">;

/** The sums by which one other order may have lowered the balance, beside not at all; below zero: raised it. */
export type Change = readonly Decimal[];

const NOTHING = new Decimal("0");
/** With more sums of other orders' changes, no conclusion is drawn. Ten orders that took all or nothing have as many. */
const MOST_SUMS = 1024;

/**
 * Compares one order with the wallet. `others` are the changes that other orders may have made to the available balance
 * of the same asset since the order's `availableBefore` was read. Undefined if one of them is not known exactly: nothing
 * is concluded then. The result is evidence, not proof: another change of exactly the same amount looks the same.
 */
export function weigh(
  order: WeighedOrder,
  wallet: Wallet,
  others: readonly Change[] | undefined,
): BalanceEvidence {
  const asset = assetsOf(sideOf(order), order).amount;
  const before = order.availableBefore && parseDecimal(order.availableBefore);
  const now = knownBalance(wallet, asset)?.available;
  const difference = before && now?.minus(before);
  const [was, is, change] = [before, now, difference].map((each) => (each ? plainText(each) : "unknown"));
  const isExplained = difference && others && explains(difference, new Decimal(order.amount), others);
  return {
    state: isExplained ? "accepted" : "unknown",
    now: now && plainText(now),
    text: `${asset} before ${was}, now ${is}, difference ${change}`,
  };
}

/** Whether the order, alone or with other orders, is the fall of the balance, and no sum without the order is. */
function explains(difference: Decimal, amount: Decimal, others: readonly Change[]): boolean {
  if (others.reduce((count, change) => count * (change.length + 1), 1) > MOST_SUMS) return false;
  const fell = NOTHING.minus(difference);
  const isFall = (sum: Decimal): boolean => fell.eq(sum);
  const withoutIt = sumsOf(others);
  return withoutIt.some((sum) => isFall(sum.plus(amount))) && !withoutIt.some(isFall);
}

/** The sums of one change of each order, or none of it. */
function sumsOf(others: readonly Change[]): Decimal[] {
  return others.reduce<Decimal[]>(
    (sums, change) => [...sums, ...change.flatMap((each) => sums.map((sum) => sum.plus(each)))],
    [NOTHING],
  );
}
