import { createHash } from "node:crypto";
import { hostname } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { Windows } from "../desk/windows.ts";
import { refreshIntervalMs } from "./settings.ts";

/** This window among those of the same machine and version; how they find each other is loaded right after activation. */
export function createWindows(
  context: vscode.ExtensionContext,
  now: () => number,
  log: vscode.LogOutputChannel,
): Windows {
  const { version } = context.extension.packageJSON as { readonly version: unknown };
  // A home folder may be shared by machines, which no socket reaches across.
  const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 16);
  const directory = path.join(context.globalStorageUri.fsPath, "windows", String(version), machine);
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
