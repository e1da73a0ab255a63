import * as vscode from "vscode";
import type { AccountPart } from "../../exchange/discovery/accountDiscovery.ts";
import type { PublicPart } from "../../exchange/discovery/publicDiscovery.ts";
import { RefusedError } from "../../exchange/errors.ts";
import type { DiscoveryChoice } from "./discoveryPick.ts";

/** Choices if no exchange was found. `apiHost`: a related host that may serve the API. */
export function nothingFoundChoices(apiHost: string | undefined): DiscoveryChoice[] {
  return [
    ...(apiHost === undefined
      ? []
      : [{ id: "apiHost", label: `$(search) ${vscode.l10n.t("Try {0}", apiHost)}` }]),
    { id: "address", label: `$(edit) ${vscode.l10n.t("Change the Address")}` },
    { id: "again", label: `$(sync) ${vscode.l10n.t("Try Again")}` },
  ];
}

/** Choices if the account cannot be read, the most promising first. */
export function accountChoices(error: unknown): DiscoveryChoice[] {
  const about = error instanceof RefusedError ? error.about : undefined;
  const choices = [
    { id: "key", label: `$(key) ${vscode.l10n.t("Enter the API Key")}` },
    { id: "secret", label: `$(key) ${vscode.l10n.t("Enter the API Secret")}` },
    { id: "prefix", label: `$(edit) ${vscode.l10n.t("Change the Header Prefix")}` },
    { id: "test", label: `$(sync) ${vscode.l10n.t("Try Again")}` },
    { id: "offer", label: `$(eye) ${vscode.l10n.t("Watch Prices Only")}` },
  ];
  // A failure unrelated to the user's input may be temporary.
  const first = about === "prefix" || about === "key" || about === "secret" ? about : "test";
  return choices.toSorted((a, b) => Number(b.id === first) - Number(a.id === first));
}

/** Parts detected without a key, in display order. */
export function publicPartNames(): ReadonlyMap<PublicPart, string> {
  return new Map([
    ["serverTime", vscode.l10n.t("Server time")],
    ["tickers", vscode.l10n.t("Prices")],
    ["symbols", vscode.l10n.t("Trading rules")],
    ["status", vscode.l10n.t("Exchange status")],
    ["headerPrefix", vscode.l10n.t("Header prefix")],
    ["depth", vscode.l10n.t("Order book")],
    ["trades", vscode.l10n.t("Recent trades")],
    ["history", vscode.l10n.t("Charts")],
    ["tickerStream", vscode.l10n.t("Live prices")],
    ["bookStream", vscode.l10n.t("Live order book")],
  ]);
}

/** Parts detected with the key, in display order. */
export function accountPartNames(): ReadonlyMap<AccountPart, string> {
  return new Map([
    ["wallet", vscode.l10n.t("Balance")],
    ["balances", vscode.l10n.t("Reserved amounts")],
    ["openOrders", vscode.l10n.t("Open orders")],
    ["orderInfo", vscode.l10n.t("Order details")],
    ["orderHistory", vscode.l10n.t("Order history")],
    ["feeCredits", vscode.l10n.t("Fee credits")],
  ]);
}
