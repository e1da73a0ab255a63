type Kind = "alone" | "heavy" | "light" | "waiting";

/** A task with printed output that runs beside others. */
export interface Unit<Result> {
  /** The group of the unit: units may wait for all units of another group. */
  readonly group: string;
  readonly name: string;
  /** A group whose units end before this one begins. */
  readonly after?: string | undefined;
  /**
   * The main work: a process for each core, an editor and a browser that keep the cores busy, tests that do, or waiting for
   * real time to pass.
   */
  readonly kind: Kind;
  run(): Promise<Result>;
}

/**
 * Runs units in three lanes, in their order: one takes the heavy units first, one the light ones, and each takes the other's when
 * none of its own is left; two heavy units at once would slow each other down. The third lane takes waiting units, and light units
 * afterwards: an editor and a light unit wait often enough that two lanes leave a tenth of two cores idle. Units that need all
 * cores alone run before the lanes begin, whatever they would wait for.
 * `ended` gets each result, one at a time. Rejects with the first error of a unit.
 */
export async function runInLanes<Result>(
  units: readonly Unit<Result>[],
  ended: (unit: Unit<Result>, result: Result) => void,
): Promise<void> {
  const waiting = [...units];
  const open = new Set(units);
  let wake = (): void => undefined;
  let woken = new Promise<void>((resolve) => (wake = resolve));

  function isOpen(group: string | undefined): boolean {
    return [...open].some((unit) => unit.group === group);
  }

  async function take(unit: Unit<Result>): Promise<void> {
    waiting.splice(waiting.indexOf(unit), 1);
    const result = await unit.run();
    open.delete(unit);
    ended(unit, result);
  }

  /** Takes units of these kinds, the first kind first. */
  async function lane(...kinds: readonly Kind[]): Promise<void> {
    for (;;) {
      const left = waiting.filter(({ kind }) => kinds.includes(kind));
      if (left.length === 0) return;
      const ready = left.filter(({ after }) => !isOpen(after));
      const unit = ready.find(({ kind }) => kind === kinds[0]) ?? ready[0];
      if (!unit) {
        await woken;
        continue;
      }
      await take(unit);
      wake();
      woken = new Promise((resolve) => (wake = resolve));
    }
  }

  for (const unit of units) if (unit.kind === "alone") await take(unit);
  await Promise.all([lane("heavy", "light"), lane("light", "heavy"), lane("waiting", "light")]);
}
