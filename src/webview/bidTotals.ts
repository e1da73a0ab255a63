import { Decimal, decimalsOf, parseDecimal, plainText, truncate } from "../market/decimal.ts";
import { Figures } from "../market/figures.ts";
import { estimateFill, type BidRules } from "../market/order.ts";

/** Live totals of a draft as plain decimal text; each undefined while the draft does not determine it. */
export function totals(
  draft: { readonly amount: string; readonly rate: string },
  available: string | undefined,
  rules: BidRules,
): { quantity: string | undefined; fee: string | undefined; left: string | undefined } {
  const amount = parseDecimal(draft.amount);
  const rate = parseDecimal(draft.rate);
  const fee = amount && plainText(amount.times(rules.feeShare));
  const quantity =
    amount && rate?.gt("0") ? plainText(estimateFill(amount, rate, rules).quantity) : undefined;
  const free = parseDecimal(available ?? "");
  const left = amount && free?.gte(amount) ? plainText(free.minus(amount)) : undefined;
  return { quantity, fee, left };
}

/**
 * A rate moved by whole price steps, down where `steps` is below zero. A step is a tenth of a percent cut to the pair's
 * decimals, and one of the last decimal at least. From the last price when no rate is typed; never down to zero.
 */
export function rateStep(typed: string, last: string | undefined, places: number, steps: number): string {
  const start = parseDecimal(typed) ?? parseDecimal(last ?? "");
  if (!start) return typed;
  const finest = Math.max(places, decimalsOf(typed));
  const least = new Decimal(`1e-${finest}`);
  const step = truncate(start.times("0.001"), finest);
  const moved = start.plus((step.gt("0") ? step : least).times(String(steps)));
  return plainText(moved.gt("0") ? truncate(moved, finest) : least);
}

/** Grouped digits for reading, every digit kept; nothing is computed from it. */
export function grouped(text: string, locale: string, leastDecimals = 0): string {
  return new Figures(locale).price(text, leastDecimals);
}
