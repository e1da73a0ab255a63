import { Decimal } from "./decimal.ts";

/** Decimals of an amount in a national currency. */
const CURRENCY_PLACES = 2;
/** Decimals of an amount in any other asset, as for quantities: a hundredth of a bitcoin would be too coarse. */
const ASSET_PLACES = 8;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/**
 * Decimals of computed amounts in a quote asset whose exchange does not state them (`OrderRules.amountPlaces`): two for
 * ISO 4217 currencies and for an unknown asset, else eight. Typed amounts may have more.
 */
export function amountDecimals(quote: string | undefined): number {
  return quote === undefined || currencies.has(quote) ? CURRENCY_PLACES : ASSET_PLACES;
}

/** Rounds a computed amount half up for display. An amount above zero that would round to zero keeps its digits. */
export function shownAmount(amount: Decimal, quote: string | undefined): Decimal {
  const rounded = amount.round(amountDecimals(quote), Decimal.roundHalfUp);
  return rounded.eq("0") ? amount : rounded;
}
