import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { errorLine } from "../desk/errorLine.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import { userDataFolder } from "../files/userDataFolder.ts";
import { offer, showLogLink } from "./commands.ts";

/**
 * The folder of orders, costs, alerts and price history: the user's data folder, which outlives the extension. If it is
 * not writable, falls back to the editor's folder and warns that the editor deletes it on uninstall.
 */
export function recordsFolder(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): string {
  const storage = userDataFolder({
    platform: thisSystem.platform,
    env: process.env,
    home: homedir(),
    scheme: vscode.env.uriScheme,
    name: vscode.env.appName,
  });
  try {
    tryToWrite(storage);
    return storage;
  } catch (error) {
    const fallback = context.globalStorageUri.fsPath;
    log.warn(`${storage}: ${errorLine(error)}`);
    const text = vscode.l10n.t(
      "Bidside cannot write to {0}, so orders, costs, alerts and price history stay in {1}. The editor deletes that folder when you uninstall Bidside. Make the first folder writable, then reload the window.",
      storage,
      fallback,
    );
    void offer("showWarningMessage", text, showLogLink());
    return fallback;
  }
}

/** Creates the folder (0700) if needed. Throws if no file can be created in it. */
function tryToWrite(folder: string): void {
  const { files, pid } = thisSystem;
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `writable-${pid}`);
  files.writeFileSync(probe, "", { mode: 0o600 });
  files.rmSync(probe, { force: true });
}
