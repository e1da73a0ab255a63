import { readdirSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import { report } from "../../tools/test/events.ts";
import { follow } from "../../tools/test/follow.ts";
import { readChoice } from "../../tools/test/suiteChoice.ts";

/**
 * Runs the chosen test/editor/*.test.ts inside the extension host, and reports their events. Both launchers load this module: the
 * desktop editor through `@vscode/test-electron`, and the editor's server through its test driver.
 * Rejects if a test failed, so that the editor ends with an error code.
 */
export async function run(): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...data: unknown[]) => report({ kind: "log", text: format(...data) });
  const mocha = new Mocha({ ui: "bdd", timeout: 0, color: false, forbidOnly: true });
  const { files, grep } = readChoice(process.env, readdirSync(__dirname));
  mocha.fgrep(grep);
  for (const file of files) mocha.addFile(join(__dirname, file));
  const failed = await new Promise<number>((done) => {
    const runner = mocha.run(done);
    follow(mocha, runner, { limitMs: 20_000, from: join(__dirname, "../../..") });
  });
  if (failed > 0) throw new Error(`${failed} failed`);
}
