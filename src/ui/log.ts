import * as vscode from "vscode";

/** The output channel. Errors are logged with their causes; none of them can contain a secret. */
export function createLog(): vscode.LogOutputChannel {
  return vscode.window.createOutputChannel("Bidside", { log: true });
}

/** An error and its causes on one line. */
export function errorLine(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < 5; each = each.cause)
    parts.push(each.message);
  return parts.length > 0 ? parts.join(" ← ") : String(error);
}
