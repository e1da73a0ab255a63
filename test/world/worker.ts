import { createHash } from "node:crypto";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

/** A process's report about its seeds, as one line of JSON. */
export interface Report {
  readonly seeds: number;
  readonly failures: readonly { readonly seed: number; readonly check: string; readonly text: string }[];
  readonly situations: Readonly<Record<string, number>>;
  /** 64 hex digits, the same for the same histories in any order. */
  readonly digest: string;
  /** MB of the heap without garbage: after a tenth of the seeds, and at the end. */
  readonly heapMb: readonly [early: number, late: number];
}

/** Runs `count` seeds from `from`. */
export async function runSeeds(from: number, count: number): Promise<Report> {
  const failures: Report["failures"][number][] = [];
  const situations: Record<string, number> = {};
  let digest = Buffer.alloc(32);
  let early = 0;
  for (let index = 0; index < count; index += 1) {
    const seed = from + index;
    const { violations, situations: reached, history } = await run(planOf(seed));
    digest = xorOf(
      digest,
      createHash("sha256")
        .update(`${seed}\n${history.join("\n")}`)
        .digest(),
    );
    if (index === Math.floor(count / 10)) early = heapMb();
    const [first] = violations;
    if (first) failures.push({ seed, ...first });
    for (const [name, times] of reached) situations[name] = (situations[name] ?? 0) + times;
  }
  return { seeds: count, failures, situations, digest: digest.toString("hex"), heapMb: [early, heapMb()] };
}

/** Joins two digests; the result does not depend on the order. */
export function xorOf(one: Buffer, other: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}

function heapMb(): number {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1_000_000);
}

if (import.meta.main) {
  const [from = 1, count = 1] = process.argv.slice(2).map(Number);
  process.stdout.write(`${JSON.stringify(await runSeeds(from, count))}\n`);
}
