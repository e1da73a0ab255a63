import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Figure, FIGURES, FULL, PATH, ROUNDS, SEED } from "../../test/safety/safetyLine.ts";
import { readCommandLine } from "../commandLine.ts";
import { root } from "../paths.ts";

const LINES = 26;
const AT_ONCE = 2;
const LIMIT_MS = 15 * 60_000;

const { values } = readCommandLine({
  usage: `Usage: npm run test:safety -- [--line N] [--seed N] [--rounds N] [--path P]

Proves what a trader relies on, line by line, in full, and prints one table of what was found. Two files run side by side.

  --line N     only this line, 1 to ${LINES}
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
const settings = {
  [FULL]: "1",
  ...(values.seed !== undefined && { [SEED]: values.seed }),
  ...(values.rounds !== undefined && { [ROUNDS]: values.rounds }),
  ...(values.path !== undefined && { [PATH]: values.path }),
};

const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), "bidside-safety-"));
const figuresFile = join(folder, "figures");
const waiting = globSync("test/safety/*.test.ts", { cwd: root })
  .filter((file) => wanted === undefined || lineOf(file) === wanted)
  .sort();
const failed = new Set<number>();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { code, said } = await run(file);
      process.stdout.write(said);
      if (code !== 0) failed.add(lineOf(file));
    }
  }),
);

const figures = existsSync(figuresFile)
  ? readFileSync(figuresFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Figure)
  : [];
rmSync(folder, { recursive: true, force: true });
const lines = wanted === undefined ? Array.from({ length: LINES }, (_, index) => index + 1) : [wanted];
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
console.log(
  `\n${held} of ${lines.length} lines hold, in ${Math.round((Date.now() - started) / 1000)} s, ${AT_ONCE} files at once.`,
);
process.exitCode = held === lines.length ? 0 : 1;

function lineOf(file: string): number {
  return Number.parseInt(basename(file), 10);
}

/** Runs one file; what it prints is kept until its end, so that two do not mix. */
function run(file: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, ["tools/test/runMocha.ts", "--timeout", "60000", file], {
    cwd: root,
    env: { ...process.env, ...settings, [FIGURES]: figuresFile },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said += text.toString()));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, said }));
  });
}
