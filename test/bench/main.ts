import { fork } from "node:child_process";
import { readCommandLine } from "../../tools/commandLine.ts";
import type { Figure } from "./measure.ts";

const rows: ReadonlyMap<string, () => Promise<Figure>> = new Map([
  ["start", async () => (await import("./bundles.ts")).startFigure()],
  ["tick", async () => (await import("./refresh.ts")).tickFigure()],
  ["lists", async () => (await import("./lists.ts")).listsFigure()],
  ["alerts", async () => (await import("./alerts.ts")).alertFigure()],
  ["click", async () => (await import("./click.ts")).clickFigure()],
  ["orders", async () => (await import("./orders.ts")).orderFigure()],
  ["change", async () => (await import("./orders.ts")).changeFigure()],
  ["chart", async () => (await import("./chart.ts")).chartFigure()],
  ["studies", async () => (await import("./studies.ts")).studiesFigure()],
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

async function main(): Promise<void> {
  const { positionals: names } = readCommandLine({
    usage: `Usage: npm run bench -- [ROW ...]

Prints what Bidside costs, beside a floor measured in the same run. A missed target is shown, and fails nothing.

  ROW     measure these rows only: ${[...rows.keys()].join(", ")}
  --help  prints this`,
    wordProblem: (words) => {
      const strange = words.filter((word) => !rows.has(word));
      return strange.length === 0 ? undefined : `There is no row "${strange.join(" ")}"`;
    },
  });
  console.log(line(["what", "measured", "floor", "result", "target", ""]));
  for (const name of names.length > 0 ? names : rows.keys()) {
    const { what, measured, floor, result, target, met } = await measure(name);
    console.log(line([what, measured, floor, result, target, met ? "met" : "missed"]));
  }
}

if (process.send) {
  process.once("disconnect", () => process.exit());
  process.send(await rows.get(process.argv[2] ?? "")?.());
} else await main();
