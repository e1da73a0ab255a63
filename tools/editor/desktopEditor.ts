import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveCliArgsFromVSCodeExecutablePath } from "@vscode/test-electron";
import { startGroup } from "./processGroup.ts";
import { calmSettings } from "./quietSettings.ts";

/** A running desktop VS Code. */
export interface DesktopEditor {
  /** Resolves when the user closed it, or after `stop`. */
  readonly exited: Promise<number | null>;
  /** Ends every process of the editor and removes its throw-away profile. */
  stop(): Promise<void>;
}

/**
 * Opens a desktop VS Code on a throw-away profile with the packaged extensions installed.
 * Throws an error with the editor's own words if an extension cannot be installed.
 */
export async function startDesktopEditor(
  executable: string,
  vsixes: readonly string[],
): Promise<DesktopEditor> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-editor-"));
  const profile = [`--user-data-dir=${folder}`, `--extensions-dir=${join(folder, "extensions")}`];
  // Chromium refuses its sandbox to root.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  try {
    mkdirSync(join(folder, "User"));
    writeFileSync(join(folder, "User", "settings.json"), JSON.stringify(calmSettings, undefined, 2));
    const [program = executable, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable, {
      reuseMachineInstall: true,
    });
    const installs = vsixes.flatMap((vsix) => ["--install-extension", vsix]);
    const install = startGroup(program, [...args, ...profile, ...sandbox, ...installs]);
    if ((await install.exited) !== 0)
      throw new Error(`VS Code could not install the extension:\n${install.output()}`);
    const editor = startGroup(executable, [...profile, ...sandbox, "--new-window", "--skip-welcome"], {
      // The extension's records: never in the folder of the user who runs this.
      env: { ...process.env, XDG_DATA_HOME: join(folder, "data-home") },
    });
    return {
      exited: editor.exited,
      stop: async () => {
        await editor.stop();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
