import { createHash } from "node:crypto";
import { join } from "node:path";
import type * as vscode from "vscode";
import { thisSystem } from "../files/operatingSystem.ts";
import { machineText } from "../files/machine.ts";
import { monotonicTimers } from "../time/timers.ts";
import type { OpenWindows } from "../desk/windows/windowGroup.ts";
import { Hub } from "../hub/hub.ts";

/** Increment when windows of two builds with the same version could not understand each other. */
const PROTOCOL = 8;

/**
 * The folder in which windows of the same computer, user and version find each other. Several computers may share a
 * home folder, but sockets do not connect them.
 */
export function windowsFolder(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { readonly version: unknown };
  const build = `${String(version)}-${PROTOCOL}`;
  // The first digest in a process takes a few ms.
  const machine = createHash("sha256").update(machineText(thisSystem)).digest("hex").slice(0, 16);
  return join(context.globalStorageUri.fsPath, "windows", build, machine);
}

/** All windows meet in the folder itself, and those of an account in a folder of it with the account's id. */
export function windowsOf(context: vscode.ExtensionContext): OpenWindows {
  return async (demand, events, account = "") => {
    const directory = join(windowsFolder(context), account);
    return new Hub({ directory, demand, timers: monotonicTimers, events });
  };
}
