import { globSync } from "node:fs";
import { FULL, newSeed, ROUNDS, SEED } from "../../test/support/rounds.ts";
import { PATH } from "../../test/safety/safetyLine.ts";
import { readCommandLine } from "../commandLine.ts";
import { root } from "../paths.ts";
import { runUnits } from "./runUnits.ts";
import { readSeconds, secondsText } from "./seconds.ts";
import { type Filter, type Stage, stages, testStages, unitsOf } from "./units.ts";

const { values, positionals } = readCommandLine({
  usage: `Usage: npm test -- [stage …] [test file …] [options]

Runs every check there is, some side by side. Prints a failure when it happens, and once more at the end. The last line
is "N passed, N failed"; with a failure it ends with 1.

  stage         ${stages.join(", ")}; all where none is named
  test file     path of a *.test.ts file, from the project's root
  --grep TEXT   only tests whose full title contains the text
  --line N      only the safety tests of this line of SECURITY.md
  --full        random tests run all their rounds, not for a second and a half, with a new seed
  --seed N      where everything random comes from; the command prints it
  --rounds N    rounds of each random test, in place of its time
  --path P      the smallest failure of a safety test's property, as the failure prints it
  --list        runs nothing; shows what runs, and how long it took last
  --help        prints this`,
  options: {
    grep: { type: "string" },
    line: { type: "string" },
    full: { type: "boolean", default: false },
    seed: { type: "string" },
    rounds: { type: "string" },
    path: { type: "string" },
    list: { type: "boolean", default: false },
  },
  wordProblem: (words) => {
    const strange = words.filter((word) => !isStage(word) && !word.endsWith(".test.ts"));
    return strange.length === 0 ? undefined : `"${strange.join(" ")}" is neither a stage nor a test file`;
  },
});
const { line, grep } = values;
const ofLine = line === undefined ? [] : globSync(`test/safety/${line.padStart(2, "0")}-*`, { cwd: root });
if (line !== undefined && ofLine.length === 0) throw new Error(`There is no test of line ${line}.`);
const filter: Filter = {
  files: [...positionals.filter((word) => word.endsWith(".test.ts")), ...ofLine],
  grep,
};
const isWhole = filter.files.length === 0 && grep === undefined;
const named = positionals.filter(isStage);
const seconds = readSeconds();
const units = unitsOf(named.length > 0 ? named : isWhole ? stages : testStages, filter, seconds);

if (values.list) console.log(secondsText(units, seconds));
else await run();

async function run(): Promise<void> {
  const started = Date.now();
  if (values.full) process.env[FULL] = "1";
  if (values.rounds !== undefined) process.env[ROUNDS] = values.rounds;
  if (values.path !== undefined) process.env[PATH] = values.path;
  const seed = (process.env[SEED] = values.seed ?? String(newSeed()));
  const again = `Seed ${seed}: npm test -- --seed ${seed} repeats the random tests.`;
  console.log(again);
  process.exitCode = await runUnits(units, {
    print: console.log,
    footer: () => `In ${Math.round((Date.now() - started) / 1000)} s. ${again}`,
    isDetailed: !isWhole || values.full,
    isUsual: isWhole && !values.full && values.rounds === undefined,
  });
}

function isStage(word: string): word is Stage {
  return stages.some((stage) => stage === word);
}
