import * as vscode from "vscode";

/**
 * Registers with an API that some VS Code-based editors omit or reject. The rest of the extension works without it.
 */
export function registerIfOffered(register: () => vscode.Disposable, missing: () => void): vscode.Disposable {
  try {
    return register();
  } catch {
    missing();
    return new vscode.Disposable(() => undefined);
  }
}
