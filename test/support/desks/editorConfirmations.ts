import type { ExtensionContext } from "vscode";
import type { DeskPorts } from "../../../src/desk/deskPorts.ts";
import { HollowStore, loadUi } from "../fakes/vscode.ts";

/** The order confirmation dialogs of the extension, in the fake editor. */
export async function editorConfirmations(): Promise<DeskPorts["ask"]> {
  const { portsOf } = await loadUi(() => import("../../../src/ports.ts"));
  const context = {
    globalStorageUri: { fsPath: "" },
    extension: { packageJSON: {} },
    globalState: new HollowStore(),
  };
  const none = {} as never;
  return portsOf(context as unknown as ExtensionContext, none, none, none, none).ask;
}
