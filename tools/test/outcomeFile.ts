import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditorOutcome } from "../../test/editor/suite.ts";
import { root } from "../paths.ts";
import { OUTCOME_FILE } from "./outcome.ts";
import { choiceEnv, type SuiteChoice } from "./suiteChoice.ts";

/** The built suite, which an editor loads. */
export const suiteModule = join(root, "dist", "test", "editor", "suite.js");

/**
 * Runs the suite in an editor and returns its outcome. `run` receives a temporary folder and the editor's environment
 * variables, and returns the editor's output, which the error contains if the suite writes no outcome.
 */
export async function outcomeIn(
  choice: SuiteChoice,
  run: (folder: string, env: Readonly<Record<string, string>>) => Promise<string>,
): Promise<EditorOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-suite-"));
  const file = join(folder, "outcome.json");
  try {
    const output = await run(folder, { [OUTCOME_FILE]: file, ...choiceEnv(choice) });
    if (!existsSync(file)) throw new Error(`The editor suite left no outcome.\n${output}`);
    return JSON.parse(readFileSync(file, "utf8")) as EditorOutcome;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
