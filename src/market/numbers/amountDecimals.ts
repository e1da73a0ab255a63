import { Decimal } from "./decimal.ts";

/** Decimals of an amount in money of a country. */
const CURRENCY_PLACES = 2;
/** Decimals of an amount in any other asset, as usual for quantities: a hundredth of a bitcoin is much money. */
const ASSET_PLACES = 8;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/**
 * The decimals of an amount that Bidside computes, by its quote asset: two for a currency of ISO 4217, else eight. An
 * unknown asset has two, the usual ones. A typed amount may have more. No exchange states its own decimals.
 */
export function amountDecimals(quote: string | undefined): number {
  return quote === undefined || currencies.has(quote) ? CURRENCY_PLACES : ASSET_PLACES;
}

/**
 * A computed amount as it is shown: rounded half up to the decimals of its asset. An amount above zero that would show as
 * zero keeps its digits.
 */
export function shownAmount(amount: Decimal, quote: string | undefined): Decimal {
  const rounded = amount.round(amountDecimals(quote), Decimal.roundHalfUp);
  return rounded.eq("0") ? amount : rounded;
}
