import { readFileSync } from "node:fs";

/** Ticks of all cores since the machine started: those it worked, and those it wanted to work but its host gave to others. */
interface Ticks {
  readonly worked: number;
  readonly stolen: number;
}

/** Reads the first line of /proc/stat (proc(5)); undefined on a system without one. */
export function parseTicks(stat: string): Ticks | undefined {
  const [user, nice, system, , , irq, softirq, stolen] = (/^cpu +(.+)$/m.exec(stat)?.[1] ?? "")
    .split(" ")
    .map(Number);
  const worked = [user, nice, system, irq, softirq];
  return stolen === undefined
    ? undefined
    : { worked: worked.reduce((sum: number, each = 0) => sum + each, 0), stolen };
}

/** The part of a time in which the machine got what it wanted of its cores, 0 to 1. */
export function givenShare(before: Ticks | undefined, after: Ticks | undefined): number {
  if (!before || !after) return 1;
  const [worked, stolen] = [after.worked - before.worked, after.stolen - before.stolen];
  return worked + stolen <= 0 ? 1 : worked / (worked + stolen);
}

/**
 * Time that the machine really had, in ms. It stands for limits of tests: a virtual machine whose host takes half of its cores
 * away is not a product that hangs. It runs as fast as the wall clock where the host takes nothing.
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
