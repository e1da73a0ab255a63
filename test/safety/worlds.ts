import type { Plan } from "../world/plan.ts";
import { type Result, run } from "../world/run.ts";

/** As many events before a violation are printed. */
const LAST_EVENTS = 40;

/** Simulated worlds in which no check may fail (`test/world/`), and how often they reached each situation. */
export class Worlds {
  readonly #reached = new Map<string, number>();

  async run(plan: Plan): Promise<Result> {
    const result = await run(plan);
    const { violations, history } = result;
    if (violations.length > 0)
      throw new Error(`${JSON.stringify(violations)} after:\n${history.slice(-LAST_EVENTS).join("\n")}`);
    for (const [name, times] of result.situations)
      this.#reached.set(name, (this.#reached.get(name) ?? 0) + times);
    return result;
  }

  /** How often all worlds reached these situations together. */
  count(...situations: readonly string[]): number {
    return situations.reduce((sum, name) => sum + (this.#reached.get(name) ?? 0), 0);
  }
}

/** A rate between these bounds. */
export function between(random: () => number, least: number, most: number): number {
  return least + random() * (most - least);
}
