import * as vscode from "vscode";
import {
  checksOf,
  testConnection,
  type CapabilityCheck,
  type ConnectionCheck,
  type ConnectionResult,
} from "../../desk/connectionTest.ts";
import type { Desk } from "../../desk/desk.ts";
import { mendingOf, type Mending } from "../../desk/liveSetup.ts";
import type { Timers } from "../../desk/time/timers.ts";
import type { Venue } from "../../desk/venue.ts";
import { errorLine } from "../../desk/errorLine.ts";
import type { ExchangeClient } from "../../exchange/client.ts";
import type { Features } from "../../exchange/features.ts";
import type { CapabilityName } from "../../market/endpoints.ts";
import { pairName } from "../../market/pair.ts";
import { commandLink, run } from "../commands.ts";
import { openInput } from "../quickInput.ts";
import { shownAmounts } from "../settings.ts";
import { endpointText, explain } from "../text/errorText.ts";
import { timeText } from "../text/timeText.ts";
import { capabilityText, notOfferedText } from "./featureText.ts";

type CapabilityResult = Extract<ConnectionResult, { readonly check: CapabilityCheck; readonly ok: true }>;

export type Results = Map<ConnectionCheck, ConnectionResult>;

interface Entry extends vscode.QuickPickItem {
  readonly action?: vscode.Command;
}

/**
 * Command "Test Connection": each check with its result as soon as it is known. Selecting a failed check opens its
 * fix.
 */
export async function showConnectionTest(venue: Venue, timers: Timers, log: Desk["log"]): Promise<void> {
  const results: Results = new Map();
  const pick = vscode.window.createQuickPick<Entry>();
  pick.title = vscode.l10n.t("Connection to {0}", venue.name);
  pick.placeholder = vscode.l10n.t("Select a failed check to fix it");
  pick.ignoreFocusOut = true;
  const about = offerRows(venue.profile.features);
  const show = (): void => {
    pick.items = [...checksOf(venue.client).map((check) => entry(check, results, venue)), ...about];
  };
  let open = true;
  pick.onDidHide(() => {
    open = false;
    pick.dispose();
  });
  pick.onDidAccept(() => {
    const action = pick.selectedItems[0]?.action;
    if (!action) return;
    pick.hide();
    void run(action);
  });
  show();
  pick.busy = true;
  void openInput(pick);
  await runChecks(venue.client, { timers, log }, results, () => open && show());
  if (open) pick.busy = false;
}

/** Runs all checks. Calls back after each one; its result is in `results` then. */
export async function runChecks(
  client: ExchangeClient,
  { timers, log }: { readonly timers: Timers; readonly log: Desk["log"] },
  results: Results,
  changed: () => void,
): Promise<void> {
  await testConnection(client, timers, (result) => {
    results.set(result.check, result);
    if (result.ok) log.info(`Connection test: ${result.check} passed`);
    else if (result.isSkipped) log.info(`Connection test: ${result.check} skipped`);
    else log.warn(`Connection test: ${errorLine(result.error)}`);
    changed();
  });
}

export function someAnswered(results: Results): boolean {
  return [...results.values()].some(({ ok }) => ok);
}

function entry(check: ConnectionCheck, results: Results, venue: Venue): Entry {
  const result = results.get(check);
  const row = checkRow(check, result, venue.name);
  if (!result || result.ok || result.isSkipped) return row;
  const action = actionFor(result.error, venue, someAnswered(results));
  return { ...row, description: action.title, action };
}

/** A problem of a live exchange is fixed in the matching step of the set-up. */
function actionFor(error: unknown, venue: Venue, someOthers: boolean): vscode.Command {
  const { action } = explain(error, shownAmounts(), venue.name);
  if (venue.id !== "live") return action;
  const mending = mendingOf(error, someOthers);
  if (mending === "settings" || mending === "symbolOrder") return action;
  return commandLink("setUpLive", mendingTitle(mending), mending);
}

