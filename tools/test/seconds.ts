import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toolsFolder } from "../paths.ts";
import { replaceFile } from "../replaceFile.ts";

/** How many seconds each unit and the tests of each file took when they ran last, by name. */
export interface Seconds {
  readonly units: Readonly<Record<string, number>>;
  readonly files: Readonly<Record<string, number>>;
}

const usualFile = join(toolsFolder, "test-seconds.json");

/** The seconds on record: none before the first run. */
export function readSeconds(file = usualFile): Seconds {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Seconds;
  } catch {
    return { units: {}, files: {} };
  }
}

/** Records a unit that has ended, at once, so that a run that is interrupted counts too. */
export function recordSeconds(
  unit: string,
  seconds: number,
  files: Readonly<Record<string, number>>,
  file = usualFile,
): void {
  const before = readSeconds(file);
  const after: Seconds = {
    units: { ...before.units, [unit]: seconds },
    files: { ...before.files, ...files },
  };
  replaceFile(file, `${JSON.stringify(after, undefined, 1)}\n`);
}
