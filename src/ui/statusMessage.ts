import * as vscode from "vscode";

const MESSAGE_MS = 10_000;

/** Says in the status bar what happened, for ten seconds: for news that needs no action and no decision. */
export function showStatusMessage(text: string): void {
  vscode.window.setStatusBarMessage(text, MESSAGE_MS);
}