/** Opens the step that fixes a failed check. */
export function mendingTitle(mending: Mending): string {
  const titles: Record<Mending, string> = {
    address: vscode.l10n.t("Change the Address"),
    prefix: vscode.l10n.t("Change the Header Prefix"),
    key: vscode.l10n.t("Enter the API Key"),
    secret: vscode.l10n.t("Enter the API Secret"),
    test: vscode.l10n.t("Test Again"),
    settings: vscode.l10n.t("Open Settings"),
    symbolOrder: vscode.l10n.t("Read Pairs in the Other Order"),
  };
  return titles[mending];
}

/** A check and its result, as a row of a pick. */
export function checkRow(
  check: ConnectionCheck,
  result: ConnectionResult | undefined,
  venueName: string,
): vscode.QuickPickItem {
  const name = checkName(check);
  if (!result) return { label: `$(loading~spin) ${name}`, detail: vscode.l10n.t("Checking…") };
  if (!result.ok && result.isSkipped)
    return { label: `$(circle-slash) ${name}`, detail: vscode.l10n.t("Not tested: see above.") };
  return result.ok
    ? { label: `$(pass) ${name}`, detail: successText(result) }
    : { label: `$(error) ${name}`, detail: explain(result.error, shownAmounts(), venueName).sentence };
}

const UNTESTED: readonly CapabilityName[] = ["placeAsk", "cancelOrder"];

/** What the test leaves out, and what the exchange does not have: one quiet row each. */
export function offerRows(features: Features): vscode.QuickPickItem[] {
  const untested = UNTESTED.filter((name) => features[name]).map(capabilityText);
  const missing = notOfferedText(features);
  return [
    ...(untested.length > 0
      ? [
          {
            label: `$(circle-slash) ${vscode.l10n.t("Not tested")}`,
            detail: vscode.l10n.t("{0}. The test never places or cancels an order.", untested.join(", ")),
          },
        ]
      : []),
    ...(missing === undefined ? [] : [{ label: `$(info) ${vscode.l10n.t("Not offered")}`, detail: missing }]),
  ];
}

function checkName(check: ConnectionCheck): string {
  if (check === "clockOffset") return vscode.l10n.t("Clock offset");
  return endpointText(check === "ticker" ? "tickers" : check);
}

/** The result of a check, in words. */
export function successText(result: ConnectionResult & { ok: true }): string {
  switch (result.check) {
    case "serverTime":
      return vscode.l10n.t("{0}, answered in {1} ms", timeText(result.serverTime), Math.round(result.tookMs));
    case "clockOffset":
      return offsetText(Math.round(result.offsetMs));
    case "ticker":
      return result.unreadable === 0
        ? vscode.l10n.t("{0}, answered in {1} ms", pairsText(result.pairs), Math.round(result.tookMs))
        : vscode.l10n.t(
            "{0}, {1} unreadable and left out, answered in {2} ms",
            pairsText(result.pairs),
            result.unreadable,
            Math.round(result.tookMs),
          );
    case "wallet":
      return vscode.l10n.t(
        "{0}, key and signature accepted, answered in {1} ms",
        result.assets === 1 ? vscode.l10n.t("1 asset") : vscode.l10n.t("{0} assets", result.assets),
        Math.round(result.tookMs),
      );
    default:
      return capabilityResultText(result);
  }
}

function capabilityResultText({ entries, pair, tookMs }: CapabilityResult): string {
  const ms = Math.round(tookMs);
  return pair
    ? vscode.l10n.t("{0}: {1} found, answered in {2} ms", pairName(pair), entries, ms)
    : vscode.l10n.t("{0} found, answered in {1} ms", entries, ms);
}

function pairsText(pairs: number): string {
  return pairs === 1 ? vscode.l10n.t("1 pair") : vscode.l10n.t("{0} pairs", pairs);
}

function offsetText(ms: number): string {
  if (ms === 0) return vscode.l10n.t("The clocks of this computer and the exchange agree.");
  return ms > 0
    ? vscode.l10n.t("{0} ms ahead of this computer. Requests are signed with the exchange's time.", ms)
    : vscode.l10n.t("{0} ms behind this computer. Requests are signed with the exchange's time.", -ms);
}
