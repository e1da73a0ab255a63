import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../../tools/paths.ts";
import { type Report, xorOf } from "./worker.ts";

/** A worker collects garbage on request, has a large young generation, and makes no stack traces. */
const FLAGS = [
  "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
  "--expose-gc",
  "--max-semi-space-size=32",
  "--stack-trace-limit=0",
];

/** Runs this number of seeds from `from`, in one process for each core. */
export async function runMany(from: number, seeds: number): Promise<Report> {
  const processes = Math.min(availableParallelism(), seeds);
  // Seeds in a row have every kind of world. With every second seed, one process would have all worlds with streams.
  const firstOf = (index: number): number => from + Math.floor((index * seeds) / processes);
  const reports = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      runProcess(firstOf(index), firstOf(index + 1) - firstOf(index)),
    ),
  );
  const situations: Record<string, number> = {};
  for (const report of reports) {
    for (const [name, times] of Object.entries(report.situations))
      situations[name] = (situations[name] ?? 0) + times;
  }
  const digests = reports.map(({ digest }) => Buffer.from(digest, "hex"));
  const heaps = reports.map(({ heapMb }) => heapMb);
  return {
    seeds,
    failures: reports.flatMap(({ failures }) => failures),
    situations,
    digest: digests.reduce(xorOf, Buffer.alloc(32)).toString("hex"),
    heapMb: [Math.max(...heaps.map(([early]) => early)), Math.max(...heaps.map(([, late]) => late))],
  };
}

/** Runs `count` seeds from `from` in a process of their own, with these flags of Node too. Rejects if the process ends early. */
export async function runProcess(from: number, count: number, ...flags: readonly string[]): Promise<Report> {
  const args = [join(root, "test/world/worker.ts"), ...[from, count].map(String)];
  const child = spawn(process.execPath, [...FLAGS, ...flags, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout)) as Report;
}
