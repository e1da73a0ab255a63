import { type NotificationClaims, RETENTION_MS } from "../../storage/notificationClaims.ts";
import { Outbox } from "../../storage/outbox.ts";
import type { OperatingSystem } from "../../files/operatingSystem.ts";
import { Event } from "../event.ts";
import { type ChannelProblem, ChannelProblems } from "../../storage/channelProblems.ts";
import type { Channel, SendOutcome } from "./channel.ts";
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
  readonly #store: ChannelProblems;
  /** Those that could not be stored. */
  readonly #unstored = new Map<string, ChannelProblem>();
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #problems: ReadonlyMap<string, ChannelProblem> = new Map();
  #cancel: () => void;

  /** Fires when `problems` changed. */
  readonly onDidChange = this.#changed.add;
  /** Fires when this window stored or removed a problem, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    const { channels, folder, os, timers } = options;
    this.#queues = channels.map(
      (channel) =>
        new ChannelQueue(channel, new Outbox(folder, channel.id, os), options, (problem) =>
          this.#note(channel.id, problem),
        ),
    );
    this.#store = new ChannelProblems(folder, os);
    // Deferred until the caller has finished construction.
    this.#cancel = timers.after(0, () => this.#restore());
  }

  /** Why the latest attempt of a channel failed, in any window, by channel. */
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

  /** Reads the problems that all windows stored. */
  reread(): void {
    const before = JSON.stringify([...this.#problems]);
    try {
      this.#problems = new Map([...this.#store.list(), ...this.#unstored]);
    } catch (error) {
      this.#options.onError(error);
    }
    if (JSON.stringify([...this.#problems]) !== before) this.#changed.fire();
  }

  /** Stores why a channel fails apart from an attempt; undefined if it works again or is no longer used. */
  report(channel: string, problem: ChannelProblem | undefined): void {
    this.#note(channel, problem);
  }

  /** Sends a test of a channel within its limit, which may take some seconds. `send` makes the only attempt. */
  async sendTest(id: string, send: () => Promise<SendOutcome>): Promise<SendOutcome> {
    const { channels, claims, timers, onError } = this.#options;
    const limit = channels.find((channel) => channel.id === id)?.limit;
    const key = `test-${timers.now()}`;
    try {
      let claim = claims.claim(id, key, timers.now(), limit);
      while (claim.kind === "taken") {
        const { retryMs } = claim;
        await new Promise<void>((resolve) => timers.after(retryMs, resolve));
        claim = claims.claim(id, key, timers.now(), limit);
      }
      if (claim.kind !== "claimed") return { kind: "refused", problem: { kind: "overLimit" } };
      const outcome = await send().catch((error: unknown): SendOutcome => {
        onError(error);
        return { kind: "refused", problem: { kind: "unexpected" } };
      });
      claims.markDelivered(claim.path);
      return outcome;
    } catch (error) {
      onError(error);
      return { kind: "refused", problem: { kind: "disk" } };
    }
  }

  #restore(): void {
    this.reread();
    const from = this.#earliest();
    for (const queue of this.#queues) queue.restore(from);
    this.#cancel = this.#options.timers.after(RESTORE_MS, () => this.#restore());
  }

  #earliest(): number {
    const { timers, isInFront } = this.#options;
    return timers.now() + (isInFront() ? 0 : BACKGROUND_DELAY_MS);
  }

  #note(id: string, problem: ChannelProblem | undefined): void {
    // Another window may have had the latest attempt.
    const known = [this.#unstored.get(id) ?? this.#store.read(id), this.#problems.get(id)];
    if (known.every((each) => JSON.stringify(each) === JSON.stringify(problem))) return;
    this.#unstored.delete(id);
    try {
      if (problem) this.#store.put(id, problem);
      else this.#store.remove(id);
      this.#written.fire();
    } catch (error) {
      this.#options.onError(error);
      if (problem) this.#unstored.set(id, problem);
    }
    this.reread();
  }
}
