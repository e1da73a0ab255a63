import * as vscode from "vscode";

const MESSAGE_MS = 10_000;

/** Shows a message in the status bar for ten seconds: for news that need no action. */
export function showStatusMessage(text: string): void {
  vscode.window.setStatusBarMessage(text, MESSAGE_MS);
}
