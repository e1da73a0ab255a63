import * as vscode from "vscode";
import { cancelStateOf } from "../../desk/life/canceller.ts";
import { knownOf, lifeOf } from "../../desk/life/ownOrder.ts";
import { filledShare, hasEnded, type KnownOrder } from "../../market/orderReport.ts";
import type { OrderLives } from "../../storage/orders/orderLives.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import { percentText } from "../text/numberText.ts";

/** How far an accepted order is, in a few words; undefined if its exchange never told. */
export function lifeText(order: RecordedOrder, lives: OrderLives | undefined): string | undefined {
  const life = lifeOf(order, lives);
  const known = life && knownOf(order, lives);
  if (!known || order.accountResetAt !== undefined) return undefined;
  if (cancelStateOf(life, undefined)) return vscode.l10n.t("Cancelling");
  return life.known ? progressText(known) : undefined;
}

function progressText(known: KnownOrder): string {
  const share = filledShare(known);
  const filled = share?.gt("0") ? percentText(share.times("100")) : undefined;
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
          ? vscode.l10n.t("Ended, not known how")
          : vscode.l10n.t("Ended, {0} filled", filled);
      return filled === undefined ? vscode.l10n.t("Open") : vscode.l10n.t("Open, {0} filled", filled);
  }
}
