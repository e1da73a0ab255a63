import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./measure.ts";
import { startServer } from "./servers.ts";
import type { Spent } from "./streamWindow.ts";

/** What runs often is compiled by then. */
const WARM_UP_MS = 20_000;
const SPAN_MS = 60_000;
const MAX_SHARE = 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The CPU of a window that streams 60 of 500 pairs, beside a process that only receives and parses the same frames, in the same minute.
 */
export async function streamFigure(): Promise<Figure> {
  const server = await startServer("test/bench/streamServer.ts");
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  const url = server.hello["baseUrl"] ?? "";
  const start = (kind: "window" | "parse") =>
    startServer<Spent>("test/bench/streamWindow.ts", kind, url, join(folder, "data"), join(folder, "hub"));
  const both = await Promise.all([start("window"), start("parse")]);
  try {
    const read = () => Promise.all(both.map((each) => each.ask("report")));
    await pause(WARM_UP_MS);
    const before = await read();
    await pause(SPAN_MS);
    const after = await read();
    const [ours = 0, floor = 0] = after.map(
      ({ cpuMs, wallMs }, index) =>
        (100 * (cpuMs - (before[index]?.cpuMs ?? 0))) / (wallMs - (before[index]?.wallMs ?? 0)),
    );
    const share = (percent: number): string => `${percent.toFixed(2)} %`;
    return {
      what: "CPU of a window that streams 60 pairs, of one core (floor: receiving and parsing their frames)",
      measured: share(ours),
      floor: share(floor),
      result: `${(ours / floor).toFixed(2)} ×`,
      target: `≤ ${MAX_SHARE} %`,
      met: ours <= MAX_SHARE,
    };
  } finally {
    for (const each of both) await each.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
