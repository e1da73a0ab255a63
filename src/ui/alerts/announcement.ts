import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { chartCommandIds } from "../../contributions.ts";
import { Alerts, SNOOZE_MS } from "../../desk/alerts/alerts.ts";
import type { TickerFeed } from "../../desk/feeds/tickerFeed.ts";
import type { Timers } from "../../desk/time/timers.ts";
import type { CurrentVenue } from "../../desk/venue.ts";
import { shareRecords } from "../../desk/windows/recordSync.ts";
import type { Windows } from "../../desk/windows/windows.ts";
import type { Alert } from "../../market/alertRule.ts";
import { quotedPrice } from "../../market/numbers/decimal.ts";
import { AlertFiles } from "../../storage/alertFiles.ts";
import { errorLine } from "../log.ts";
import type { PickPair } from "../markets/markets.ts";
import type { BidForm } from "../ticket/bidForm.ts";
import { firedText } from "./alertText.ts";
import { kept } from "./keptAlert.ts";

export interface AlertParts {
  /** Where alerts are kept. */
  readonly folder: string;
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly bidForm: BidForm;
  readonly pickPair: PickPair;
  readonly timers: Timers;
  readonly log: vscode.LogOutputChannel;
}

/** The alerts of this computer. A firing shows one toast. Throws if their folder cannot be made. */
export function openAlerts(parts: AlertParts): Alerts {
  const { folder, windows, venue, tickers, timers, log } = parts;
  const alerts: Alerts = new Alerts({
    store: new AlertFiles(folder),
    tickers,
    venue,
    timers,
    newId: randomUUID,
    isInFront: () => vscode.window.state.focused,
    tell: (alert) => tell(alert, alerts, parts),
    trouble: (error) => log.error(`Alerts: ${errorLine(error)}`),
  });
  shareRecords(windows, "alertsChanged", {
    onDidWrite: alerts.onDidWrite,
    reread: () => alerts.reread(),
  });
  return alerts;
}

/** The person counts as told as soon as the editor has accepted the toast. The answer may come hours later. */
function tell(alert: Alert, alerts: Alerts, { tickers, bidForm, timers, log }: AlertParts): void {
  const { id, symbol, fired } = alert;
  if (!fired) return;
  const placeBid = vscode.l10n.t("Place Bid");
  const openChart = vscode.l10n.t("Open Chart");
  const snooze = vscode.l10n.t("Snooze 10 Minutes");
  const answer = vscode.window.showInformationMessage(
    firedText(alert, tickers.ticker(symbol), timers.now()),
    placeBid,
    openChart,
    snooze,
  );
  void answer.then((chosen) => {
    // Answered or closed: the person has seen it.
    alerts.markSeen(id);
    if (chosen === placeBid) void bidForm.open({ symbol, rate: quotedPrice(fired.price) }, alert);
    if (chosen === openChart) void vscode.commands.executeCommand(chartCommandIds.openChart, symbol);
    if (chosen === snooze) kept(log, () => alerts.rearm(id, SNOOZE_MS));
  });
}
