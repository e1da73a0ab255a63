/** Something to run that prints, beside others. */
export interface Unit<Result> {
  /** What it belongs to: units may wait for all of another group. */
  readonly group: string;
  readonly name: string;
  /** A group whose units end before this one begins. */
  readonly after?: string | undefined;
  /** It is most of all the first lane's: of those, two at once would get in each other's way. */
  readonly isHeavy: boolean;
  run(): Promise<Result>;
}

/**
 * Runs units in two lanes, in their order. The first lane takes the heavy ones first, the second one the others, and each
 * takes from the other's when it has none of its own. `ended` is told of each result, one at a time. Rejects with the first
 * error of a unit.
 */
export async function runInLanes<Result>(
  units: readonly Unit<Result>[],
  ended: (unit: Unit<Result>, result: Result) => void,
): Promise<void> {
  const waiting = [...units];
  const open = new Set(units);
  let wake = (): void => undefined;
  let woken = new Promise<void>((resolve) => (wake = resolve));

  function take(takesHeavy: boolean): Unit<Result> | undefined {
    const ready = waiting.filter(({ after }) => !isOpen(after));
    const next = ready.find(({ isHeavy }) => isHeavy === takesHeavy) ?? ready[0];
    if (next) waiting.splice(waiting.indexOf(next), 1);
    return next;
  }

  function isOpen(group: string | undefined): boolean {
    return [...open].some((unit) => unit.group === group);
  }

  async function lane(takesHeavy: boolean): Promise<void> {
    while (waiting.length > 0) {
      const unit = take(takesHeavy);
      if (!unit) {
        await woken;
        continue;
      }
      const result = await unit.run();
      open.delete(unit);
      ended(unit, result);
      wake();
      woken = new Promise((resolve) => (wake = resolve));
    }
  }

  await Promise.all([lane(true), lane(false)]);
}
