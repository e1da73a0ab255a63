import * as vscode from "vscode";
import type { ChannelProblem } from "../../storage/channelProblems.ts";

/** `Webhook: the service refused the message (404). …`, for each channel that failed. */
export function problemLines(problems: ReadonlyMap<string, ChannelProblem>): string[] {
  return [...problems].flatMap(([id, problem]) => {
    if (id === "webhook") return vscode.l10n.t("Webhook: {0}", problemText(problem));
    return id === "program" ? vscode.l10n.t("Program: {0}", problemText(problem)) : [];
  });
}

/** Why a channel did not deliver, and what to do. */
export function problemText(problem: ChannelProblem): string {
  switch (problem.kind) {
    case "redirect":
      return vscode.l10n.t(
        "the service redirects to another address, which is not followed. Enter the new URL.",
      );
    case "insecure":
      return vscode.l10n.t("a secure connection was not possible, so nothing was sent.");
    case "unreachable":
      return vscode.l10n.t("the service cannot be reached.");
    case "noAnswer":
      return vscode.l10n.t("the service did not answer. It may have received the message.");
    case "status":
      return problem.status >= 500 || problem.status === 429
        ? vscode.l10n.t("the service is busy or down (HTTP {0}).", problem.status)
        : vscode.l10n.t("the service refused the message (HTTP {0}). Check its URL.", problem.status);
    case "notSetUp":
      return vscode.l10n.t(
        "it is on, but this computer has no URL for it. Run Alert Channels… to set it up or turn it off.",
      );
    case "programMissing":
      return vscode.l10n.t("it was not found or cannot be run. Check the setting bidside.alerts.program.");
    case "programHung":
      return vscode.l10n.t("it was stopped, because it did not end within 10 seconds.");
    case "programFailed":
      return problem.exitCode === undefined
        ? vscode.l10n.t("it crashed.")
        : vscode.l10n.t("it failed with exit code {0}.", problem.exitCode);
    case "overLimit":
      return vscode.l10n.t(
        "the limit of 100 messages a day was reached, so the latest alerts were not sent.",
      );
    case "disk":
      return vscode.l10n.t("nothing is sent while messages cannot be recorded on disk.");
    case "unexpected":
      return vscode.l10n.t("the message could not be sent. The log shows why.");
  }
}
