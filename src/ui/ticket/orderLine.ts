import * as vscode from "vscode";
import { offersCancel, reportsOrders, type CurrentVenue } from "../../desk/venue.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import { spentBy, sumFills } from "../../market/orderReport.ts";
import { hasEnded, isUnlisted, type KnownOrder } from "../../market/orders/knownOrder.ts";
import type { FormNotice, NoticeAction } from "../../protocol/ticket.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { OrderRow } from "../orders/orderRows.ts";
import { averageText, cancelText, progressText, shareOf } from "../orders/reportText.ts";
import type { AmountText } from "../text/amountText.ts";
import { confirmedQuantityText, exactRateText } from "../text/numberText.ts";

/** An accepted order in one line, and what the user may do next; the line is missing if one line cannot explain it. */
export function orderLine(
  order: OwnOrder,
  venue: CurrentVenue,
  amounts: AmountText,
): Pick<FormNotice, "line" | "actions"> {
  const { known } = order;
  const line = known && !isUnlisted(known) ? progressLine(order, known, amounts) : undefined;
  return { line, actions: canCancel(order, venue) ? [cancel(), change()] : [view(), again()] };
}

/**
 * What is left of the amount of an order that was cancelled, as decimal text. Undefined while the order may still fill,
 * while fills may be missing, and if nothing is left.
 */
export function amountLeft({ intent, known }: OwnOrder): string | undefined {
  const wasCancelled = known?.status === "cancelled" || known?.status === "partlyFilledCancelled";
  if (!wasCancelled || !known.isComplete) return undefined;
  const left = new Decimal(intent.amount).minus(spentBy(known.side, sumFills(known.fills)));
  return left.gt("0") ? plainText(left) : undefined;
}

function progressLine(order: OwnOrder, known: KnownOrder, amounts: AmountText): string {
  const average = averageText(known);
  if (known.status === "filled") {
    const quantity = confirmedQuantityText(sumFills(known.fills).quantity);
    const filled = amounts.areHidden || average === undefined ? progressText(known) : filledText(quantity);
    return at(filled, average);
  }
  if (hasEnded(known)) return at(progressText(known), average);
  const limit = exactRateText(new Decimal(order.intent.rate));
  if (known.cancel) return at(cancelText(known.cancel), limit);
  if (average !== undefined) {
    const share = shareOf(known);
    return at(share === undefined ? vscode.l10n.t("Partly filled") : progressText(known), average);
  }
  return at(known.status === "open" ? vscode.l10n.t("Open") : vscode.l10n.t("Accepted"), limit);
}

const filledText = (quantity: string): string => vscode.l10n.t("Filled {0}", quantity);

function at(what: string, price: string | undefined): string {
  return price === undefined ? what : `${what} @ ${price}`;
}

function canCancel(order: OwnOrder, current: CurrentVenue): boolean {
  const row = new OrderRow(order, current);
  const isOffered = offersCancel(current.venue) && reportsOrders(current.venue);
  return isOffered && row.isCancellable && row.cancelState !== "cancelling";
}

const view = (): NoticeAction => ({
  id: "viewOrder",
  title: vscode.l10n.t("View"),
  tooltip: vscode.l10n.t("Show the order in Orders"),
});
const again = (): NoticeAction => ({
  id: "orderAgain",
  title: vscode.l10n.t("Again"),
  tooltip: vscode.l10n.t("Fill in the figures of this order again"),
});
const cancel = (): NoticeAction => ({
  id: "cancelOrder",
  title: vscode.l10n.t("Cancel"),
  tooltip: vscode.l10n.t("Cancel this order after a confirmation"),
});
const change = (): NoticeAction => ({
  id: "changeOrder",
  title: vscode.l10n.t("Change"),
  tooltip: vscode.l10n.t("Cancel this order after a confirmation, and fill in what is left of it"),
});
