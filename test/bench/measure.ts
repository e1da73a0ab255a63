/** One line of the table: what was measured against what, and what was hoped for. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  /** The figure held against the target, with its unit. */
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

type Task = () => unknown;

/** ms for `times` runs of a task, one after the other. */
async function timeOf(task: Task, times: number): Promise<number> {
  const start = performance.now();
  for (let run = 0; run < times; run += 1) await task();
  return performance.now() - start;
}

/** Median ms a run of ours and of the floor, measured in turn so that both meet the same machine. */
export async function against(
  ours: Task,
  floor: Task,
  { rounds, times }: { rounds: number; times: number },
): Promise<{ ours: number; floor: number; ratio: number }> {
  await timeOf(ours, times);
  await timeOf(floor, times);
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([(await timeOf(ours, times)) / times, (await timeOf(floor, times)) / times]);
  }
  return {
    ours: median(pairs.map(([first]) => first)),
    floor: median(pairs.map(([, second]) => second)),
    ratio: median(pairs.map(([first, second]) => first / second)),
  };
}

/** The same for tasks too short to be awaited one by one. */
export function againstSync(
  ours: Task,
  floor: Task,
  { rounds, times }: { rounds: number; times: number },
): { ours: number; floor: number; ratio: number } {
  const run = (task: Task): number => {
    const start = performance.now();
    for (let turn = 0; turn < times; turn += 1) task();
    return (performance.now() - start) / times;
  };
  for (let warm = 0; warm < 3; warm += 1) {
    run(ours);
    run(floor);
  }
  const pairs = Array.from({ length: rounds }, () => [run(ours), run(floor)] as const);
  return {
    ours: median(pairs.map(([first]) => first)),
    floor: median(pairs.map(([, second]) => second)),
    ratio: median(pairs.map(([first, second]) => first / second)),
  };
}

/** A duration in the unit that reads best. */
export function duration(ms: number): string {
  if (ms < 0.1) return `${(ms * 1000).toFixed(2)} µs`;
  return ms < 10 ? `${ms.toFixed(2)} ms` : `${ms.toFixed(0)} ms`;
}

/** A figure that is a ratio to its floor. */
export function ratioFigure(
  what: string,
  { ours, floor, ratio }: { ours: number; floor: number; ratio: number },
  most: number,
): Figure {
  return {
    what,
    measured: duration(ours),
    floor: duration(floor),
    result: `${ratio.toFixed(2)} ×`,
    target: `≤ ${most} ×`,
    met: ratio <= most,
  };
}
