import type { Alert } from "../market/alert.ts";
import type { Timers } from "./timers.ts";

/** What is kept of who tells the person of a firing, for all windows of this machine. */
export interface ToldStore {
  /** One as it is kept now; undefined where it is gone. */
  read(id: string): Alert | undefined;
  /** Whether the person was told of the newest firing. */
  isTold(alert: Alert): boolean;
  /** "mine": this window is to tell at once; "told": it was done; else in how many ms to ask again. */
  claimTelling(alert: Alert, now: () => number): "mine" | "told" | number;
  recordTold(alert: Alert): void;
}

export interface TellingOptions {
  readonly store: ToldStore;
  readonly timers: Timers;
  readonly isInFront: () => boolean;
  readonly tell: (alert: Alert) => void;
  readonly trouble: (error: unknown) => void;
}

/** How long the other windows leave the telling to the one in front. */
const LEAD_MS = 1000;

/**
 * Tells the person of recorded firings: each at least once on this machine, whichever window dies at whatever moment. A
 * window claims the telling, tells, and records that it did. Whoever knows of the firing asks again until that record
 * is there, and takes a claim over that grew old. Told twice is only what was told by a window that died before its record.
 */
export class Telling {
  readonly #options: TellingOptions;
  /** By firing: how to end the wait for it. */
  readonly #underWay = new Map<string, () => void>();
  /** Firings that this window told, recorded or not. */
  readonly #told = new Set<string>();

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** Has the newest firing of an alert told by this window or another, unless that is done or under way. */
  begin(alert: Alert): void {
    if (this.isUnderWay(alert) || this.isDone(alert)) return;
    if (this.#options.isInFront()) this.#attempt(alert);
    else this.#attemptIn(LEAD_MS, alert);
  }

  /** Tells of a firing that could not be recorded, once in this window; another window may tell of it too. */
  tellUnrecorded(alert: Alert): void {
    if (!this.#told.has(keyOf(alert))) this.#tell(alert);
  }

  /** Whether this window waits to tell of the newest firing, or to learn that another did. */
  isUnderWay(alert: Alert): boolean {
    return this.#underWay.has(keyOf(alert));
  }

  /** Whether the person was told of the newest firing. */
  isDone(alert: Alert): boolean {
    return this.#told.has(keyOf(alert)) || this.#options.store.isTold(alert);
  }

  dispose(): void {
    for (const stop of this.#underWay.values()) stop();
  }

  #attemptIn(ms: number, alert: Alert): void {
    const attempt = (): void => {
      this.#underWay.delete(keyOf(alert));
      this.#attempt(alert);
    };
    this.#underWay.set(keyOf(alert), this.#options.timers.after(ms, attempt));
  }

  #attempt(alert: Alert): void {
    const { store, timers, trouble } = this.#options;
    const kept = store.read(alert.id);
    // Removed, changed or looked at by the person since: there is nothing more to tell.
    if (kept?.round !== alert.round || kept.fired?.isSeen !== false) return;
    let claim: ReturnType<ToldStore["claimTelling"]>;
    try {
      claim = store.claimTelling(kept, timers.now);
    } catch (error) {
      trouble(error);
      this.#tell(kept);
      return;
    }
    if (claim === "told") return;
    if (claim !== "mine") return this.#attemptIn(claim, alert);
    if (!this.#tell(kept)) return;
    try {
      store.recordTold(kept);
    } catch (error) {
      trouble(error);
    }
  }

  #tell(alert: Alert): boolean {
    const { tell, trouble } = this.#options;
    try {
      tell(alert);
    } catch (error) {
      trouble(error);
      return false;
    }
    this.#told.add(keyOf(alert));
    return true;
  }
}

function keyOf({ id, round }: Alert): string {
  return `${id} ${round}`;
}
