import * as vscode from "vscode";
import { SNOOZE_MS } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import type { Alert } from "../../market/alertRule.ts";
import { accountId } from "../../market/order.ts";
import { quotedPrice } from "../../market/numbers/decimal.ts";
import { executeCommand } from "../commands.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { firedText } from "./alertText.ts";
import { accountText } from "../text/accountText.ts";
import { saveOrReport } from "./saveOrReport.ts";

/**
 * Shows a notification for a fired alert. The alert counts as announced once the editor accepts the notification; the
 * user may respond hours later.
 */
export function announce(alert: Alert, desk: Desk, ticket: Ticket): void {
  const { accounts, tickers, timers, log, venue } = desk;
  const { id, symbol, fired } = alert;
  if (!fired) return;
  const isOfOther = accountId(alert) !== venue.account.id;
  const ticker = isOfOther ? undefined : tickers.ticker(symbol);
  const label = isOfOther ? accountText(alert, accounts) : venue.venue?.label;
  const text = firedText(alert, timers.now(), ticker, ticker && tickers.placesOf(ticker));
  const buy = vscode.l10n.t("Buy…");
  const openChart = vscode.l10n.t("Open Chart");
  const snooze = vscode.l10n.t("Snooze 10 Minutes");
  const answer = vscode.window.showInformationMessage(
    label === undefined ? text : vscode.l10n.t("{0}: {1}", label, text),
    // A draft and a chart are those of this window's account.
    ...(isOfOther ? [] : [buy, openChart]),
    snooze,
  );
  void answer.then(async (chosen) => {
    const alerts = await desk.alerts();
    // The user chose an action or dismissed the notification, and so has seen it.
    alerts.markSeen(id);
    if (chosen === buy) ticket.open({ side: "buy", symbol, rate: quotedPrice(fired.price) }, alert);
    if (chosen === openChart) void executeCommand("openChart", symbol);
    if (chosen === snooze) saveOrReport(log, () => alerts.rearm(id, SNOOZE_MS));
  });
}
