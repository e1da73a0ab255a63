import * as vscode from "vscode";
import { errorLine } from "./desk/errorLine.ts";

/**
 * Loads the app: right after the editor's start, or at the first use of a command, view, page, link or tool. The editor
 * holds such a use back until the returned promise resolves. Rejects if the app could not start, which the user is told.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  try {
    const { start } = await import("./app.ts");
    start(context);
  } catch (error) {
    void vscode.window.showErrorMessage(vscode.l10n.t("Bidside could not start: {0}", errorLine(error)));
    throw error;
  }
}
