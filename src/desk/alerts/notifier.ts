import type { Alert } from "../../market/alertRule.ts";
import type { AlertFiles } from "../../storage/alertFiles.ts";
import type { Timers } from "../time/timers.ts";

export interface AlertNotifierOptions {
  /** The alerts and the claims to announce them, shared by all windows of this computer. */
  readonly store: Pick<AlertFiles, keyof AlertFiles>;
  readonly timers: Timers;
  /** Whether this window is in front. It announces an alert before the others do. */
  readonly isInFront: () => boolean;
  /** Shows a fired alert to the user. Throws if that failed. */
  readonly announce: (alert: Alert) => void;
  /** Called with errors of reading and writing. */
  readonly onError: (error: unknown) => void;
}

/** How long other windows leave the announcement to the window in front. */
const LEAD_MS = 1000;

/**
 * Announces recorded firings, each at least once on this computer, even if windows die at any moment. A window claims
 * the announcement, shows it, and records that. Every window that knows of the firing checks until that record exists,
 * and takes over an expired claim. An alert is announced twice only if a window died between showing and recording it.
 */
export class AlertNotifier {
  readonly #options: AlertNotifierOptions;
  /** Functions that cancel pending attempts, by firing. */
  readonly #inProgress = new Map<string, () => void>();
  /** Firings that this window announced, whether recorded or not. */
  readonly #announced = new Set<string>();

  constructor(options: AlertNotifierOptions) {
    this.#options = options;
  }

  /** Starts announcing the newest firing of an alert, unless that is done or in progress. */
  begin(alert: Alert): void {
    if (this.isInProgress(alert) || this.isAnnounced(alert)) return;
    if (this.#options.isInFront()) this.#attempt(alert);
    else this.#attemptIn(LEAD_MS, alert);
  }

  /** Announces a firing that could not be recorded, once in this window. Another window may announce it too. */
  announceUnrecorded(alert: Alert): void {
    if (!this.#announced.has(keyOf(alert))) this.#announce(alert);
  }

  /** Whether this window is waiting to announce the newest firing, or for another window to do so. */
  isInProgress(alert: Alert): boolean {
    return this.#inProgress.has(keyOf(alert));
  }

  /** Whether the newest firing was announced. */
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
    // The alert was removed, changed or seen in the meantime.
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
