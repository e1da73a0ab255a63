import { planOf } from "./plan.ts";
import { run } from "./run.ts";

/** What a process reports of the seeds that it ran, as one line of JSON. */
export interface Report {
  readonly seeds: number;
  readonly failures: readonly { readonly seed: number; readonly check: string; readonly text: string }[];
  readonly situations: Readonly<Record<string, number>>;
}

/** Runs the seeds from `from` in steps of `step`, `count` in all. */
export async function runSeeds(from: number, step: number, count: number): Promise<Report> {
  const failures: Report["failures"][number][] = [];
  const situations: Record<string, number> = {};
  for (let seed = from; seed < from + step * count; seed += step) {
    const { violations, situations: reached } = await run(planOf(seed));
    const [first] = violations;
    if (first) failures.push({ seed, ...first });
    for (const [name, times] of reached) situations[name] = (situations[name] ?? 0) + times;
  }
  return { seeds: count, failures, situations };
}

if (import.meta.main) {
  const [from = 1, step = 1, count = 1] = process.argv.slice(2).map(Number);
  process.stdout.write(`${JSON.stringify(await runSeeds(from, step, count))}\n`);
}
