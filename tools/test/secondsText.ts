import type { Seconds } from "./seconds.ts";
import { secondsOf, type Unit } from "./units.ts";

/** How many of the slowest files are listed. */
const FILES = 30;

/** Shows how long units took when they ran last, by stage, and the slowest of their files. "?" marks an estimate. */
export function secondsText(units: readonly Unit[], seconds: Seconds): string {
  const row = (value: number, name: string, isKnown = true): string =>
    `${value.toFixed(1).padStart(8)}${isKnown ? " " : "?"} ${name}`;
  const lines = ["Seconds of the last run, as processor time is shared between units:", ""];
  for (const [stage, own] of Map.groupBy(units, (unit) => unit.stage)) {
    lines.push(
      row(
        own.reduce((sum, unit) => sum + secondsOf(unit, seconds), 0),
        stage,
      ),
    );
  }
  lines.push("", "Units, in the order in which they start:", "");
  for (const unit of units) lines.push(row(secondsOf(unit, seconds), unit.name, unit.name in seconds.units));
  const files = units
    .flatMap((unit) => unit.files)
    .flatMap((file) => (file in seconds.files ? [[file, seconds.files[file] ?? 0] as const] : []))
    .toSorted(([, one], [, other]) => other - one);
  lines.push("", "Slowest test files, without their start:", "");
  for (const [file, took] of files.slice(0, FILES)) lines.push(row(took, file));
  return lines.join("\n");
}
