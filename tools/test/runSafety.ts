import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Figure, FIGURES, PATH } from "../../test/safety/safetyLine.ts";
import { FULL, newSeed, ROUNDS, SEED } from "../../test/support/rounds.ts";
import { readCommandLine } from "../commandLine.ts";
import { root } from "../paths.ts";
import { runUnits } from "./runUnits.ts";
import { readSeconds } from "./seconds.ts";
import { unitsOf } from "./units.ts";

const { values } = readCommandLine({
  usage: `Usage: npm run test:safety -- [--line N] [--seed N] [--rounds N] [--path P]

Proves what a trader relies on, line by line, in full, and prints one table of what was found. Files run side by side, as in
npm test.

  --line N     only this line of SECURITY.md
  --seed N     where everything random comes from; without one a new seed is taken and printed
  --rounds N   rounds of each line, in place of its own number
  --path P     the smallest failure of a property, as a failure prints it
  --help       prints this`,
  options: {
    line: { type: "string" },
    seed: { type: "string" },
    rounds: { type: "string" },
    path: { type: "string" },
  },
});
const wanted = values.line === undefined ? undefined : Number(values.line);

const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), "bidside-safety-"));
const figuresFile = join(folder, "figures");
process.env[FULL] = "1";
Object.assign(process.env, {
  [FIGURES]: figuresFile,
  [SEED]: values.seed ?? String(newSeed()),
  ...(values.rounds !== undefined && { [ROUNDS]: values.rounds }),
  ...(values.path !== undefined && { [PATH]: values.path }),
});
const files = globSync("test/safety/*.test.ts", { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => wanted === undefined || lineOf(file) === wanted);
const units = files.length === 0 ? [] : unitsOf(["safety"], { files }, readSeconds());
const { ran } = await runUnits(units, { print: console.log, isDetailed: true });
const failed = new Set(
  ran.filter(({ report }) => report.failures.length > 0).map(({ unit }) => lineOf(unit.name)),
);

const figures = existsSync(figuresFile)
  ? readFileSync(figuresFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Figure)
  : [];
rmSync(folder, { recursive: true, force: true });
const lines =
  wanted === undefined ? [...new Set(files.map(lineOf))].toSorted((one, other) => one - other) : [wanted];
console.log("\nline  result  figure");
let held = 0;
for (const line of lines) {
  const found = figures.filter((figure) => figure.line === line);
  const holds = found.length > 0 && !failed.has(line);
  if (holds) held += 1;
  const [first = "no figure", ...more] = found.map(
    ({ figure, seed, seconds }) => `${figure} (seed ${seed}, ${seconds} s)`,
  );
  const result = holds ? "holds " : found.length > 0 || failed.has(line) ? "FAILS " : "NO TEST";
  console.log(`${String(line).padStart(4)}  ${result}  ${first}`);
  for (const text of more) console.log(`              ${text}`);
}
console.log(`\n${held} of ${lines.length} lines hold, in ${Math.round((Date.now() - started) / 1000)} s.`);
process.exitCode = held === lines.length ? 0 : 1;

function lineOf(file: string): number {
  return Number.parseInt(basename(file), 10);
}
