import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { errorLine } from "../desk/errorLine.ts";
import { thisComputer } from "../files/computer.ts";
import { personFolder } from "../files/personFolder.ts";
import { offer, showLogLink } from "./commands.ts";

/** Folder of orders, costs, alerts and price history, and the editor's folder that earlier versions used. */
interface RecordsLocation {
  readonly storage: string;
  readonly earlierStorage: string | undefined;
}

/**
 * The user's data folder, which outlives the extension. If it is not writable, falls back to the editor's folder and
 * warns that the editor deletes it on uninstall.
 */
export function recordsLocation(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): RecordsLocation {
  const earlier = context.globalStorageUri.fsPath;
  const storage = personFolder({
    platform: thisComputer.platform,
    env: process.env,
    home: homedir(),
    scheme: vscode.env.uriScheme,
    name: vscode.env.appName,
  });
  try {
    tryToWrite(storage);
    return { storage, earlierStorage: earlier };
  } catch (error) {
    log.warn(`${storage}: ${errorLine(error)}`);
    const text = vscode.l10n.t(
      "Bidside cannot write to {0}, so orders, costs, alerts and price history stay in {1}. The editor deletes that folder when you uninstall Bidside. Make the first folder writable, then reload the window.",
      storage,
      earlier,
    );
    void offer("showWarningMessage", text, showLogLink());
    return { storage: earlier, earlierStorage: undefined };
  }
}

/** Creates the folder (0700) if needed. Throws if no file can be created in it. */
function tryToWrite(folder: string): void {
  const { files, pid } = thisComputer;
  files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `writable-${pid}`);
  files.writeFileSync(probe, "", { mode: 0o600 });
  files.rmSync(probe, { force: true });
}
