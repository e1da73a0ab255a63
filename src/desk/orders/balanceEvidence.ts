import { knownBalance, type Wallet } from "../../market/balance.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf, sideOf } from "../../market/order.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** The result of checking an order. */
export interface Evidence {
  /** `accepted` and `notPlaced` end the order; `unknown` concludes nothing. */
  readonly state: "accepted" | "notPlaced" | "unknown";
  /** The order's id at the exchange, if one of its lists contains the order: proof. */
  readonly orderId?: string | undefined;
  /** Available balance of the asset that leaves, now, decimal text; undefined if unknown. */
  readonly now: string | undefined;
  /** A list that may contain the order could not be read because of a rate limit, so this is not final. */
  readonly isRateLimited?: boolean | undefined;
  /** The figures in English, for the user to judge later. "difference -1000" is 1000 spent. */
  readonly text: string;
}

/**
 * `accepted`: the balance of the spent asset fell by the order's amount, and nothing else that is known explains that.
 * Anything else leaves the order `unknown`.
 */
export interface BalanceEvidence extends Evidence {
  readonly state: "accepted" | "unknown";
}

/** The part of an order that is compared with a balance: of the quote asset for a bid, of the base asset for an ask. */
export type WeighedOrder = Pick<OrderIntent, "side" | "quote" | "base" | "amount" | "availableBefore">;

/** The sums by which one other order may have lowered the balance, besides zero; negative: raised it. */
export type Change = readonly Decimal[];

const NOTHING = new Decimal("0");
/** Maximum sums of other orders' changes to consider: those of ten orders that each took all or nothing. */
const MAX_SUMS = 1024;

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

/** Whether the order, alone or with others, explains the fall of the balance, and no sum without it does. */
function explains(difference: Decimal, amount: Decimal, others: readonly Change[]): boolean {
  if (others.reduce((count, change) => count * (change.length + 1), 1) > MAX_SUMS) return false;
  const fell = NOTHING.minus(difference);
  const isFall = (sum: Decimal): boolean => fell.eq(sum);
  const withoutIt = sumsOf(others);
  return withoutIt.some((sum) => isFall(sum.plus(amount))) && !withoutIt.some(isFall);
}

/** All sums of at most one change per order. */
function sumsOf(others: readonly Change[]): Decimal[] {
  return others.reduce<Decimal[]>(
    (sums, change) => [...sums, ...change.flatMap((each) => sums.map((sum) => sum.plus(each)))],
    [NOTHING],
  );
}
