import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import { replaceFile } from "../replaceFile.ts";

/** A part of `npm test`, by its name and its test files. */
interface Unit {
  readonly stage: string;
  readonly name: string;
  readonly files: readonly string[];
}

/** How many seconds each unit and the tests of each file took when they ran last, by name. */
export type Seconds = Readonly<Record<string, number>>;

const FILE = join(toolsFolder, "test-seconds.json");

/** Seconds of a test file that has not run yet, roughly. A unit without files takes ten. */
const USUAL: Readonly<Record<string, number>> = { unit: 0.3, safety: 5, journeys: 60 };

/** How many of the slowest files are listed. */
const LISTED = 30;

/** The seconds on record: none before the first run. */
export function readSeconds(): Seconds {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Seconds;
  } catch {
    return {};
  }
}

/** Records units and files that have ended, at once, so that a run that is interrupted counts too. */
export function recordSeconds(seconds: Seconds): void {
  replaceFile(FILE, `${JSON.stringify({ ...readSeconds(), ...seconds }, undefined, 1)}\n`);
}

/** How long a unit took when it ran last, else its files, else what files of its stage usually take. */
export function secondsOf({ stage, name, files }: Unit, seconds: Seconds): number {
  const usual = USUAL[stage] ?? 10;
  const ofFiles = files.reduce((sum, file) => sum + (seconds[file] ?? usual), 0);
  return seconds[name] ?? (files.length === 0 ? usual : ofFiles);
}

/** Shows how long units took when they ran last, by stage, and their slowest files. "?" marks an estimate. */
export function secondsText(units: readonly Unit[], seconds: Seconds): string {
  const row = (value: number, name: string, mark = " "): string =>
    `${value.toFixed(1).padStart(8)}${mark} ${name}`;
  const sum = (own: readonly Unit[]): number => own.reduce((all, unit) => all + secondsOf(unit, seconds), 0);
  const files = new Set(units.flatMap((unit) => unit.files).filter((file) => file in seconds));
  const slowest = [...files].toSorted((one, other) => (seconds[other] ?? 0) - (seconds[one] ?? 0));
  return [
    "Seconds of the last run, in which several units ran at once:\n",
    ...[...Map.groupBy(units, ({ stage }) => stage)].map(([stage, own]) => row(sum(own), stage)),
    "\nUnits, in the order in which they start:\n",
    ...units.map((unit) => row(secondsOf(unit, seconds), unit.name, unit.name in seconds ? " " : "?")),
    "\nSlowest test files:\n",
    ...slowest.slice(0, LISTED).map((file) => row(seconds[file] ?? 0, file)),
  ].join("\n");
}
