import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { settingKeys } from "../../src/contributions.ts";

/**
 * Gives the user these settings in a real editor, and no other of Bidside's. Writes what differs only: the editor takes as long to
 * remove a setting that is not there.
 */
export async function applySettings(wanted: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  for (const key of new Set([...Object.values(settingKeys), ...Object.keys(wanted)]))
    if (!isDeepStrictEqual(settings.inspect(key)?.globalValue, wanted[key]))
      await settings.update(key, wanted[key], vscode.ConfigurationTarget.Global);
}
