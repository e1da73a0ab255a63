import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { format } from "node:util";
import Mocha from "mocha";
import { EVENTS, report } from "../../tools/test/events.ts";
import { follow } from "../../tools/test/follow.ts";
import { type SuiteChoice, SUITE } from "../../tools/test/suiteChoice.ts";

/**
 * Runs the chosen test/editor/*.test.ts inside the extension host, and reports their events. Both launchers load this module: the
 * desktop editor through `@vscode/test-electron`, and the editor's server through its test driver.
 * Rejects if a test failed, so that the editor ends with an error code.
 */
export async function run(): Promise<void> {
  // Without a runner, a debugger shows the console.
  if (process.env[EVENTS] !== undefined)
    Mocha.reporters.Base.consoleLog = (...data: unknown[]) => report({ kind: "log", text: format(...data) });
  const { files, grep } = JSON.parse(process.env[SUITE] ?? "") as SuiteChoice;
  const mocha = new Mocha({ ui: "bdd", timeout: 0, color: false, forbidOnly: true });
  mocha.fgrep(grep);
  const chosen = new Set(files.map((file) => basename(file, ".ts")));
  for (const built of readdirSync(__dirname).filter((name) => name.endsWith(".test.js")))
    if (files.length === 0 || chosen.has(basename(built, ".js"))) mocha.addFile(join(__dirname, built));
  const failed = await new Promise<number>((done) => {
    const runner = mocha.run(done);
    follow(mocha, runner, { limitMs: 20_000, from: join(__dirname, "../../..") });
  });
  if (failed > 0) throw new Error(`${failed} failed`);
}
