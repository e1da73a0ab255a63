type Kind = "alone" | "heavy" | "light" | "waiting";

/** A task that runs beside others and prints its output. */
export interface Unit<Result> {
  /** A unit may wait for all units of another group. */
  readonly group: string;
  readonly name: string;
  /** The group whose units must end before this one begins. */
  readonly after?: string | undefined;
  /**
   * What it mainly does. `alone`: runs a process per core. `heavy`: runs an editor and a browser, which keep the cores
   * busy. `waiting`: waits for real time to pass. `light`: anything else.
   */
  readonly kind: Kind;
  run(): Promise<Result>;
}

/**
 * Runs units in three lanes, in the given order. One lane prefers heavy units and one prefers light units, because two
 * heavy units at once slow each other down; each takes the other's once its own have run out. The third lane takes
 * waiting units, then light ones, because editors and light units wait so often that two lanes leave a tenth of two
 * cores idle. Units that need all cores run first, whatever they would wait for, beside waiting units only. `ended`
 * receives each result, one at a time. Rejects with the first error of a unit.
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

  /** Whether no other unit keeps this one from starting. */
  function isReady({ kind, after }: Unit<Result>): boolean {
    const isFree = kind === "waiting" || ![...open].some((unit) => unit.kind === "alone");
    return isFree && !isOpen(after);
  }

  async function take(unit: Unit<Result>): Promise<void> {
    waiting.splice(waiting.indexOf(unit), 1);
    const result = await unit.run();
    open.delete(unit);
    ended(unit, result);
    wake();
    woken = new Promise((resolve) => (wake = resolve));
  }

  async function runAlone(): Promise<void> {
    for (const unit of units) if (unit.kind === "alone") await take(unit);
  }

  /** Runs units of these kinds, preferring the first kind. */
  async function lane(...kinds: readonly Kind[]): Promise<void> {
    for (;;) {
      const left = waiting.filter(({ kind }) => kinds.includes(kind));
      if (left.length === 0) return;
      const ready = left.filter(isReady);
      const unit = ready.find(({ kind }) => kind === kinds[0]) ?? ready[0];
      if (!unit) {
        await woken;
        continue;
      }
      await take(unit);
    }
  }

  await Promise.all([runAlone(), lane("heavy", "light"), lane("light", "heavy"), lane("waiting", "light")]);
}
