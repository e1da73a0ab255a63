import * as vscode from "vscode";
import { type AlertsProblem, MOST_ALERTS } from "../desk/alerts.ts";
import type { Alert, AlertRule } from "../market/alert.ts";
import { Decimal } from "../market/decimal.ts";
import { exactRateText } from "./numberText.ts";
import { momentText } from "./timeText.ts";

/** What the alert waits for, in words. */
export function ruleText(rule: AlertRule): string {
  switch (rule.kind) {
    case "above":
      return vscode.l10n.t("rises to {0}", exactRateText(new Decimal(rule.price)));
    case "below":
      return vscode.l10n.t("falls to {0}", exactRateText(new Decimal(rule.price)));
    case "change":
      return vscode.l10n.t("moves by {0} % within {1} min", rule.percent, rule.minutes);
  }
}

/** Why no alert can be added, and what to do. */
export function alertsProblemText(problem: AlertsProblem): string {
  if (problem === "noVenue") {
    return vscode.l10n.t("No exchange is open, so there is no price to watch. Switch the venue first.");
  }
  const most = new Intl.NumberFormat(vscode.env.language).format(MOST_ALERTS);
  return vscode.l10n.t("There are {0} alerts already: remove one first.", most);
}

/** How the alert stands. */
export function stateText(alert: Alert, now: number): string {
  const { fired, armedAt, isOn, phase } = alert;
  const last = fired && vscode.l10n.t("fired {0}", momentText(fired.at, now));
  if (!isOn) return last ?? vscode.l10n.t("off");
  if (armedAt > now) return vscode.l10n.t("snoozed until {0}", momentText(armedAt, now));
  if (phase === "waiting") {
    const waits = vscode.l10n.t("waits for the price to move back");
    return last === undefined ? waits : `${last}, ${waits}`;
  }
  return vscode.l10n.t("armed");
}
