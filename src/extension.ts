import * as vscode from "vscode";
import { errorLine } from "./desk/errorLine.ts";

/**
 * Loads the app: right after the editor has started, or when a command, view, page, link or tool is first used, which
 * the editor delays until the returned promise resolves. If the app cannot start, shows an error and rejects.
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
