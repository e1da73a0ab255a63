import * as vscode from "vscode";
import { accountParts, type AccountPart } from "../../exchange/discovery/accountDiscovery.ts";
import { publicEndpoints, type PublicPart } from "../../exchange/discovery/publicDiscovery.ts";
import { RefusedError } from "../../exchange/errors.ts";
import { endpointText } from "../text/endpointText.ts";
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
  return new Map<PublicPart, string>([
    ...publicEndpoints.map((name) => [name, endpointText(name)] as const),
    ["headerPrefix", vscode.l10n.t("Header prefix")],
    ["tickerStream", endpointText("tickerStream")],
    ["bookStream", endpointText("bookStream")],
  ]);
}

/** Parts detected with the key, in display order. */
export function accountPartNames(): ReadonlyMap<AccountPart, string> {
  return new Map(accountParts.map((name) => [name, endpointText(name)]));
}
