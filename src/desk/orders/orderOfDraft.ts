import { parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { draftKey } from "./draftKey.ts";
import type { SubmittedDraft } from "./orderPlacer.ts";
import type { Orders } from "./orders.ts";

/**
 * Finds the order that was sent for a submitted draft. Undefined if the draft was never sent: a draft is claimed and
 * its order recorded before the first byte is sent. Rejects if the disk fails.
 */
export async function orderOfDraft(
  orders: Orders,
  { id, side, symbol, amount, rate, postOnly }: SubmittedDraft,
): Promise<OwnOrder | undefined> {
  const [spent, price] = [parseDecimal(amount), parseDecimal(rate)];
  if (!spent || !price) return undefined;
  const terms = { side, symbol, amount: spent, rate: price, ...(postOnly === true && { postOnly }) };
  if (!(await orders.isClaimed(draftKey(id, terms)))) return undefined;
  await orders.reread();
  return orders.own
    .filter(
      ({ intent }) =>
        intent.side === side &&
        intent.symbol === symbol &&
        intent.amount === plainText(spent) &&
        intent.rate === plainText(price) &&
        (intent.postOnly === true) === (postOnly === true),
    )
    .reduce<OwnOrder | undefined>(
      (newest, order) => (newest && newest.intent.at >= order.intent.at ? newest : order),
      undefined,
    );
}
