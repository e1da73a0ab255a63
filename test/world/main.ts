import { readCommandLine } from "../../tools/commandLine.ts";
import { runMany } from "./many.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";
import { shrunk } from "./shrink.ts";
import { findingSeed, plants } from "./plants.ts";
import { missing } from "./situations.ts";

/** The seeds of a full run, which must reach every situation. */
const FULL = 10_000;

const { values } = readCommandLine({
  usage: `Usage: npm run test:world -- [--seed N | --planted | --seeds N [--from N]]

Runs the shipped desk, whole, in simulated worlds: windows, disk, links, exchanges and person under one seeded scheduler.

  --seed N     one world: prints its history; a failing one is made smaller first
  --seeds N    so many worlds, in a process for each core; default: 10,000
  --from N     the first seed; default: 1
  --planted    plants faults in the product, one at a time, and shows which seed finds each
  --help       prints this`,
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    from: { type: "string" },
    planted: { type: "boolean" },
  },
});

const seeds = Number(values.seeds ?? FULL);
if (values.planted) await runPlanted(seeds);
else if (values.seed === undefined) await runAll(Number(values.from ?? 1));
else await runOne(Number(values.seed));

/** The first of these seeds in which its check finds each planted fault. Every fault must have a seed. */
async function runPlanted(seeds: number): Promise<void> {
  for (const each of plants) {
    const seed = await findingSeed(each, seeds);
    const found = seed === undefined ? "NOT FOUND" : `seed ${seed}`;
    console.log(`${each.name.padEnd(66)} ${each.finder.padEnd(28)} ${found}`);
    if (seed === undefined) process.exitCode = 1;
  }
}

async function runOne(seed: number): Promise<void> {
  const first = await run(planOf(seed));
  const result = first.violations.length === 0 ? first : await shrunk(first);
  console.log(JSON.stringify(result.plan));
  console.log(result.history.join("\n"));
  process.exitCode = result.violations.length === 0 ? 0 : 1;
}

async function runAll(from: number): Promise<void> {
  const started = performance.now();
  const { failures, situations, digest, heapMb } = await runMany(from, seeds);
  const seconds = (performance.now() - started) / 1000;
  for (const [name, times] of Object.entries(situations).sort())
    console.log(`${String(times).padStart(9)}  ${name}`);
  for (const { seed, check, text } of failures) console.log(`seed ${seed}: ${check}: ${text}`);
  const never = seeds >= FULL ? missing(situations) : [];
  for (const name of never) console.log(`never or too seldom reached: ${name}`);
  console.log(
    `${seeds} seeds in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(1)} a second), ${failures.length} failed`,
  );
  console.log(`heap of a process: ${heapMb[0]} MB after a tenth of its seeds, ${heapMb[1]} MB at the end`);
  console.log(`digest of the histories: ${digest}`);
  process.exitCode = failures.length + never.length === 0 ? 0 : 1;
}
