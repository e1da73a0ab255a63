/** One line of the table: the measured figure, its floor and its target. */
export interface Figure {
  /** A short name, the same in every run. */
  readonly name: string;
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  /** The figure that is compared with the target, with its unit. */
  readonly result: string;
  /** The same as a number, to compare runs. */
  readonly value: number;
  readonly target: string;
  readonly met: boolean;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
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
  { rounds, times, pauseMs }: Size,
): Promise<Comparison> {
  const pause = async (): Promise<void> => {
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

/** The same for tasks that are too short to be awaited one by one. */
export function againstSync(ours: Task, floor: Task, { rounds, times }: Size): Comparison {
  const run = (task: Task): number => {
    const start = performance.now();
    for (let turn = 0; turn < times; turn += 1) task();
    return (performance.now() - start) / times;
  };
  for (let warm = 0; warm < 3; warm += 1) {
    run(ours);
    run(floor);
  }
  return compare(Array.from({ length: rounds }, () => [run(ours), run(floor)]));
}

function compare(pairs: readonly [number, number][]): Comparison {
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
  name: string,
  what: string,
  { ms, floor, most }: { readonly ms: number; readonly floor?: number; readonly most: number },
): Figure {
  return {
    name,
    what,
    measured: duration(ms),
    floor: floor === undefined ? "–" : duration(floor),
    result: duration(ms),
    value: ms,
    target: `≤ ${most} ms`,
    met: ms <= most,
  };
}

/** A figure that is a ratio to its floor. */
export function ratioFigure(
  name: string,
  what: string,
  { ours, floor, ratio }: Comparison,
  most: number,
): Figure {
  return {
    name,
    what,
    measured: duration(ours),
    floor: duration(floor),
    result: `${ratio.toFixed(2)} ×`,
    value: ratio,
    target: `≤ ${most} ×`,
    met: ratio <= most,
  };
}
