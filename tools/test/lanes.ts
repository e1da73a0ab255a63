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
 * cores run first, whatever they would wait for, beside waiting units only.
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

  /** Whether a unit may begin, as far as the others are concerned. */
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

  /** Takes units of these kinds, the first kind first. */
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
