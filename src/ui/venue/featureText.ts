import * as vscode from "vscode";
import { capabilityNames, type CapabilityName, type Features } from "../../exchange/features.ts";

/** A capability for a person. */
export function capabilityText(name: CapabilityName): string {
  const texts: Record<CapabilityName, string> = {
    placeAsk: vscode.l10n.t("Orders to sell"),
    cancelOrder: vscode.l10n.t("Cancelling orders"),
    openOrders: vscode.l10n.t("Open orders"),
    orderInfo: vscode.l10n.t("Details of an order"),
    orderHistory: vscode.l10n.t("Order history with fills"),
    balances: vscode.l10n.t("Balances with reserved amounts"),
    symbols: vscode.l10n.t("Minimum, step and limits of each pair"),
    depth: vscode.l10n.t("Order book"),
    trades: vscode.l10n.t("Trades of the market"),
    status: vscode.l10n.t("Status of the service"),
    feeCredits: vscode.l10n.t("Credits that pay fees"),
  };
  return texts[name];
}

/** Everything that features turn on, one text for each. */
export function featureTexts(features: Features): string[] {
  const { clientOrderId, postOnly } = features;
  return [
    ...capabilityNames.filter((name) => features[name]).map(capabilityText),
    ...(clientOrderId ? [vscode.l10n.t("Ids of your own for orders")] : []),
    ...(postOnly ? [vscode.l10n.t("Orders that only wait in the book")] : []),
  ];
}

/** One line about the capabilities that an exchange does not have; undefined if it has all of them. */
export function notOfferedText(features: Features): string | undefined {
  const missing = capabilityNames.filter((name) => !features[name]).map(capabilityText);
  if (missing.length === 0) return undefined;
  return vscode.l10n.t("Not offered by this exchange: {0}.", missing.join(", "));
}
