import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveCliArgsFromVSCodeExecutablePath } from "@vscode/test-electron";
import { startGroup } from "./processGroup.ts";
import { calmSettings } from "./quietSettings.ts";

export interface DesktopEditor {
  /** Resolves when the user closes it, or after `stop`. */
  readonly exited: Promise<number | null>;
  /** Ends all of the editor's processes and removes its temporary profile. */
  stop(): Promise<void>;
}

/**
 * Opens a desktop VS Code with a temporary profile and the packaged extensions. Throws an error with the editor's
 * output if an extension cannot be installed.
 */
export async function startDesktopEditor(
  executable: string,
  vsixes: readonly string[],
): Promise<DesktopEditor> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-editor-"));
  const profile = [`--user-data-dir=${folder}`, `--extensions-dir=${join(folder, "extensions")}`];
  // Chromium does not run as root with its sandbox.
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
      // Keeps the extension's records out of the home folder of the user who runs this.
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
