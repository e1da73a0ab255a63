import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { readCommandLine } from "../../tools/commandLine.ts";
import { root } from "../../tools/paths.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";
import { shrunk } from "./shrink.ts";
import { plant, plants } from "./plants.ts";
import { missing } from "./situations.ts";
import type { Report } from "./worker.ts";

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

const seeds = Number(values.seeds ?? 10_000);
if (values.planted) await runPlanted(seeds);
else if (values.seed === undefined) await runMany(Number(values.from ?? 1), seeds);
else await runOne(Number(values.seed));

/** The first of so many seeds that finds each planted fault. One that no seed finds fails the run. */
async function runPlanted(seeds: number): Promise<void> {
  for (const each of plants) {
    const takeOut = plant(each);
    let found = "NOT FOUND";
    for (let seed = 1; seed <= seeds; seed += 1) {
      const [violation] = (await run(planOf(seed))).violations;
      if (!violation) continue;
      found = `seed ${seed}: ${violation.check}`;
      break;
    }
    takeOut();
    console.log(`${each.name.padEnd(48)} ${found}`);
    if (found === "NOT FOUND") process.exitCode = 1;
  }
}

async function runOne(seed: number): Promise<void> {
  const first = await run(planOf(seed));
  const result = first.violations.length === 0 ? first : await shrunk(first);
  console.log(JSON.stringify(result.plan));
  console.log(result.history.join("\n"));
  process.exitCode = result.violations.length === 0 ? 0 : 1;
}

async function runMany(from: number, seeds: number): Promise<void> {
  const started = performance.now();
  const processes = Math.min(availableParallelism(), seeds);
  const reports = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      runProcess(from + index, processes, Math.ceil((seeds - index) / processes)),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  const situations = new Map<string, number>();
  for (const report of reports) {
    for (const [name, times] of Object.entries(report.situations))
      situations.set(name, (situations.get(name) ?? 0) + times);
  }
  const failures = reports.flatMap((report) => report.failures);
  for (const [name, times] of [...situations].sort()) console.log(`${String(times).padStart(9)}  ${name}`);
  for (const { seed, check, text: what } of failures) console.log(`seed ${seed}: ${check}: ${what}`);
  const never = seeds >= 10_000 ? missing(situations) : [];
  for (const name of never) console.log(`never or too seldom reached: ${name}`);
  console.log(
    `${seeds} seeds in ${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(1)} a second), ${failures.length} failed`,
  );
  process.exitCode = failures.length + never.length === 0 ? 0 : 1;
}

async function runProcess(from: number, step: number, count: number): Promise<Report> {
  const args = [join(root, "test/world/worker.ts"), ...[from, step, count].map(String)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await text(child.stdout)) as Report;
}
