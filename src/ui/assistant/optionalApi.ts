import * as vscode from "vscode";

/**
 * Registers with an API that not every editor has: related editors leave some out, or refuse them. The rest of the
 * extension works without it.
 */
export function registerIfOffered(register: () => vscode.Disposable, missing: () => void): vscode.Disposable {
  try {
    return register();
  } catch {
    missing();
    return new vscode.Disposable(() => undefined);
  }
}
