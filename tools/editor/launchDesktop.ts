import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { root, suiteModule } from "../paths.ts";
import { calmSettings } from "./quietSettings.ts";

/**
 * Runs the editor suite in a desktop VS Code with a temporary profile, until the suite has ended. Returns what went
 * wrong with the editor; it also fails if a test fails. `inspect`: the port at which the extension host waits for a
 * debugger.
 */
export async function launchDesktop(executable: string, inspect?: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-suite-"));
  try {
    mkdirSync(join(folder, "data", "User"), { recursive: true });
    writeFileSync(join(folder, "data", "User", "settings.json"), JSON.stringify(calmSettings));
    mkdirSync(join(folder, "workspace"));
    const ended = runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: suiteModule,
      // Keeps the extension's records out of the home folder of the user who runs this.
      extensionTestsEnv: { XDG_DATA_HOME: join(folder, "data-home") },
      launchArgs: [
        join(folder, "workspace"),
        "--disable-extensions",
        `--user-data-dir=${join(folder, "data")}`,
        `--extensions-dir=${join(folder, "extensions")}`,
        ...(inspect === undefined ? [] : [`--inspect-brk-extensions=${inspect}`]),
      ],
    });
    return await ended.then(() => "", String);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
