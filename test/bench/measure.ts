/** One line of the table: the measured figure, its floor and its target. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  /** The figure that is compared with the target, with its unit. */
  readonly result: string;
  readonly target: string;
  readonly met: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The mean of the middle half: for values in steps, such as frames of a page, whose median jumps by a step. */
export function middleMean(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const quarter = Math.floor(sorted.length / 4);
  const middle = sorted.slice(quarter, sorted.length - quarter);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

/** How many values a part has. */
export const PART = 100;

/**
 * The p99 of each whole part of the values, and of these the median: in a p99 of all values, a single moment of the computer may
 * decide.
 */
export function p99OfParts(values: readonly number[]): number {
  const parts = Array.from({ length: Math.floor(values.length / PART) }, (_, part) =>
    values.slice(part * PART, (part + 1) * PART),
  );
  return median(parts.map((part) => percentile(part, 0.99)));
}

type Task = () => unknown;

/** A timed task, and the preparation before it, which is not timed: a person's reading gives time for it. */
interface Staged<T> {
  readonly before: () => Promise<T>;
  readonly run: (before: T) => unknown;
}

/** Median ms of a run of each, and the median of the rounds' ratios. */
interface Comparison {
  readonly ours: number;
  readonly floor: number;
  readonly ratio: number;
}

interface Size {
  readonly rounds: number;
  /** Runs a round. */
  readonly times: number;
  /** Idle ms before each round: for tasks that keep the computer busy after their answer. */
  readonly pauseMs?: number;
  /** Collects garbage before each round: for tasks in a large heap, where now and then a run pays for what many have left. */
  readonly collects?: boolean;
}

/** Collects all garbage. Needs `--expose-gc`. */
export function collectGarbage(): void {
  if (!globalThis.gc) throw new Error("Run with --expose-gc.");
  globalThis.gc();
}

const timed = async (task: Task): Promise<number> => {
  const start = performance.now();
  await task();
  return performance.now() - start;
};

/**
 * Median ms of a run of ours and of the floor, measured in strict turn: both have the same conditions, and each finds
 * the caches as the other left them.
 */
export async function against<T>(
  ours: Task | Staged<T>,
  floor: Task,
  { rounds, times, pauseMs, collects = false }: Size,
): Promise<Comparison> {
  const pause = async (): Promise<void> => {
    if (collects) collectGarbage();
    if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  };
  const timeOf = async (task: Task | Staged<T>): Promise<number> => {
    await pause();
    let ms = 0;
    for (let run = 0; run < times; run += 1) {
      if (typeof task === "function") ms += await timed(task);
      else {
        const before = await task.before();
        ms += await timed(() => task.run(before));
      }
    }
    return ms / times;
  };
  const pairs: [number, number][] = [];
  for (let round = -Math.ceil(rounds / 5); round < rounds; round += 1) {
    const pair: [number, number] = [await timeOf(ours), await timeOf(floor)];
    if (round >= 0) pairs.push(pair);
  }
  return compare(pairs);
}

/** Of durations of ours and of the floor, in ms, measured in turn. */
export function compare(pairs: readonly [number, number][]): Comparison {
  return {
    ours: median(pairs.map(([first]) => first)),
    floor: median(pairs.map(([, second]) => second)),
    ratio: median(pairs.map(([first, second]) => first / second)),
  };
}

/** A duration in the most readable unit. */
export function duration(ms: number): string {
  if (ms < 0.1) return `${(ms * 1000).toFixed(2)} µs`;
  return ms < 10 ? `${ms.toFixed(2)} ms` : `${ms.toFixed(0)} ms`;
}

/** A figure that is a duration. */
export function durationFigure(
  what: string,
  { ms, floor, most }: { readonly ms: number; readonly floor?: number; readonly most: number },
): Figure {
  return {
    what,
    measured: duration(ms),
    floor: floor === undefined ? "–" : duration(floor),
    result: duration(ms),
    target: `≤ ${most} ms`,
    met: ms <= most,
  };
}

/** A figure that is a ratio to its floor. */
export function ratioFigure(what: string, { ours, floor, ratio }: Comparison, most: number): Figure {
  return {
    what,
    measured: duration(ours),
    floor: duration(floor),
    result: `${ratio.toFixed(2)} ×`,
    target: `≤ ${most} ×`,
    met: ratio <= most,
  };
}
