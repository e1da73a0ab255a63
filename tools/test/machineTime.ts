import { readFileSync } from "node:fs";

/** Ticks since the machine started: of one core, and of all cores the work and the time that the host gave to others. */
interface Ticks {
  readonly perCore: number;
  readonly worked: number;
  readonly stolen: number;
}

/** Reads /proc/stat (proc(5)); undefined on a system without one. */
export function parseTicks(stat: string): Ticks | undefined {
  const [user, nice, system, idle, waiting, irq, softirq, stolen] = (/^cpu +(.+)$/m.exec(stat)?.[1] ?? "")
    .split(" ")
    .map(Number);
  if (stolen === undefined) return undefined;
  const worked = sumOf([user, nice, system, irq, softirq]);
  const cores = stat.match(/^cpu\d/gm)?.length ?? 1;
  return { perCore: (worked + sumOf([idle, waiting, stolen])) / cores, worked, stolen };
}

/**
 * The part of a time, 0 to 1, that the host left to a program that waits for one core at a time. Of two bounds the
 * greater holds. With busy cores, the host takes from each core alike; and it takes from one program at most the
 * stolen sum, because an idle machine shows stolen ticks and no work.
 */
export function givenShare(before: Ticks | undefined, after: Ticks | undefined): number {
  if (!before || !after) return 1;
  const [worked, stolen] = [after.worked - before.worked, after.stolen - before.stolen];
  if (stolen <= 0) return 1;
  return Math.max(worked / (worked + stolen), 1 - stolen / (after.perCore - before.perCore));
}

function sumOf(ticks: readonly (number | undefined)[]): number {
  return ticks.reduce((sum: number, each = 0) => sum + each, 0);
}

/**
 * Time that the machine really had, in ms, for the limits of tests: a virtual machine whose host takes half of its cores
 * is not a product that hangs. The time runs as fast as the wall clock if the host takes nothing.
 */
export class MachineTime {
  #ms = 0;
  #wall = performance.now();
  #ticks = ticksNow();

  /** Time since the beginning, in ms. */
  get ms(): number {
    const [wall, ticks] = [performance.now(), ticksNow()];
    this.#ms += (wall - this.#wall) * givenShare(this.#ticks, ticks);
    [this.#wall, this.#ticks] = [wall, ticks];
    return this.#ms;
  }
}

function ticksNow(): Ticks | undefined {
  try {
    return parseTicks(readFileSync("/proc/stat", "utf8"));
  } catch {
    return undefined;
  }
}
