import type { ExtensionContext } from "vscode";
import type { DeskPorts } from "../../../src/desk/deskPorts.ts";
import { loadUi } from "../fakes/vscode.ts";

/** The questions before an order as the extension asks them, in the editor's stand-in. */
export async function editorQuestions(): Promise<DeskPorts["ask"]> {
  const { late, portsOf } = await loadUi(() => import("../../../src/ports.ts"));
  // Loaded before the first question, because a test with a clock of its own does not wait for the disk.
  await late();
  const context = { globalStorageUri: { fsPath: "" }, extension: { packageJSON: {} } };
  const none = {} as never;
  return portsOf(context as unknown as ExtensionContext, none, none, none).ask;
}
