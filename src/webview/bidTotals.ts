import { Decimal, parseDecimal, plainText, truncate } from "../market/decimal.ts";
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

/** A tenth of a percent up or down, kept to the decimals of the last price; from the last price when nothing is typed. */
export function rateStep(typed: string, last: string | undefined, direction: 1 | -1): string {
  const start = parseDecimal(typed) ?? parseDecimal(last ?? "");
  if (!start) return typed;
  const places = Math.max(decimals(typed), decimals(last ?? ""), start.gte("1") ? 2 : 0);
  const least = new Decimal(`1e-${places}`);
  const step = truncate(start.times("0.001"), places);
  const moved =
    direction === 1 ? start.plus(step.gt("0") ? step : least) : start.minus(step.gt("0") ? step : least);
  return plainText(truncate(moved.gt("0") ? moved : start, places));
}

/** Decimals to show a pair's prices with, so that they line up: the finest among them, and two from 1 upwards. */
export function pricePlaces(prices: readonly (string | undefined)[]): number {
  const known = prices.filter((price) => price !== undefined);
  return Math.max(0, ...known.map((price) => Math.max(decimals(price), price.startsWith("0") ? 0 : 2)));
}

function decimals(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

/** Grouped digits for reading, every digit kept; nothing is computed from it. */
export function grouped(text: string, locale: string, leastDecimals = 0): string {
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: leastDecimals,
    maximumFractionDigits: 20,
  });
  return format.format(text as Intl.StringNumericLiteral);
}
