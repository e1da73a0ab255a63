import type { Figure } from "./measure.ts";

/** Runs agree if the largest result is at most this many times the smallest. */
const AGREED_RATIO = 1.15;

/** One row over several runs. */
export interface RowOfRuns {
  readonly name: string;
  /** Each with the ratio to its floor, if the runs are compared by the ratio. */
  readonly results: readonly string[];
  readonly target: string;
  /** The number of runs that met the target. */
  readonly met: number;
  /** Largest result divided by smallest; undefined without a ratio, for example for counts of zero. */
  readonly spread: number | undefined;
  /** Whether all runs agree within 15 %, or have exactly the same figure. */
  readonly agree: boolean;
}

/** Each figure of several runs side by side, in the order of the first run. */
export function compareRuns(runs: readonly (readonly Figure[])[]): RowOfRuns[] {
  const [first = []] = runs;
  return first.map(({ name, target }) => {
    const figures = runs.flatMap((run) => run.filter((figure) => figure.name === name));
    const values = figures.map(({ value, ratio }) => ratio ?? value);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const spread = least > 0 ? most / least : undefined;
    return {
      name,
      results: figures.map(({ result, ratio }) =>
        ratio === undefined ? result : `${result}, ${ratio.toFixed(2)} ×`,
      ),
      target,
      met: figures.filter(({ met }) => met).length,
      spread,
      agree: least === most || (spread !== undefined && spread <= AGREED_RATIO),
    };
  });
}
