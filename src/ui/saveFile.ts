import * as vscode from "vscode";
import type { Desk } from "../desk/desk.ts";
import { errorLine } from "../desk/errorLine.ts";
import { offer, showLogLink } from "./commands.ts";
import { showStatusMessage } from "./statusMessage.ts";

interface FileToSave {
  readonly title: string;
  readonly filters: Readonly<Record<string, string[]>>;
  readonly content: (path: string) => string | Uint8Array;
  readonly saved: (path: string) => string;
  readonly failed: (path: string) => string;
}

/** Writes a file that the user picks, and reports the result. */
export async function saveFile(
  log: Desk["log"],
  { title, filters, content, saved, failed }: FileToSave,
): Promise<void> {
  const target = await vscode.window.showSaveDialog({ title, filters });
  if (!target) return;
  try {
    await vscode.workspace.fs.writeFile(target, Buffer.from(content(target.path)));
  } catch (error) {
    log.error(`${title}: ${errorLine(error)}`);
    return await offer("showErrorMessage", failed(target.fsPath), showLogLink());
  }
  showStatusMessage(saved(target.fsPath));
}
