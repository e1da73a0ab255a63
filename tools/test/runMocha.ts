// Runs mocha test files in this process:
//   node tools/test/runMocha.ts [--grep TEXT] [--limit SECONDS] [--stories] files…
// With --stories, a suite ends with its first failure. `--limit`: how long a test may go without progress.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import Mocha from "mocha";
import { seedOfRun } from "../../test/support/rounds.ts";
import { EVENTS } from "./events.ts";
import { follow } from "./follow.ts";
import { stories } from "./story.ts";

// Formats times of day as the tests expect, whatever the computer's region.
process.env["LC_ALL"] = "en_US.UTF-8";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: "string" },
    limit: { type: "string", default: "60" },
    stories: { type: "boolean", default: false },
  },
});
fc.configureGlobal({ seed: seedOfRun() });

/** Prints the titles. Failures are reported as they happen. */
class Titles extends Mocha.reporters.Spec {
  override epilogue(): void {}
}

const mocha = new Mocha({
  ui: "bdd",
  timeout: 0,
  forbidOnly: true,
  ...(process.env[EVENTS] !== undefined && { reporter: Titles }),
});
if (values.grep !== undefined) mocha.fgrep(values.grep);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
// Among other files, one without tests would go unnoticed.
const tested = new Set<string>();
mocha.suite.eachTest(({ file = "" }) => void tested.add(resolve(file)));
const empty = positionals.filter((file) => !tested.has(resolve(file)));
if (empty.length > 0) throw new Error(`There is no test in ${empty.join(", ")}.`);
const runner = mocha.run((failures) => {
  process.exitCode = failures > 0 ? 1 : 0;
  // A failed story may have left an editor open, whose processes end with this one.
  if (values.stories && failures > 0) process.exit();
});
follow(mocha, runner, {
  limitMs: Number(values.limit) * 1000,
  stories: values.stories ? stories : undefined,
});
