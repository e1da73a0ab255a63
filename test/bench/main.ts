import { fork } from "node:child_process";
import type { Figure } from "./measure.ts";

/**
 * `npm run bench -- [ROW ...]`: prints what Bidside costs, beside a floor measured in the same run. A missed target is shown, and
 * fails nothing.
 */

const rows: ReadonlyMap<string, () => Promise<Figure>> = new Map([
  ["start", async () => (await import("./bundles.ts")).startFigure()],
  ["tick", async () => (await import("./refresh.ts")).tickFigure()],
  ["alerts", async () => (await import("./alerts.ts")).alertFigure()],
  ["click", async () => (await import("./click.ts")).clickFigure()],
  ["orders", async () => (await import("./orders.ts")).orderFigure()],
  ["chart", async () => (await import("./chart.ts")).chartFigure()],
  ["history", async () => (await import("./history.ts")).historyFigure()],
  ["ladder", async () => (await import("./ladder.ts")).ladderFigure()],
  ["frame", async () => (await import("./seenRows.ts")).frameFigure()],
  ["stream", async () => (await import("./streams.ts")).streamFigure()],
  ["takeover", async () => (await import("./windows.ts")).takeoverFigure()],
  ["heap", async () => (await import("./heap.ts")).heapFigure()],
]);

const WIDTHS = [98, 10, 10, 10, 13, 6];

function line(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
    .join("  ")
    .trimEnd();
}

/**
 * Measures a row in a process of its own: in one process for all, later rows were up to a sixth slower, because of the memory and
 * the compiled code of earlier ones. The heap's row needs the collector.
 */
function measure(row: string): Promise<Figure> {
  const child = fork(import.meta.filename, [row], {
    execArgv: ["--expose-gc", "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON"],
  });
  return new Promise((resolve, reject) => {
    child.once("message", (figure: Figure) => {
      resolve(figure);
      child.disconnect();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${row} ended with ${code} before its figure.`)));
  });
}

async function main(names: readonly string[]): Promise<void> {
  const strange = names.filter((name) => !rows.has(name));
  if (strange.length > 0) {
    console.log(
      `npm run bench -- [ROW ...]\n\nRows: ${[...rows.keys()].join(", ")}. Without one, all are measured.`,
    );
    process.exitCode = strange.includes("--help") ? 0 : 2;
    return;
  }
  console.log(line(["what", "measured", "floor", "result", "target", ""]));
  for (const name of names.length > 0 ? names : rows.keys()) {
    const { what, measured, floor, result, target, met } = await measure(name);
    console.log(line([what, measured, floor, result, target, met ? "met" : "missed"]));
  }
}

const names = process.argv.slice(2);
if (process.send) {
  process.once("disconnect", () => process.exit());
  process.send(await rows.get(names[0] ?? "")?.());
} else await main(names);
