import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { alertFigures } from "./alerts.ts";
import { bundleFigures } from "./bundles.ts";
import { chartFigures } from "./chart.ts";
import { decodingFigures } from "./decoding.ts";
import { heapFigures } from "./heap.ts";
import { historyFigures } from "./history.ts";
import { listingFigures } from "./listing.ts";
import type { Figure } from "./measure.ts";
import { placingFigures, practiceFigures } from "./placing.ts";
import { refreshFigures } from "./refresh.ts";
import { signingFigures } from "./signing.ts";
import { windowFigures } from "./windows.ts";

/** Prints every figure against a floor measured in the same run. Missing a target is said, and fails nothing. */

setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc") as NonNullable<typeof globalThis.gc>;

const HEADS = ["what", "measured", "floor", "result", "target", ""] as const;
const WIDTHS = [80, 10, 10, 10, 13, 6];

function line(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
    .join("  ")
    .trimEnd();
}

console.log(line(HEADS));
for (const measure of [
  bundleFigures,
  signingFigures,
  decodingFigures,
  refreshFigures,
  alertFigures,
  placingFigures,
  practiceFigures,
  listingFigures,
  heapFigures,
  historyFigures,
  chartFigures,
  windowFigures,
]) {
  const figures: Figure[] = await measure();
  for (const { what, measured, floor, result, target, met } of figures) {
    console.log(line([what, measured, floor, result, target, met ? "met" : "missed"]));
  }
}
