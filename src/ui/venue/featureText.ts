import * as vscode from "vscode";
import type { Features } from "../../exchange/features.ts";
import type { CapabilityName } from "../../market/endpoints.ts";

/** Names of all capabilities, in the order of the settings. */
function capabilityTexts(): Record<CapabilityName, string> {
  return {
    placeAsk: vscode.l10n.t("Sell orders"),
    cancelOrder: vscode.l10n.t("Cancelling orders"),
    openOrders: vscode.l10n.t("Open orders"),
    orderInfo: vscode.l10n.t("Order details"),
    orderHistory: vscode.l10n.t("Order history with fills"),
    balances: vscode.l10n.t("Balances with reserved amounts"),
    symbols: vscode.l10n.t("Trading rules"),
    depth: vscode.l10n.t("Order book"),
    trades: vscode.l10n.t("Recent trades"),
    status: vscode.l10n.t("Exchange status"),
    feeCredits: vscode.l10n.t("Fee credits"),
  };
}

export function capabilityText(name: CapabilityName): string {
  return capabilityTexts()[name];
}

/** Everything that the features enable. */
export function featureTexts(features: Features): string[] {
  const { clientOrderId, postOnly, tickerStream, bookStream, privateStream } = features;
  return [
    ...allNames()
      .filter((name) => features[name])
      .map(capabilityText),
    ...(clientOrderId ? [vscode.l10n.t("Client order IDs")] : []),
    ...(postOnly ? [vscode.l10n.t("Post-only orders")] : []),
    ...(tickerStream ? [vscode.l10n.t("Streamed prices")] : []),
    ...(bookStream ? [vscode.l10n.t("Streamed order book")] : []),
    ...(privateStream ? [vscode.l10n.t("Streamed order updates")] : []),
  ];
}

/** Capabilities that users expect. */
export const essentialCapabilities: readonly CapabilityName[] = [
  "placeAsk",
  "cancelOrder",
  "openOrders",
  "orderHistory",
];

/** One line about missing capabilities; undefined if none of `names` is missing. */
export function notOfferedText(
  features: Features,
  names: readonly CapabilityName[] = allNames(),
): string | undefined {
  const missing = names.filter((name) => !features[name]).map(capabilityText);
  if (missing.length === 0) return undefined;
  return vscode.l10n.t("Not offered by this exchange: {0}.", missing.join(", "));
}

function allNames(): CapabilityName[] {
  return Object.keys(capabilityTexts()) as CapabilityName[];
}
