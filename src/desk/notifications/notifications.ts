import { type NotificationClaims, RETENTION_MS } from "../../storage/notificationClaims.ts";
import type { Timers } from "../time/timers.ts";
import type { Firing } from "./firing.ts";

/** A way to notify the user. */
export interface Channel {
  /** Unique, and valid in a file name. A firing is delivered once per channel. */
  readonly name: string;
  /** Throws if the firing could not be delivered. */
  readonly deliver: (firing: Firing) => void;
}

interface NotificationsOptions {
  readonly channels: readonly Channel[];
  /** Shared by all windows of this computer. */
  readonly claims: NotificationClaims;
  readonly timers: Timers;
  /** Whether this window is in front. */
  readonly isInFront: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** A notification in a window that is not in front is easily missed, so that window lets the others go first. */
const BACKGROUND_DELAY_MS = 1000;

/**
 * Hands each firing to each channel in one window of this computer. A window claims the delivery with a file, delivers,
 * and marks the file. Every window that knows of the firing waits for that mark, and takes over if it does not come: a
 * firing is lost only if no window survives, and is delivered twice only if a window died between delivery and mark.
 */
export class Notifications {
  readonly #options: NotificationsOptions;
  /** Deliveries begun in this window, with the function that cancels the next attempt. */
  readonly #begun = new Map<string, () => void>();

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  /** Delivers a firing, if there is one, unless it is old, or this or another window delivers it. */
  notify(firing: Firing | undefined): void {
    const { channels, timers, isInFront } = this.#options;
    if (!firing || timers.now() - firing.at > RETENTION_MS) return;
    for (const channel of channels) {
      if (this.#begun.has(nameOf(firing, channel))) continue;
      if (isInFront()) this.#attempt(firing, channel);
      else this.#attemptIn(BACKGROUND_DELAY_MS, firing, channel);
    }
  }

  dispose(): void {
    for (const cancel of this.#begun.values()) cancel();
  }

  #attemptIn(ms: number, firing: Firing, channel: Channel): void {
    const cancel = this.#options.timers.after(ms, () => this.#attempt(firing, channel));
    this.#begun.set(nameOf(firing, channel), cancel);
  }

  #attempt(firing: Firing, channel: Channel): void {
    const { claims, timers, onError } = this.#options;
    const name = nameOf(firing, channel);
    this.#begun.set(name, () => undefined);
    let path: string | undefined;
    try {
      const claim = claims.claim(name, timers.now());
      if (claim.kind === "taken") this.#attemptIn(claim.retryMs, firing, channel);
      if (claim.kind !== "claimed") return;
      ({ path } = claim);
    } catch (error) {
      // Twice is better than never.
      onError(error);
    }
    try {
      channel.deliver(firing);
      if (path !== undefined) claims.markDelivered(path);
    } catch (error) {
      onError(error);
    }
  }
}

function nameOf({ key }: Firing, { name }: Channel): string {
  return `${name}-${key}`;
}
