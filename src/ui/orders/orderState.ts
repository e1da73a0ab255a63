import * as vscode from "vscode";
import type { AccountRef } from "../../market/order.ts";
import type { SentOrder } from "../../storage/orders/order.ts";

export function receiptDiffers({ evidence }: SentOrder): boolean {
  return evidence.some((event) => "differences" in event && (event.differences ?? []).length > 0);
}

/** The state of an order. If the exchange did not confirm an accepted order itself, the text names the source. */
export function orderStateText(order: SentOrder): string {
  if (receiptDiffers(order)) return vscode.l10n.t("Accepted, response differs");
  if (order.state === "accepted" && order.settledBy === "user")
    return vscode.l10n.t("Accepted, marked by you");
  const words: Record<SentOrder["state"], string> = {
    sending: vscode.l10n.t("Sending"),
    accepted: vscode.l10n.t("Accepted"),
    rejected: vscode.l10n.t("Rejected"),
    notSent: vscode.l10n.t("Not sent"),
    notPlaced: vscode.l10n.t("Not placed"),
    unknown: vscode.l10n.t("Unknown"),
    unresolved: vscode.l10n.t("Unresolved"),
    accountReset: vscode.l10n.t("Account reset"),
  };
  return words[order.state];
}

export function venueText({ venue, origin }: AccountRef): string {
  return venue === "practice" ? vscode.l10n.t("Practice") : new URL(origin).host;
}

/** How a post-only order behaves. */
export function postOnlyText(): string {
  return vscode.l10n.t("Post only: the exchange cancels the order instead of filling it immediately");
}
