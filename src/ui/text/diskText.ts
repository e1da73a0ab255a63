import * as vscode from "vscode";
import { hasCode } from "../../files/hasCode.ts";

/** What to do so that Bidside can write its records, by the system error that is the cause of this one. */
export function diskAdvice(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (hasCode(each, "ENOSPC", "EDQUOT"))
      return vscode.l10n.t("The disk is full: free some space, then try again.");
    if (hasCode(each, "EBUSY"))
      return vscode.l10n.t("Another program is using Bidside's files: close it, then try again.");
    // Windows reports a file in use as a missing permission too.
    if (hasCode(each, "EACCES", "EPERM"))
      return vscode.l10n.t(
        "Bidside has no permission to write to its folder, or another program is using its files: allow it or close the program, then try again.",
      );
    if (hasCode(each, "EROFS"))
      return vscode.l10n.t("The disk is read-only: make it writable, then try again.");
  }
  return vscode.l10n.t("Free some disk space, or allow Bidside to write to its folder.");
}
