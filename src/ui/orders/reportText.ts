import * as vscode from "vscode";
import { type Decimal, decimalsOf, plainText } from "../../market/numbers/decimal.ts";
import { averageRate, type Fill, sumFills } from "../../market/orderReport.ts";
import { filledShare, hasEnded, isUnlisted, type KnownOrder } from "../../market/orders/knownOrder.ts";
import {
  exactRateText,
  filledShareText,
  confirmedAmountText,
  confirmedQuantityText,
  smallestShareText,
} from "../text/numberText.ts";
import { dateTimeText } from "../text/timeText.ts";

export type Sized = Pick<KnownOrder, "side" | "pair"> & Partial<Pick<KnownOrder, "amount" | "quantity">>;

/** An order's size and its asset: the amount of a purchase if it is known, else the quantity in base. */
export function sizeOf({
  side,
  pair,
  amount,
  quantity,
}: Sized): readonly [size: Decimal | undefined, asset: string] {
  return side === "buy" && amount ? [amount, pair.quote] : [quantity, pair.base];
}

/** The filled share, never 0% with a fill; undefined if unknown. */
export function shareOf(known: KnownOrder): string | undefined {
  const share = filledShare(known);
  if (!share) return undefined;
  if (share.eq("0") && known.fills.length === 0) return "0%";
  return filledShareText(share) ?? `<${smallestShareText()}`;
}

/** Progress or outcome of an order, in a few words. */
export function progressText(known: KnownOrder): string {
  const share = shareOf(known);
  const filled = share === undefined || filledShare(known)?.eq("0") === true ? undefined : share;
  switch (known.status) {
    case "filled":
      return vscode.l10n.t("Filled");
    case "cancelled":
      return vscode.l10n.t("Cancelled");
    case "rejected":
      return vscode.l10n.t("Rejected");
    case "partlyFilledCancelled":
      return filled === undefined
        ? vscode.l10n.t("Partly filled, then cancelled")
        : vscode.l10n.t("{0} filled, then cancelled", filled);
    default:
      if (hasEnded(known))
        return filled === undefined
          ? vscode.l10n.t("Ended, outcome unknown")
          : vscode.l10n.t("Ended, {0} filled", filled);
      if (isUnlisted(known)) return vscode.l10n.t("Not listed, {0} filled", share ?? "0%");
      return vscode.l10n.t("{0} filled", share ?? "0%");
  }
}

/** Progress of an unconfirmed cancellation. */
export function cancelText(state: "cancelling" | "stillOpen"): string {
  return state === "cancelling" ? vscode.l10n.t("Cancelling") : vscode.l10n.t("Still open");
}

/** An average may have endless decimals; no exchange of this family quotes more than this. */
const MAX_PLACES = 12;

/** The average rate of fills, with the decimals of the order's rates, at least two. */
export function averageText({ rate, fills }: KnownOrder, of: readonly Fill[] = fills): string | undefined {
  const rates = [...(rate ? [rate] : []), ...of.map((fill) => fill.rate)];
  const places = Math.min(MAX_PLACES, Math.max(2, ...rates.map((each) => decimalsOf(plainText(each)))));
  const average = averageRate(of, places);
  return average && exactRateText(average);
}

/** `Stop at 2,900,000.00`: that the order waits for its trigger; nothing for any other order. */
export function stopParts(known: KnownOrder): string[] {
  const { trigger } = known;
  if (trigger === undefined || hasEnded(known)) return [];
  if (trigger === "unknown") return [vscode.l10n.t("Stop order")];
  return [vscode.l10n.t("Stop at {0}", exactRateText(trigger))];
}

/** Everything the exchange reported about an order, one fact per line; `shown` may mask amounts. */
export function reportDetails(known: KnownOrder, shown: (text: string) => string): string[] {
  const { base, quote } = known.pair;
  const { fills } = known;
  const sums = sumFills(fills);
  const average = averageText(known);
  const lines = [
    vscode.l10n.t("On the exchange: {0}", [progressText(known), ...stopParts(known)].join(", ")),
  ];
  if (fills.length > 0) {
    const quantity = filledText(fills, shown);
    const fee = shown(confirmedAmountText(sums.fee, quote));
    lines.push(
      vscode.l10n.t(
        "Filled: {0} {1} at {2} {3} on average, fee {4} {3}",
        quantity,
        base,
        average ?? "–",
        quote,
        fee,
      ),
      ...fills.slice(-MAX_FILLS).map((fill) => vscode.l10n.t("Fill: {0}", fillText(fill, known, shown))),
    );
    if (fills.length > MAX_FILLS) lines.push(vscode.l10n.t("Earlier fills: {0}", fills.length - MAX_FILLS));
  }
  return [...lines, ...reportNotes(known)];
}

/** Anything unusual in the exchange's reports, one fact per line. */
export function reportNotes(known: KnownOrder): string[] {
  const { surplus, doubts, unclearFills } = known;
  const lines: string[] = [];
  if (isUnlisted(known))
    lines.push(
      vscode.l10n.t(
        "The exchange no longer lists this order and does not report its outcome. It may still be open: cancel it to make sure.",
      ),
    );
  if (unclearFills > 0)
    lines.push(vscode.l10n.t("Fills not counted, because their figures are unclear: {0}", unclearFills));
  if (surplus.length > 0)
    lines.push(vscode.l10n.t("Fills beyond the ordered amount, not counted: {0}", surplus.length));
  if (doubts.includes("listedAfterEnd"))
    lines.push(
      vscode.l10n.t("The exchange reported the end of this order, and listed it as open afterwards."),
    );
  if (doubts.includes("endsDisagree"))
    lines.push(vscode.l10n.t("The exchange reported two different ends of this order."));
  if (doubts.includes("fillsDisagree"))
    lines.push(vscode.l10n.t("The exchange changed the figures of a fill. Bidside uses the first ones."));
  if (doubts.includes("ratesDisagree"))
    lines.push(vscode.l10n.t("The exchange reported another limit price for this order."));
  return lines;
}

/** The filled quantity; approximate if it was computed from what the fills cost. */
export function filledText(fills: readonly Fill[], shown: (text: string) => string): string {
  const quantity = shown(confirmedQuantityText(sumFills(fills).quantity));
  return fills.some(({ isQuantityAbout }) => isQuantityAbout) ? `≈ ${quantity}` : quantity;
}

/** Maximum fills in a tooltip; the rows below the order have all. */
const MAX_FILLS = 12;

/** One line: time, quantity, price and fee of a fill. */
function fillText(fill: Fill, { pair }: KnownOrder, shown: (text: string) => string): string {
  return [
    dateTimeText(fill.at),
    `${filledText([fill], shown)} ${pair.base} @ ${exactRateText(fill.rate)} ${pair.quote}`,
    vscode.l10n.t("fee {0} {1}", shown(confirmedAmountText(fill.fee, pair.quote)), pair.quote),
  ].join(" · ");
}

/** Whether the exchange contradicted the order or itself. */
export function isContradicted({ doubts }: KnownOrder): boolean {
  return doubts.length > 0;
}

/** A rate, or a dash if it was not reported. */
export function limitText(rate: Decimal | undefined): string {
  return rate ? exactRateText(rate) : "–";
}
