import * as vscode from "vscode";
import type { Watching } from "../../desk/venue.ts";
import { discoverExchange, type DiscoveryPorts } from "../../exchange/discovery/discovery.ts";
import { isSigned } from "../../exchange/endpoints.ts";
import type { ExchangeError } from "../../exchange/errors.ts";
import { commandLink, offer } from "../commands.ts";
import { endpointText } from "../text/endpointText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";

/**
 * Called when an exchange no longer serves a configured path. Checks with unsigned GET requests whether its prices
 * moved, and if so offers what Test Connection finds.
 */
export async function offerMovedPath(
  { name, profile }: Pick<Watching, "name" | "profile">,
  { endpoint, path = "" }: ExchangeError,
  ports: DiscoveryPorts,
): Promise<void> {
  const found = await discoverExchange([profile.baseUrl], ports, undefined, profile);
  const [before, now] = [profile.endpoints.tickers.path, "error" in found ? undefined : found.tickers.path];
  if (now !== undefined && now !== before)
    return await offer(
      "showWarningMessage",
      vscode.l10n.t("{0} moved its price endpoint from {1} to {2}.", name, sanitizeText(before), now),
      commandLink("testConnection", vscode.l10n.t("Use the New Path…")),
    );
  if (isSigned(endpoint))
    await offer(
      "showWarningMessage",
      vscode.l10n.t(
        "{0} no longer serves {1}, the path for: {2}.",
        name,
        sanitizeText(path),
        endpointText(endpoint),
      ),
      commandLink("testConnection", vscode.l10n.t("Find the New Path…")),
    );
}
