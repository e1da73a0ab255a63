import * as vscode from "vscode";
import type { ProfileFileProblem } from "../../exchange/profileFile.ts";
import { profileText } from "../text/errorText.ts";
import { sanitizeText } from "../text/sanitizeText.ts";

/** Why a profile file was rejected. */
export function fileProblemText(problem: ProfileFileProblem): string {
  switch (problem) {
    case "fileTooLarge":
      return vscode.l10n.t("It is larger than 64 KB.");
    case "fileNotJson":
      return vscode.l10n.t("It is not JSON.");
    case "fileNotProfile":
      return vscode.l10n.t("It does not begin with {0}.", '"bidsideProfile": 1');
    default:
      return isFieldProblem(problem) ? fieldText(problem.slice("fileField:".length)) : profileText(problem);
  }
}

function isFieldProblem(problem: ProfileFileProblem): problem is `fileField:${string}` {
  return problem.startsWith("fileField:");
}

function fieldText(field: string): string {
  return vscode.l10n.t(
    "{0} is not part of a profile, is missing, occurs twice, or has an invalid value.",
    sanitizeText(field).slice(0, 100),
  );
}
