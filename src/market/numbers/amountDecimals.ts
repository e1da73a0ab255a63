import { Decimal, plainText, truncate } from "./decimal.ts";
import { memoized } from "./memoized.ts";

/** Decimals of an amount in most national currencies. */
const CURRENCY_PLACES = 2;
/** Decimals of an amount in any other asset, as for quantities: a hundredth of a bitcoin would be too coarse. */
const ASSET_PLACES = 8;

const currencies = new Set(Intl.supportedValuesOf("currency"));
const placesOf = memoized((currency: string) => {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? CURRENCY_PLACES;
});

/**
 * Decimals of computed amounts in a quote asset whose exchange does not state them (`OrderRules.amountPlaces`): those of
 * an ISO 4217 currency (THB two, JPY none), two for an unknown asset, else eight. Typed amounts may have more.
 */
export function amountDecimals(quote: string | undefined): number {
  if (quote === undefined) return CURRENCY_PLACES;
  return currencies.has(quote) ? placesOf(quote) : ASSET_PLACES;
}

/** Rounds a computed amount half up for display. An amount above zero that would round to zero keeps its digits. */
export function shownAmount(amount: Decimal, quote: string | undefined): Decimal {
  return roundedAmount(amount, quote, Decimal.roundHalfUp);
}

/** Cuts a balance for display, so that no more is shown than there is. One that would be cut to zero keeps its digits. */
export function cutAmount(amount: Decimal, quote: string | undefined): Decimal {
  return roundedAmount(amount, quote, Decimal.roundDown);
}

/** Digits of a quantity in a narrow row, before and after the point. */
const ROW_DIGITS = 7;
const LEAST_SIGNIFICANT = 2;

/** Cuts a quantity for a narrow row. Whole units stay, and so do two significant digits. */
export function cutQuantity(quantity: Decimal): Decimal {
  const [whole = "", decimals = ""] = plainText(quantity).split(".");
  const zeros = whole === "0" ? (/^0*/.exec(decimals)?.[0].length ?? 0) : 0;
  const least = zeros === 0 ? 0 : zeros + LEAST_SIGNIFICANT;
  return truncate(quantity, Math.max(least, ROW_DIGITS - whole.length));
}

function roundedAmount(amount: Decimal, quote: string | undefined, mode: 0 | 1): Decimal {
  const rounded = amount.round(amountDecimals(quote), mode);
  return rounded.eq("0") ? amount : rounded;
}
