import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import { follow, OUTCOME_FILE, type Outcome } from "../../tools/test/outcome.ts";
import { readChoice } from "../../tools/test/suiteChoice.ts";

/** The results that the suite writes to the file named by BIDSIDE_OUTCOME, for the launcher of the editor. */
export interface EditorOutcome extends Outcome {
  /** The reporter's lines. */
  readonly report: string;
}

/**
 * Runs the chosen test/editor/*.test.ts inside the extension host. Both launchers load this module: the
 * desktop editor through `@vscode/test-electron`, and the editor's server through its test driver.
 * Rejects if a test failed, so that the editor ends with an error code.
 */
export async function run(): Promise<void> {
  const lines: string[] = [];
  Mocha.reporters.Base.consoleLog = (...data: unknown[]) => lines.push(format(...data));
  const mocha = new Mocha({ ui: "bdd", timeout: 20_000, color: false, forbidOnly: true });
  const { files, grep } = readChoice(process.env, readdirSync(__dirname));
  mocha.fgrep(grep);
  for (const file of files) mocha.addFile(join(__dirname, file));
  const outcome = await new Promise<Outcome>((done) => {
    const runner = mocha.run(() => done(outcomeSoFar()));
    const outcomeSoFar = follow(runner);
  });
  const file = process.env[OUTCOME_FILE];
  const report: EditorOutcome = { ...outcome, report: lines.join("\n") };
  if (file !== undefined) writeFileSync(file, JSON.stringify(report));
  if (outcome.failed > 0) throw new Error(`${outcome.failed} failed`);
}
