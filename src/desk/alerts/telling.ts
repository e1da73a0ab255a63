import type { Alert } from "../../market/alertRule.ts";
import type { AlertFiles } from "../../storage/alertFiles.ts";
import type { Timers } from "../time/timers.ts";

export interface TellingOptions {
  /** The alerts, and the records of who tells the person of a firing, for all windows of this computer. */
  readonly store: Pick<AlertFiles, keyof AlertFiles>;
  readonly timers: Timers;
  /** Whether the person looks at this window. Such a window tells an alert before the others do. */
  readonly isInFront: () => boolean;
  /**
   * Shows a fired alert to the person. Returns when the person counts as told. Throws if the alert could not be
   * shown.
   */
  readonly tell: (alert: Alert) => void;
  /** Called with errors of reading and writing. */
  readonly onError: (error: unknown) => void;
}

/** How long the other windows wait for the window in front to tell. */
const LEAD_MS = 1000;

/**
 * Tells the person of recorded firings: each at least once on this computer, even if any window dies at any moment. A
 * window claims the telling, tells, and records it. Each window that knows of the firing asks again until that record
 * exists, and takes over a claim that is too old. An alert is told twice only if a window died after it told and
 * before it recorded.
 */
export class Telling {
  readonly #options: TellingOptions;
  /** By firing: the function that ends the wait for it. */
  readonly #underWay = new Map<string, () => void>();
  /** Firings that this window told, recorded or not. */
  readonly #told = new Set<string>();

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  /** Has the newest firing of an alert told by this window or another one, unless that is done or in progress. */
  begin(alert: Alert): void {
    if (this.isUnderWay(alert) || this.isDone(alert)) return;
    if (this.#options.isInFront()) this.#attempt(alert);
    else this.#attemptIn(LEAD_MS, alert);
  }

  /** Tells a firing that could not be recorded, once in this window. Another window may tell it too. */
  tellUnrecorded(alert: Alert): void {
    if (!this.#told.has(keyOf(alert))) this.#tell(alert);
  }

  /** Whether this window waits to tell the newest firing, or to learn that another window did. */
  isUnderWay(alert: Alert): boolean {
    return this.#underWay.has(keyOf(alert));
  }

  /** Whether the person was told of the newest firing. */
  isDone(alert: Alert): boolean {
    return this.#told.has(keyOf(alert)) || this.#options.store.isAnnounced(alert);
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
    const { store, timers, onError } = this.#options;
    const kept = store.read(alert.id);
    // The alert was removed, changed or seen by the person: there is nothing to tell.
    if (kept?.round !== alert.round || kept.fired?.isSeen !== false) return;
    let claim: ReturnType<AlertFiles["claimAnnouncement"]>;
    try {
      claim = store.claimAnnouncement(kept, timers.now);
    } catch (error) {
      onError(error);
      this.#tell(kept);
      return;
    }
    if (claim === "announced") return;
    if (claim !== "mine") return this.#attemptIn(claim, alert);
    if (!this.#tell(kept)) return;
    try {
      store.recordAnnounced(kept);
    } catch (error) {
      onError(error);
    }
  }

  #tell(alert: Alert): boolean {
    const { tell, onError } = this.#options;
    try {
      tell(alert);
    } catch (error) {
      onError(error);
      return false;
    }
    this.#told.add(keyOf(alert));
    return true;
  }
}

function keyOf({ id, round }: Alert): string {
  return `${id} ${round}`;
}
