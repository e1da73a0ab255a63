// Runs mocha test files in this process and writes the outcome to the file that BIDSIDE_OUTCOME names:
//   node test/support/runMocha.ts [--grep TEXT] [--timeout MS] files…
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Mocha from "mocha";
import { follow, OUTCOME_FILE } from "./outcome.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: "string" }, timeout: { type: "string", default: "5000" } },
});
const mocha = new Mocha({
  ui: "bdd",
  timeout: Number(values.timeout),
  forbidOnly: true,
  forbidPending: true,
});
if (values.grep !== undefined) mocha.fgrep(values.grep);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run(() => {
  const outcome = outcomeSoFar();
  const file = process.env[OUTCOME_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(outcome));
  process.exitCode = outcome.failed > 0 ? 1 : 0;
});
const outcomeSoFar = follow(runner);
