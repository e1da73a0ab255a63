import * as vscode from "vscode";
import { AlertsError } from "../../desk/alerts/alerts.ts";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { diskAdvice } from "../text/diskText.ts";
import { alertsProblemText } from "./alertText.ts";

/**
 * Runs `save`, which saves or removes an alert. On failure shows an error, `failed` with the reason and what to do, and
 * returns undefined.
 */
export function saveOrReport<Result>(
  log: Pick<Desk["log"], "error">,
  save: () => Result,
  failed = (reason: string) => vscode.l10n.t("The alert was not saved and is not active. {0}", reason),
): Result | undefined {
  try {
    return save();
  } catch (error) {
    if (!(error instanceof AlertsError)) log.error(`Alerts: ${errorLine(error)}`);
    const reason = error instanceof AlertsError ? alertsProblemText(error.problem) : diskAdvice(error);
    void vscode.window.showErrorMessage(failed(reason));
    return undefined;
  }
}
