import * as vscode from "vscode";

const MESSAGE_MS = 10_000;

/** Shows a message that needs no action, for ten seconds in the status bar. */
export function showStatusMessage(text: string): void {
  vscode.window.setStatusBarMessage(text, MESSAGE_MS);
}
