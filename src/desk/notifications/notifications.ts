import { type NotificationClaims, RETENTION_MS } from "../../storage/notificationClaims.ts";
import { Outbox } from "../../storage/outbox.ts";
import type { OperatingSystem } from "../../files/operatingSystem.ts";
import { Event } from "../event.ts";
import type { Channel, ChannelProblem } from "./channel.ts";
import { ChannelQueue, type QueueOptions } from "./channelQueue.ts";
import type { Firing } from "./firing.ts";

interface NotificationsOptions extends QueueOptions {
  readonly channels: readonly Channel[];
  /** The folder of all windows of this computer, with the claims. */
  readonly folder: string;
  readonly os?: OperatingSystem;
  readonly claims: NotificationClaims;
  /** Whether this window is in front. */
  readonly isInFront: () => boolean;
}

/** A notification in a window that is not in front is easily missed, so that window lets the others go first. */
const BACKGROUND_DELAY_MS = 1000;
/** How soon another window notices what a dead one left. */
const RESTORE_MS = 60_000;

/**
 * Hands each firing to each channel in one window of this computer. A window stores the firing in the channel's outbox,
 * claims the delivery with a file, delivers, and marks the file. Every window that knows of the firing waits for that mark,
 * and takes over if it does not come: a firing is delivered twice only if a window died between delivery and mark.
 */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #queues: readonly ChannelQueue[];
  readonly #problems = new Map<string, ChannelProblem>();
  readonly #changed = new Event<void>();
  #cancel: () => void;

  /** Fires when `problems` changed. */
  readonly onDidChange = this.#changed.add;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    const { channels, folder, os, timers } = options;
    this.#queues = channels.map(
      (channel) =>
        new ChannelQueue(channel, new Outbox(folder, channel.id, os), options, (problem) =>
          this.#note(channel.id, problem),
        ),
    );
    // Deferred until the caller has finished construction.
    this.#cancel = timers.after(0, () => this.#restore());
  }

  /** Why the latest attempt of a channel in this window failed, by channel. */
  get problems(): ReadonlyMap<string, ChannelProblem> {
    return this.#problems;
  }

  /** Delivers a firing, if there is one, unless it is old, or this or another window delivers it. */
  notify(firing: Firing | undefined): void {
    if (!firing || this.#options.timers.now() - firing.at > RETENTION_MS) return;
    const from = this.#earliest();
    for (const queue of this.#queues) queue.add(firing, from);
  }

  dispose(): void {
    this.#cancel();
    for (const queue of this.#queues) queue.dispose();
  }

  #restore(): void {
    const from = this.#earliest();
    for (const queue of this.#queues) queue.restore(from);
    this.#cancel = this.#options.timers.after(RESTORE_MS, () => this.#restore());
  }

  #earliest(): number {
    const { timers, isInFront } = this.#options;
    return timers.now() + (isInFront() ? 0 : BACKGROUND_DELAY_MS);
  }

  #note(id: string, problem: ChannelProblem | undefined): void {
    if (problem === undefined && !this.#problems.has(id)) return;
    if (problem) this.#problems.set(id, problem);
    else this.#problems.delete(id);
    this.#changed.fire();
  }
}
