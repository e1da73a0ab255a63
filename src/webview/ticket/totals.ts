import { Decimal, decimalsOf, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import type { OrderRules, Side } from "../../market/order.ts";

/**
 * Live totals of a draft as plain decimal text; each is undefined while undetermined. `total` is what a bid spends, or
 * what an ask is worth before its fee; it is in quote, like `fee`. `left` is the remaining balance of the asset that is
 * spent.
 */
export function totals(
  { side, amount, rate }: { readonly side: Side; readonly amount: string; readonly rate: string },
  available: string | undefined,
  { feeShare }: OrderRules,
): { total: string | undefined; fee: string | undefined; left: string | undefined } {
  const [leaves, price, free] = [amount, rate, available ?? ""].map(parseDecimal);
  const total = side === "buy" ? leaves : price && leaves?.times(price);
  return {
    total: total && plainText(total),
    fee: total && plainText(total.times(feeShare)),
    left: leaves && free?.gte(leaves) ? plainText(free.minus(leaves)) : undefined,
  };
}

/**
 * Moves a rate by whole steps, down if `steps` is negative. A step is a tenth of a percent truncated to `unit`, and at
 * least one unit: the pair's tick size, else its last decimal. Starts at the last price if no rate is typed; never reaches
 * zero.
 */
export function rateStep(
  typed: string,
  last: string | undefined,
  places: number,
  steps: number,
  unit = new Decimal(`1e-${Math.max(places, decimalsOf(typed))}`),
): string {
  const start = parseDecimal(typed) ?? parseDecimal(last ?? "");
  if (!start) return typed;
  const whole = (rate: Decimal): Decimal => rate.minus(rate.mod(unit));
  const step = whole(start.times("0.001"));
  const moved = whole(start.plus((step.gt("0") ? step : unit).times(String(steps))));
  return plainText(moved.gt("0") ? moved : unit);
}
