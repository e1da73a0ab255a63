import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import type { EditorOutcome } from "../../test/editor/suite.ts";
import { root } from "../paths.ts";
import { outcomeIn, suiteModule } from "../test/outcomeFile.ts";
import type { SuiteChoice } from "../test/suiteChoice.ts";
import { calmSettings } from "./quietSettings.ts";

/**
 * Runs the editor suite in a desktop VS Code with a temporary profile. `inspect`: the port at which the extension host
 * waits for a debugger. Throws if the editor exits without an outcome.
 */
export async function launchDesktop(
  executable: string,
  choice: SuiteChoice,
  inspect?: number,
): Promise<EditorOutcome> {
  return await outcomeIn(choice, async (folder, env) => {
    mkdirSync(join(folder, "data", "User"), { recursive: true });
    writeFileSync(join(folder, "data", "User", "settings.json"), JSON.stringify(calmSettings));
    mkdirSync(join(folder, "workspace"));
    const ended = runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: root,
      extensionTestsPath: suiteModule,
      // Keeps the extension's records out of the home folder of the user who runs this.
      extensionTestsEnv: { ...env, XDG_DATA_HOME: join(folder, "data-home") },
      launchArgs: [
        join(folder, "workspace"),
        "--disable-extensions",
        `--user-data-dir=${join(folder, "data")}`,
        `--extensions-dir=${join(folder, "extensions")}`,
        ...(inspect === undefined ? [] : [`--inspect-brk-extensions=${inspect}`]),
      ],
    });
    // The editor also fails if a test fails; the outcome then names the test.
    return await ended.then(() => "", String);
  });
}
