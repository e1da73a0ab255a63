import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EditorOutcome } from "../../test/editor/suite.ts";
import { root } from "../paths.ts";
import { OUTCOME_FILE } from "./outcome.ts";
import { choiceEnv, type SuiteChoice } from "./suiteChoice.ts";

/** The built suite, as an editor loads it. */
export const suiteModule = join(root, "dist", "test", "editor", "suite.js");

/**
 * The outcome of the suite in an editor. `run` gets a folder for the run and the environment for the editor, and returns the
 * editor's output; if the suite left no outcome, the error contains this output.
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
