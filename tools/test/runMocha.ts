// Runs mocha test files in this process and writes the outcome to the file that BIDSIDE_OUTCOME names:
//   node tools/test/runMocha.ts [--grep TEXT] [--timeout MS] [--stories] files…
// With --stories the first failure ends its story, and a hanging step ends at the limit of a story.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import Mocha from "mocha";
import { follow, OUTCOME_FILE } from "./outcome.ts";
import { followStories } from "./story.ts";

// Times of day as in the tests' expectations, whatever the computer's region.
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
  // A story has its own limit.
  timeout: values.stories ? 0 : Number(values.timeout),
  forbidOnly: true,
});
if (values.grep !== undefined) mocha.fgrep(values.grep);
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
// The other files of a unit would hide it, and the claims of this one would be lost.
const tested = new Set<string>();
mocha.suite.eachTest(({ file = "" }) => void tested.add(resolve(file)));
const empty = positionals.filter((file) => !tested.has(resolve(file)));
if (empty.length > 0) throw new Error(`There is no test in ${empty.join(", ")}.`);
const runner = mocha.run(() => {
  const outcome = outcomeSoFar();
  const file = process.env[OUTCOME_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(outcome));
  process.exitCode = outcome.failed > 0 ? 1 : 0;
  // A story that failed may have left an editor open: its processes end with this one.
  if (values.stories && outcome.failed > 0) process.exit();
});
const outcomeSoFar = (values.stories ? followStories : follow)(runner);
