import type { Alert } from "../../market/alertRule.ts";
import type { AlertFiles } from "../../storage/alertFiles.ts";
import type { Timers } from "../time/timers.ts";

export interface AlertNotifierOptions {
  /** The alerts, and the records of who tells the person of a firing, for all windows of this computer. */
  readonly store: Pick<AlertFiles, keyof AlertFiles>;
  readonly timers: Timers;
  /** Whether the person looks at this window. Such a window tells an alert before the others do. */
  readonly isInFront: () => boolean;
  /**
   * Shows a fired alert to the person. Returns when the person counts as told. Throws if the alert could not be
   * shown.
   */
  readonly announce: (alert: Alert) => void;
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
export class AlertNotifier {
  readonly #options: AlertNotifierOptions;
  /** By firing: the function that ends the wait for it. */
  readonly #inProgress = new Map<string, () => void>();
  /** Firings that this window told, recorded or not. */
  readonly #announced = new Set<string>();

  constructor(options: AlertNotifierOptions) {
    this.#options = options;
  }

  /** Has the newest firing of an alert told by this window or another one, unless that is done or in progress. */
  begin(alert: Alert): void {
    if (this.isInProgress(alert) || this.isAnnounced(alert)) return;
    if (this.#options.isInFront()) this.#attempt(alert);
    else this.#attemptIn(LEAD_MS, alert);
  }

  /** Tells a firing that could not be recorded, once in this window. Another window may tell it too. */
  announceUnrecorded(alert: Alert): void {
    if (!this.#announced.has(keyOf(alert))) this.#announce(alert);
  }

  /** Whether this window waits to tell the newest firing, or to learn that another window did. */
  isInProgress(alert: Alert): boolean {
    return this.#inProgress.has(keyOf(alert));
  }

  /** Whether the person was told of the newest firing. */
  isAnnounced(alert: Alert): boolean {
    return this.#announced.has(keyOf(alert)) || this.#options.store.isAnnounced(alert);
  }

  dispose(): void {
    for (const stop of this.#inProgress.values()) stop();
  }

  #attemptIn(ms: number, alert: Alert): void {
    const attempt = (): void => {
      this.#inProgress.delete(keyOf(alert));
      this.#attempt(alert);
    };
    this.#inProgress.set(keyOf(alert), this.#options.timers.after(ms, attempt));
  }

  #attempt(alert: Alert): void {
    const { store, timers, onError } = this.#options;
    const stored = store.read(alert.id);
    // The alert was removed, changed or seen by the person: there is nothing to tell.
    if (stored?.round !== alert.round || stored.fired?.isSeen !== false) return;
    let claim: ReturnType<AlertFiles["claimAnnouncement"]>;
    try {
      claim = store.claimAnnouncement(stored, timers.now);
    } catch (error) {
      onError(error);
      this.#announce(stored);
      return;
    }
    if (claim === "announced") return;
    if (claim !== "mine") return this.#attemptIn(claim, alert);
    if (!this.#announce(stored)) return;
    try {
      store.recordAnnounced(stored);
    } catch (error) {
      onError(error);
    }
  }

  #announce(alert: Alert): boolean {
    const { announce, onError } = this.#options;
    try {
      announce(alert);
    } catch (error) {
      onError(error);
      return false;
    }
    this.#announced.add(keyOf(alert));
    return true;
  }
}

function keyOf({ id, round }: Alert): string {
  return `${id} ${round}`;
}
