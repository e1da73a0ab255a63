import { parseArgs } from "node:util";

/** The options of `npm run bench`. */
export interface BenchOptions {
  /** Names of the rows to measure, in the table's order. */
  readonly rows: readonly string[];
  /** How often to measure everything. */
  readonly runs: number;
  /** The number of runs with one core kept busy. These runs come last. */
  readonly busy: number;
}

/** An unknown or impossible option; its message is one sentence for the user. */
export class BenchOptionsError extends Error {
  override readonly name = "BenchOptionsError";
}

const MOST_RUNS = 100;

export function benchUsage(rows: readonly string[]): string {
  return `npm run bench -- [ROW ...] [--runs N] [--busy N]

Prints what Bidside costs, mostly against a floor that is measured in the same run. A target that is missed is said, and
fails nothing.

  ROW       measure these rows only: ${rows.join(", ")}
  --runs N  measure everything N times (1), and print the runs side by side with their spread: of the ratio to a floor where
            a result has one, because a slower computer slows down both
  --busy N  keep one core busy during the last N runs (0)
  --help    print this`;
}

/**
 * Reads the command line; `"help"` if help is requested. `rows` are the existing names. Throws BenchOptionsError for
 * unknown or wrong arguments.
 */
export function readBenchOptions(args: readonly string[], rows: readonly string[]): BenchOptions | "help" {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  const strange = positionals.filter((word) => !rows.includes(word));
  if (strange.length > 0)
    throw new BenchOptionsError(`There is no row "${strange.join(" ")}". Rows are ${rows.join(", ")}.`);
  const runs = readCount("--runs", values.runs ?? "1", 1);
  const busy = readCount("--busy", values.busy ?? "0", 0);
  if (busy > runs) throw new BenchOptionsError(`--busy is at most --runs, ${runs}, not ${busy}.`);
  return {
    rows: positionals.length === 0 ? rows : rows.filter((row) => positionals.includes(row)),
    runs,
    busy,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: "boolean" }, runs: { type: "string" }, busy: { type: "string" } },
    });
  } catch {
    throw new BenchOptionsError(`"${args.join(" ")}" is not understood; --help prints the options.`);
  }
}

function readCount(option: string, text: string, least: number): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : -1;
  if (count < least || count > MOST_RUNS)
    throw new BenchOptionsError(`${option} is a number from ${least} to ${MOST_RUNS}, not "${text}".`);
  return count;
}
