import { setImmediate } from "node:timers/promises";
import type { Desk } from "../../desk/desk.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { type DailyValue, dailyValues } from "../../market/holdings/dailyValues.ts";
import { snapshotIn, type ValueSnapshot } from "../../market/holdings/valueSnapshot.ts";
import { startOfDay } from "../../time/localDay.ts";

const HOUR_MS = 3_600_000;
/** Days that are added up at once: a few ms. */
const DAYS_AT_ONCE = 15;

/** The recorded values of a range in one asset, by time, and their days. */
interface Recorded {
  readonly snapshots: readonly ValueSnapshot[];
  readonly days: readonly DailyValue[];
  readonly leftOut: LeftOutValues | undefined;
}

/** Values that were recorded in other assets, and have no price in the shown one. */
export interface LeftOutValues {
  readonly quotes: readonly string[];
  /** Time of the last one, ms. */
  readonly until: number;
}

/**
 * The recorded values that the Portfolio page shows. They are read and added up in parts, with pauses in between:
 * a year at once would block every extension of the window for half a second.
 */
export class RecordedValues {
  readonly #desk: Desk;
  readonly #onRead: () => void;
  /** Counts the changes of what is recorded. */
  #version = 0;
  #known: (Recorded & { readonly range: string; readonly key: string }) | undefined;
  /** Of the running read, whose result is ignored once it is another one's. */
  #reading: string | undefined;

  /** `onRead` is called when newer values can be shown. */
  constructor(desk: Desk, onRead: () => void) {
    this.#desk = desk;
    this.#onRead = onRead;
  }

  /** Call when a value was recorded, or the account changed: a running read might mix two accounts. */
  outdate(): void {
    this.#version += 1;
    this.#reading = undefined;
  }

  dispose(): void {
    this.#reading = undefined;
  }

  /** The values from `from` (ms) on in `quote`, as last read; undefined until they are. Reads them again if they changed. */
  get(from: number, quote: string): Recorded | undefined {
    const { values, venue } = this.#desk;
    const range = `${venue.account.id} ${from} ${quote}`;
    // Fills may arrive later.
    const key = `${range} ${this.#version} ${values.trades(from).length}`;
    if (this.#known?.key !== key && this.#reading !== key) void this.#read({ from, quote, range, key });
    return this.#known?.range === range ? this.#known : undefined;
  }

  async #read({
    from,
    quote,
    range,
    key,
  }: Record<"quote" | "range" | "key", string> & { readonly from: number }): Promise<void> {
    const { values, log } = this.#desk;
    this.#reading = key;
    // The caller is about to show what is known.
    await setImmediate();
    if (this.#reading !== key) return;
    const hours = new Map<
      number,
      { readonly recorded: ValueSnapshot; readonly shown: ValueSnapshot | undefined }
    >();
    try {
      for (const part of values.parts(from)) {
        for (const recorded of part) {
          const hour = Math.floor(recorded.at / HOUR_MS);
          // An hour may have been recorded in two assets.
          if (!hours.has(hour) || recorded.quote === quote)
            hours.set(hour, { recorded, shown: snapshotIn(recorded, quote) });
        }
        await setImmediate();
        if (this.#reading !== key) return;
      }
    } catch (error) {
      log.error(`Recorded values: ${errorLine(error)}`);
    }
    const all = [...hours.values()].sort((one, other) => one.recorded.at - other.recorded.at);
    const snapshots = all.flatMap(({ shown }) => shown ?? []);
    const others = all.flatMap(({ recorded, shown }) => (shown ? [] : recorded));
    const until = others.at(-1)?.at;
    const leftOut =
      until === undefined ? undefined : { quotes: [...new Set(others.map((each) => each.quote))], until };
    const days: DailyValue[] = [];
    for (const day of dailyValues(snapshots, values.trades(snapshots[0]?.at ?? from), startOfDay)) {
      days.push(day);
      if (days.length % DAYS_AT_ONCE === 0) await setImmediate();
      if (this.#reading !== key) return;
    }
    this.#reading = undefined;
    this.#known = { range, key, snapshots, days, leftOut };
    this.#onRead();
  }
}
