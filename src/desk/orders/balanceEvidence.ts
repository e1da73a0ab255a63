import { knownBalance, type Wallet } from "../../market/balance.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { assetsOf } from "../../market/order.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";

/** The result of checking an order. */
export interface Evidence {
  /** `accepted` and `notPlaced` settle the order; `unknown` does not. */
  readonly state: "accepted" | "notPlaced" | "unknown";
  /** The order's id at the exchange, set if one of its lists contains the order: proof that it was placed. */
  readonly orderId?: string | undefined;
  /** Current available balance of the spent asset, as decimal text; undefined if unknown. */
  readonly now: string | undefined;
  /** Not final: a list that may contain the order could not be read because of a rate limit. */
  readonly isRateLimited?: boolean | undefined;
  /**
   * The figures in English, for the journal and for the user who may have to decide. "difference -1000" means that 1000
   * was spent.
   */
  readonly text: string;
}

/**
 * `accepted` if the balance of the spent asset fell by the order's amount and no other known change explains the fall;
 * otherwise `unknown`.
 */
export interface BalanceEvidence extends Evidence {
  readonly state: "accepted" | "unknown";
}

/**
 * The fields needed to compare an order with the balance of the asset that it spends: quote for a bid, base for an ask.
 */
export type WeighedOrder = Pick<OrderIntent, "side" | "quote" | "base" | "amount" | "availableBefore">;

/** The amounts by which one other order may have lowered the balance, besides zero. A negative amount raised it. */
export type Change = readonly Decimal[];

const NOTHING = new Decimal("0");
/** Maximum number of sums to consider: that of ten other orders which each spent all or nothing. */
const MAX_SUMS = 1024;

/**
 * Decides from the wallet whether an order was placed. `others` lists how other orders may have changed the available
 * balance of the same asset since the order's `availableBefore` was read; pass undefined if such a change is not known
 * exactly, and the order stays `unknown`. The result is evidence, not proof: an unrelated change of exactly the same
 * amount looks the same.
 */
export function weigh(
  order: WeighedOrder,
  wallet: Wallet,
  others: readonly Change[] | undefined,
): BalanceEvidence {
  const asset = assetsOf(order.side, order).amount;
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

/** Whether the order, alone or with others, explains the fall of the balance, and the others without it do not. */
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
