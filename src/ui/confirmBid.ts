import * as vscode from "vscode";
import type { Venue } from "../desk/venue.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import { plainText } from "../market/decimal.ts";
import type { LimitBid } from "../market/order.ts";
import { openOrdersText } from "./openOrders.ts";

/**
 * The native modal before every order. Its figures are plain digits: the very ones that are signed. `open` are the orders of
 * the same venue and pair whose outcome is not known yet; they are named first.
 */
export async function confirmBid(
  bid: LimitBid,
  venue: Venue,
  open: readonly BidRecord[],
  now: number,
): Promise<boolean> {
  const { pair, symbol } = bid;
  const lines = [
    vscode.l10n.t("Venue: {0}", venue.name),
    vscode.l10n.t("Pair: {0}", symbol),
    vscode.l10n.t("Amount: {0} {1}", plainText(bid.amount), pair.quote),
    vscode.l10n.t("Rate: {0} {1} per {2}", plainText(bid.rate), pair.quote, pair.base),
    vscode.l10n.t("Quantity: about {0} {1}", plainText(bid.quantity), pair.base),
    vscode.l10n.t("Fee: about {0} {1}, out of the amount", plainText(bid.fee), pair.quote),
  ];
  const place = vscode.l10n.t("Place Bid");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Place this bid on {0}?", venue.name),
    { modal: true, detail: [openOrdersText(open, now), lines.join("\n")].filter(Boolean).join("\n\n") },
    place,
  );
  return chosen === place;
}

/** The question before the question: the rate lies well above the last price. */
export async function confirmAbove(bid: LimitBid, venue: Venue): Promise<boolean> {
  const percent = bid.aboveLastPercent === undefined ? "" : plainText(bid.aboveLastPercent);
  const go = vscode.l10n.t("Bid Above the Last Price");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("This rate is {0} % above the last price. Is that what you want?", percent),
    {
      modal: true,
      detail: vscode.l10n.t(
        "{0} may fill it at up to {1} {2} per {3}.",
        venue.name,
        plainText(bid.rate),
        bid.pair.quote,
        bid.pair.base,
      ),
    },
    go,
  );
  return chosen === go;
}
