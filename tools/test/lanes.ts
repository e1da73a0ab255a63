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
 * Runs units in four lanes, in their order. Two take the heavy units: an editor waits often, so that two leave room for other work
 * on two cores; a third one would slow both down. One lane takes the light units, and one those that wait. A lane without units of
 * its own takes light ones, and the lane of the light ones takes waiting ones. Units that need all cores alone run before the lanes
 * begin, whatever they would wait for.
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
  await Promise.all([
    lane("heavy", "light"),
    lane("heavy", "light"),
    lane("light", "waiting"),
    lane("waiting", "light"),
  ]);
}
