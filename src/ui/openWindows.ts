import { createHash } from "node:crypto";
import { hostname } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { Windows } from "../desk/windows/windows.ts";
import { refreshIntervalMs } from "./settings.ts";

/** Raised when windows of one version cannot understand each other: 2 has lines of JSON, 1 had lengths before them. */
const PROTOCOL = 2;

/**
 * This window among the windows of the same computer and version. The part that finds the others is loaded right
 * after activation.
 */
export function createWindows(
  context: vscode.ExtensionContext,
  now: () => number,
  log: vscode.LogOutputChannel,
): Windows {
  const { version } = context.extension.packageJSON as { readonly version: unknown };
  // Several computers may share a home folder, but a socket does not connect them.
  const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 16);
  const directory = path.join(
    context.globalStorageUri.fsPath,
    "windows",
    `${String(version)}-${PROTOCOL}`,
    machine,
  );
  const { focused, active } = vscode.window.state;
  return new Windows({
    open: async (need, events) => {
      const { Hub } = await import("../hub/hub.ts");
      return new Hub({ directory, need, events });
    },
    need: { focused, active, visible: false, armed: false, intervalMs: refreshIntervalMs() },
    now,
    trouble: (what) => log.warn(what),
  });
}
