import * as vscode from "vscode";
import { alertContexts } from "../../contributions.ts";
import type { Alert } from "../../market/alertRule.ts";
import type { Ticker } from "../../market/ticker.ts";
import { commandLink } from "../commands.ts";
import { alertPairName, ruleText, alertStateText, shortRuleText, turnsOnAgainText } from "./alertText.ts";

const ICONS = {
  on: new vscode.ThemeIcon("bell"),
  off: new vscode.ThemeIcon("bell-slash", new vscode.ThemeColor("disabledForeground")),
  fired: new vscode.ThemeIcon("bell-dot", new vscode.ThemeColor("list.warningForeground")),
};

/**
 * A row of the Alerts view: pair, short rule, and state unless the alert can fire. The checkbox turns it on and off.
 * `isListed`: whether the exchange lists the pair.
 */
export function alertItem(
  alert: Alert,
  ticker: Ticker | undefined,
  now: number,
  isListed = true,
): vscode.TreeItem {
  const { id, rule, isOn, phase, repeats, fired } = alert;
  const name = alertPairName(alert, ticker);
  const item = new vscode.TreeItem(name);
  item.id = id;
  const [wanted, state] = [ruleText(rule), alertStateText(alert, now, isListed)];
  const canFire = isOn && phase === "armed" && alert.armedAt <= now && isListed;
  const rest = isListed ? state : vscode.l10n.t("not listed");
  const parts = canFire ? [shortRuleText(rule)] : [shortRuleText(rule), rest];
  item.description = (isListed ? parts : parts.toReversed()).join(" · ");
  item.iconPath = fired?.isSeen === false ? ICONS.fired : canFire ? ICONS.on : ICONS.off;
  item.checkboxState = {
    state: isOn ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isOn ? vscode.l10n.t("Turn Off") : vscode.l10n.t("Turn On"),
  };
  const again = repeats
    ? turnsOnAgainText(rule)
    : vscode.l10n.t("After it fires: stays off until you turn it on.");
  item.tooltip = `${name} ${wanted}\n${state}\n${again}`;
  item.command = commandLink("previewAlert", vscode.l10n.t("Open Chart"));
  item.contextValue = isOn && phase !== "waiting" ? alertContexts.armed : alertContexts.quiet;
  item.accessibilityInformation = { label: `${name} ${wanted}, ${state}` };
  return item;
}
