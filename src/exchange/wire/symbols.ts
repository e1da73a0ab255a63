import { Decimal } from "../../market/numbers/decimal.ts";
import {
  assetPattern,
  isNameOf,
  pairKey,
  parseSymbol,
  type Pair,
  type SymbolOrder,
} from "../../market/pair.ts";
import type { PairListing } from "../../market/rules/pairListing.ts";
import type { Payload } from "./payload.ts";
import { amountOf, countOf, fieldsOf, flagOf, rowsOf, positiveOf } from "./fields.ts";

/** Listings by pair key, and the entries that could not be read. */
export interface SymbolsResponse {
  readonly listings: ReadonlyMap<string, PairListing>;
  readonly unreadable: readonly string[];
  /** Keys of pairs whose assets the service names explicitly, so that no symbol order had to be assumed. */
  readonly stated?: ReadonlySet<string>;
}

const MAX_PLACES = 30;
const LONGEST_NAME = 60;
const LARGEST_ID = 999_999_999;
const HIGHEST_PERCENT = new Decimal("1000");

/**
 * Decodes the list of pairs of generation A (name only) or B (with minimum, step, band and freezes). A pair listed twice is
 * skipped, because the right rules are unknown. Undefined for another shape, or if none of the entries could be read.
 */
export function decodeSymbols(payload: Payload, order: SymbolOrder): SymbolsResponse | undefined {
  const rows = rowsOf(payload);
  const { repeated } = payload;
  if (!rows) return undefined;
  const listings = new Map<string, PairListing>();
  const ambiguous = new Set<string>();
  const stated = new Set<string>();
  const unreadable: string[] = [];
  for (const [index, row] of rows.entries()) {
    const listing = repeated?.has(String(index)) ? undefined : decodeListing(fieldsOf(row), order);
    const key = listing && pairKey(listing.pair);
    if (!listing || key === undefined) unreadable.push(`#${index}`);
    else if (listings.has(key) || ambiguous.has(key)) {
      listings.delete(key);
      ambiguous.add(key);
      unreadable.push(key);
    } else {
      listings.set(key, listing);
      if (typeof fieldsOf(row)["base_asset"] === "string") stated.add(key);
    }
  }
  return listings.size === 0 && unreadable.length > 0 ? undefined : { listings, unreadable, stated };
}

function decodeListing(row: Readonly<Record<string, unknown>>, order: SymbolOrder): PairListing | undefined {
  const pair = pairOf(row, order);
  if (!pair) return undefined;
  const name = nameOf(row["name"] ?? row["info"]);
  const priceScale = countOf(row["price_scale"], MAX_PLACES);
  const step = positiveOf(row["price_step"]) ?? (priceScale === undefined ? undefined : stepOf(priceScale));
  return {
    pair,
    ...(name !== undefined && { name }),
    pairingId: countOf(row["pairing_id"] ?? row["id"], LARGEST_ID),
    isTrading: row["status"] === undefined || row["status"] === "active",
    minimumAmount: amountOf(row["min_quote_size"]),
    rateStep: step,
    // An asset's scale applies to its wallet; a quantity's scale, where given, is the precision of orders.
    quantityPlaces: countOf(row["base_quantity_scale"] ?? row["base_asset_scale"], MAX_PLACES),
    amountPlaces: countOf(row["quote_quantity_scale"] ?? row["quote_asset_scale"], MAX_PLACES),
    buyBandPercent: percentOf(row["buy_price_gap_as_percent"]),
    sellBandPercent: percentOf(row["sell_price_gap_as_percent"]),
    isBuyFrozen: isFrozen(row["freeze_buy"]),
    isSellFrozen: isFrozen(row["freeze_sell"]),
    isCancelFrozen: isFrozen(row["freeze_cancel"]),
  };
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= LONGEST_NAME && /\p{L}/u.test(value)
    ? value
    : undefined;
}

/** From the asset names, which must match the symbol; else from the symbol. */
function pairOf(row: Readonly<Record<string, unknown>>, order: SymbolOrder): Pair | undefined {
  const { symbol, base_asset: base, quote_asset: quote } = row;
  if (typeof symbol !== "string") return undefined;
  if (typeof base !== "string" || typeof quote !== "string") return parseSymbol(symbol, order);
  const stated = { quote: quote.toUpperCase(), base: base.toUpperCase() };
  const areNames = assetPattern.test(stated.quote) && assetPattern.test(stated.base);
  return areNames && isNameOf(symbol, stated) ? stated : undefined;
}

function stepOf(places: number): Decimal {
  return new Decimal(`1e-${places}`);
}

/** A band of zero would reject every order, so it means no band. */
function percentOf(value: unknown): Decimal | undefined {
  const percent = positiveOf(value);
  return percent?.lte(HIGHEST_PERCENT) ? percent : undefined;
}

/** A missing flag or an explicit false means tradable. */
function isFrozen(value: unknown): boolean {
  return value !== undefined && value !== null && flagOf(value) !== false;
}
