import type { Account } from "../account.ts";
import type { Decimal } from "../numbers/decimal.ts";

/**
 * A holding that the user entered, such as in a cold wallet. It has a quantity and nothing available or reserved, so it
 * is no `Balance`: no wallet, order or limit can include it.
 */
export interface HeldElsewhere {
  /** A UUID. */
  readonly id: string;
  /** Whose prices it is valued by: entries made on practice are play, like its money. */
  readonly venue: Account["kind"];
  readonly asset: string;
  /** Above zero. */
  readonly quantity: Decimal;
  /** What was paid for all of it, fees included; undefined if unknown. */
  readonly cost: { readonly asset: string; readonly amount: Decimal } | undefined;
  /** Where it is, in the user's words; may be empty. */
  readonly place: string;
}

export const MAX_PLACE = 40;
/** Limit of the stored holdings. */
export const MAX_HELD_ELSEWHERE = 500;

/** No control, invisible or unassigned characters, and no line breaks. */
const PLACE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

export function isPlace(text: string): boolean {
  return text.trim() === text && text.length <= MAX_PLACE && PLACE.test(text);
}
