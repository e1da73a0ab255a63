import * as vscode from "vscode";
import { capabilityNames, type CapabilityName } from "../../exchange/endpoints.ts";
import { streamNames, type Features } from "../../exchange/features.ts";
import { endpointText } from "../text/endpointText.ts";

/** Everything that the features enable. */
export function featureTexts(features: Features): string[] {
  const { clientOrderId, postOnly } = features;
  return [
    ...capabilityNames.filter((name) => features[name]).map(endpointText),
    ...(clientOrderId ? [vscode.l10n.t("Client order IDs")] : []),
    ...(postOnly ? [vscode.l10n.t("Post-only orders")] : []),
    ...streamNames.filter((name) => features[name]).map(endpointText),
  ];
}

/** Capabilities that users expect. */
const essentialCapabilities: readonly CapabilityName[] = [
  "placeAsk",
  "cancelOrder",
  "openOrders",
  "orderHistory",
];

/** One line about the expected capabilities that are missing; undefined if none is. */
export function notOfferedText(features: Features): string | undefined {
  const missing = essentialCapabilities.filter((name) => !features[name]).map(endpointText);
  if (missing.length === 0) return undefined;
  return vscode.l10n.t("Not offered by this exchange: {0}.", missing.join(", "));
}
