import { Decimal, decimalsOf, parseDecimal, plainText } from "./numbers/decimal.ts";
import { mayBecomeFigure } from "./numbers/typedDecimal.ts";
import type { OrderProblem } from "./order.ts";

/**
 * Whether typing more digits can fix a problem: "5" may become 50, but "1k" never becomes valid, and no digit makes a
 * number smaller. Such problems are shown only when the user has finished typing.
 */
export function canBeFixedByTyping({ code, limit }: OrderProblem, text: string): boolean {
  switch (code) {
    case "missing":
    case "quantityZero":
    case "notPositive":
      return true;
    case "notDecimal":
      return mayBecomeFigure(text);
    case "belowMinimum":
      return limit !== undefined && canReach(text, limit);
    case "offStep":
      return limit !== undefined && (!text.includes(".") || decimalsOf(text) < decimalsOf(plainText(limit)));
    default:
      return false;
  }
}

/** Whether appending digits can reach a limit: "9.5" never becomes 10, "9" may become 90. */
function canReach(text: string, limit: Decimal): boolean {
  const value = parseDecimal(text);
  const isWhole = text !== "0" && !text.includes(".");
  return isWhole || value === undefined || value.plus(new Decimal(`1e-${decimalsOf(text)}`)).gt(limit);
}
