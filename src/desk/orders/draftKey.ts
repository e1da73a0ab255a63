import { createHash } from "node:crypto";
import { plainText } from "../../market/numbers/decimal.ts";
import type { LimitOrder } from "../../market/order.ts";

/** The terms that identify a draft. */
type DraftTerms = Pick<LimitOrder, "side" | "symbol" | "amount" | "rate" | "postOnly">;

/**
 * The key under which a draft is claimed, formatted as a UUID. Two submissions are the same draft if they have the same
 * id and the same terms: side, pair, amount, rate and post-only. The id alone is not enough, because it may come from a
 * form that was restored after a crash and edited since.
 */
export function draftKey(id: string, { side, symbol, amount, rate, postOnly }: DraftTerms): string {
  const terms = [side, symbol, plainText(amount), plainText(rate), String(postOnly === true)];
  const hex = createHash("sha256")
    .update([id.toLowerCase(), ...terms].join("\n"))
    .digest("hex");
  // Sets the version (8: custom contents) and the variant of RFC 9562.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
