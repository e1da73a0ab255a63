// Runs mocha test files in this process, and writes the outcome to the file in BIDSIDE_OUTCOME:
//   node tools/test/runMocha.ts [--grep TEXT] [--timeout MS] [--stories] files…
// With --stories, the first failure ends its story, and a step fails if it makes no progress for too long.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import Mocha from "mocha";
import { follow, OUTCOME_FILE } from "./outcome.ts";
import { followStories } from "./story.ts";

// Formats times of day as the tests expect, whatever the computer's region.
process.env["LC_ALL"] = "en_US.UTF-8";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: "string" },
    timeout: { type: "string", default: "5000" },
    stories: { type: "boolean", default: false },
  },
});
const mocha = new Mocha({
  ui: "bdd",
  // Steps of a story have their own timeout.
  timeout: values.stories ? 0 : Number(values.timeout),
  forbidOnly: true,
});
if (values.grep !== undefined) mocha.fgrep(values.grep);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
// Among other files, one without tests would go unnoticed.
const tested = new Set<string>();
mocha.suite.eachTest(({ file = "" }) => void tested.add(resolve(file)));
const empty = positionals.filter((file) => !tested.has(resolve(file)));
if (empty.length > 0) throw new Error(`There is no test in ${empty.join(", ")}.`);
const runner = mocha.run(() => {
  const outcome = outcomeSoFar();
  const file = process.env[OUTCOME_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(outcome));
  process.exitCode = outcome.failed > 0 ? 1 : 0;
  // A failed story may have left an editor open, whose processes end with this one.
  if (values.stories && outcome.failed > 0) process.exit();
});
const outcomeSoFar = (values.stories ? followStories : follow)(runner);
