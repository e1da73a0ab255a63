import { amountDecimals } from "../numbers/amountDecimals.ts";
import { Decimal } from "../numbers/decimal.ts";
import type { Trade } from "./cost.ts";

/** The fee of a smaller trade is rounded too coarsely: an error of at most a hundredth of a percent. */
const PRECISION = new Decimal("0.0001");
/** Above any fee of this family. */
const MAX_SHARE = new Decimal("0.02");
const MAX_PLACES = 6;
const ZERO = new Decimal("0");

/**
 * The fee that the account pays for a pair, as a share of the amount, from its trades by time: the newest fee as a maker or
 * as a taker, whichever is higher, because an order may become either. A rebate counts as no fee. Undefined if no trade
 * shows it.
 */
export function recentFeeShare(
  trades: readonly (Trade & { readonly isMaker: boolean | undefined })[],
  quote: string,
): Decimal | undefined {
  const shares = [true, false, undefined].flatMap((role) => {
    const trade = trades.findLast((each) => each.isMaker === role && shareOf(each, quote));
    return (trade && shareOf(trade, quote)) ?? [];
  });
  const [first, ...others] = shares;
  return first && others.reduce((most, share) => (share.gt(most) ? share : most), first);
}

/** The roundest share that gives the fee as rounded; undefined if the trade is too small, or its fee too high. */
function shareOf({ side, value, fee }: Trade, quote: string): Decimal | undefined {
  const amount = side === "buy" ? value.plus(fee) : value;
  const unit = new Decimal(`1e-${amountDecimals(quote)}`);
  if (unit.gt(amount.times(PRECISION)) || fee.gt(amount.times(MAX_SHARE))) return undefined;
  if (!fee.gt(ZERO)) return ZERO;
  const [low, high] = [fee.minus(unit), fee.plus(unit)].map((bound) => bound.div(amount));
  const middle = fee.div(amount);
  for (let places = 0; places < MAX_PLACES; places++) {
    const share = middle.round(places, Decimal.roundHalfUp);
    if (low && high && share.gt(low) && share.lt(high)) return share;
  }
  return middle.round(MAX_PLACES, Decimal.roundHalfUp);
}
