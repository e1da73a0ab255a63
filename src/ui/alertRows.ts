import * as vscode from "vscode";
import { alertContexts } from "../contributions.ts";
import type { Alert } from "../market/alert.ts";
import { ruleText, stateText } from "./alertText.ts";

const ICONS = {
  on: new vscode.ThemeIcon("bell"),
  off: new vscode.ThemeIcon("bell-slash", new vscode.ThemeColor("disabledForeground")),
  fired: new vscode.ThemeIcon("bell-dot", new vscode.ThemeColor("list.warningForeground")),
};

/** A row of the Alerts view: its checkbox switches the alert on and off. */
export function alertItem(alert: Alert, now: number): vscode.TreeItem {
  const { id, symbol, rule, isOn, phase, repeats, fired } = alert;
  const item = new vscode.TreeItem(`${symbol} ${ruleText(rule)}`);
  item.id = id;
  item.description = stateText(alert, now);
  item.iconPath = fired?.isSeen === false ? ICONS.fired : isOn ? ICONS.on : ICONS.off;
  item.checkboxState = {
    state: isOn ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
    tooltip: isOn ? vscode.l10n.t("Switch off") : vscode.l10n.t("Switch on"),
  };
  const again = repeats
    ? vscode.l10n.t("Arms itself again once the price has moved back.")
    : vscode.l10n.t("Fires once.");
  item.tooltip = `${symbol} ${ruleText(rule)}\n${stateText(alert, now)}\n${again}`;
  item.contextValue = isOn && phase !== "waiting" ? alertContexts.armed : alertContexts.quiet;
  item.accessibilityInformation = { label: `${symbol} ${ruleText(rule)}, ${stateText(alert, now)}` };
  return item;
}
