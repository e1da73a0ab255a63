import { createHash } from "node:crypto";
import { plainText } from "../../market/numbers/decimal.ts";
import type { LimitOrder } from "../../market/order.ts";

/** The terms that identify a draft. */
type DraftTerms = Pick<LimitOrder, "side" | "symbol" | "amount" | "rate" | "postOnly">;

/**
 * The name under which a draft is claimed, in the form of a UUID. Two submissions belong to one draft if the draft's
 * id and all that is to be sent are the same. A draft with another side, pair, amount or rate is another draft, and so is
 * one that may only wait. The id alone is not enough: it may come from a form that was restored after a crash and edited
 * since.
 */
export function draftKey(id: string, { side, symbol, amount, rate, postOnly }: DraftTerms): string {
  const figures = [id.toLowerCase(), symbol, plainText(amount), plainText(rate)];
  // Bids keep the key format of earlier versions, which had no asks.
  const parts = [...figures, ...(side === "buy" ? [] : [side]), ...(postOnly ? ["postOnly"] : [])];
  const hex = createHash("sha256").update(parts.join("\n")).digest("hex");
  // Version 8 and the variant of RFC 9562, which allow a custom rule.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
