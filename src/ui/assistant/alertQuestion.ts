import * as vscode from "vscode";
import type { AlertSuggestion } from "../../assistant/alertTool.ts";
import { pairName } from "../../market/pair.ts";
import { needsWindowText, ruleText } from "../alerts/alertText.ts";

/** Asks the user before an assistant's alert is added. */
export async function confirmAlert({ ticker, rule, repeats }: AlertSuggestion): Promise<boolean> {
  const yes = vscode.l10n.t("Add Alert");
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Add an alert for {0}?", pairName(ticker.pair)),
    {
      modal: true,
      detail: [
        vscode.l10n.t("An assistant suggests: {0} {1}.", pairName(ticker.pair), ruleText(rule)),
        ...(repeats ? [vscode.l10n.t("The alert turns on again when the price moves back.")] : []),
        needsWindowText(),
      ].join("\n"),
    },
    yes,
  );
  return answer === yes;
}
