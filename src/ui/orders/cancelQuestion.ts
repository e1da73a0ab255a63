import * as vscode from "vscode";
import type { CancelQuestion, CancelTarget } from "../../desk/tracking/canceller.ts";
import { pairName } from "../../market/pair.ts";
import { confirmedHoldingText, exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { momentText } from "../text/timeText.ts";
import { shareOf, sizeOf } from "./reportText.ts";

/** The modal before a cancellation: lists every affected order. */
export async function confirmCancel({ venue, targets, isFrozen, now }: CancelQuestion): Promise<boolean> {
  const pairs = [...new Set(targets.map(({ known }) => pairName(known.pair)))].join(", ");
  const isLive = venue.account.kind === "live";
  const isOne = targets.length === 1;
  const title = isOne
    ? vscode.l10n.t("Cancel this order for {0} on {1}?", pairs, venue.name)
    : vscode.l10n.t("Cancel {0} open orders for {1} on {2}?", targets.length, pairs, venue.name);
  const detail = [
    ...targets.map((target) => targetText(target, now)),
    "",
    ...(isFrozen
      ? [
          vscode.l10n.t(
            "{0} does not cancel orders for this pair at the moment, so it may reject the request.",
            venue.name,
          ),
        ]
      : []),
    vscode.l10n.t("An order may still fill before it is cancelled."),
  ].join("\n");
  const yes = { title: isOne ? vscode.l10n.t("Cancel Order") : vscode.l10n.t("Cancel All") };
  // The editor's default button "Cancel" could be read as yes.
  const no = {
    title: isOne ? vscode.l10n.t("Keep Order") : vscode.l10n.t("Keep Orders"),
    isCloseAffordance: true,
  };
  const show = isLive ? "showWarningMessage" : "showInformationMessage";
  return (await vscode.window[show](title, { modal: true, detail }, yes, no)) === yes;
}

/** One line: side, size and limit price, then filled share, age and id. */
function targetText({ known }: CancelTarget, now: number): string {
  const { side, pair, rate, orderId, placedAt } = known;
  const [size, asset] = sizeOf(known);
  const share = shareOf(known);
  const order = [
    ...(size ? [`${confirmedHoldingText(size, asset, pair.quote)} ${asset}`] : []),
    ...(rate ? [`@ ${exactRateText(rate)} ${pair.quote}`] : []),
  ];
  const parts = [
    sideTexts[side].named(pair.base),
    ...(order.length > 0 ? [order.join(" ")] : []),
    ...(share ? [vscode.l10n.t("{0} filled", share)] : []),
    ...(placedAt === undefined ? [] : [momentText(placedAt, now)]),
    vscode.l10n.t("order {0}", orderId),
  ];
  return parts.join(" · ");
}
