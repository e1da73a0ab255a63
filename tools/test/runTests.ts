import { FULL, newSeed, SEED } from "../../test/support/rounds.ts";
import { readCommandLine } from "../commandLine.ts";
import { printSummary, runUnits } from "./runUnits.ts";
import { readSeconds } from "./seconds.ts";
import { secondsText } from "./secondsText.ts";
import { type Filter, type Stage, stages, unitsOf } from "./units.ts";

const { values, positionals } = readCommandLine({
  usage: `Usage: npm test -- [stage …] [test file …] [--grep TEXT] [--full] [--seed N] [--list]

Runs every check there is, some side by side. Prints a failure when it happens and once more at the end; nothing else
waits for it. The last line is "N passed, N failed"; with a failure it ends with 1.

  stage         ${stages.join(", ")}; all where none is named
  test file     path of a *.test.ts file, from the project's root
  --grep TEXT   only tests whose full title contains the text
  --full        random tests run all their rounds, not for a second and a half, with a new seed
  --seed N      repeats the random tests of the run that printed this seed
  --list        runs nothing; shows what runs, and how long it took last
  --help        prints this`,
  options: {
    grep: { type: "string" },
    full: { type: "boolean", default: false },
    seed: { type: "string" },
    list: { type: "boolean", default: false },
  },
  wordProblem: (words) => {
    const strange = words.filter((word) => !isStage(word) && !word.endsWith(".test.ts"));
    return strange.length === 0 ? undefined : `"${strange.join(" ")}" is neither a stage nor a test file`;
  },
});
const named = positionals.filter(isStage);
const filter: Filter = {
  files: positionals.filter((word) => word.endsWith(".test.ts")),
  ...(values.grep !== undefined && { grep: values.grep }),
};
const isWhole = filter.files.length === 0 && filter.grep === undefined;
const seconds = readSeconds();
const units = unitsOf(named.length > 0 ? named : stages, filter, seconds);

if (values.list) console.log(secondsText(units, seconds));
else await run();

async function run(): Promise<void> {
  const started = Date.now();
  if (values.full) process.env[FULL] = "1";
  process.env[SEED] = values.seed ?? String(newSeed());
  const seed = `Seed ${process.env[SEED]}: npm test -- --seed ${process.env[SEED]} repeats the random tests.`;
  console.log(seed);
  const result = await runUnits(units, {
    print: console.log,
    isDetailed: !isWhole,
    isWhole: isWhole && !values.full,
  });
  const footer = `In ${Math.round((Date.now() - started) / 1000)} s. ${seed}`;
  process.exitCode = printSummary(result, { stages: ["install", ...stages], footer, print: console.log });
}

function isStage(word: string): word is Stage {
  return stages.some((stage) => stage === word);
}
