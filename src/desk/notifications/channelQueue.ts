import { type NotificationClaims, RETENTION_MS } from "../../storage/notificationClaims.ts";
import type { Outbox } from "../../storage/outbox.ts";
import type { Timers } from "../../time/timers.ts";
import type { ChannelProblem } from "../../storage/channelProblems.ts";
import type { Channel, SendOutcome } from "./channel.ts";
import { type Firing, firingOf, storedText } from "./firing.ts";

export interface QueueOptions {
  /** Shared by all windows of this computer. */
  readonly claims: NotificationClaims;
  readonly timers: Timers;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

interface Waiting {
  readonly firing: Firing;
  /** Earliest attempt of this window, ms since the epoch. */
  readonly from: number;
}

/** The first repetition; each further one waits twice as long. */
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 60 * 60_000;
/** How soon the disk is tried again. */
const DISK_RETRY_MS = 60_000;
/** A message that reaches a phone a day late is of no use. */
const MESSAGE_EXPIRES_MS = 24 * 60 * 60_000;

/**
 * The firings that this window knows of and one channel has not delivered, in the order in which they happened. The first one is
 * attempted until it is delivered, refused or too old: while a service is down, only one firing asks for it.
 */
export class ChannelQueue {
  readonly #channel: Channel;
  readonly #outbox: Outbox;
  readonly #options: QueueOptions;
  readonly #onProblem: (problem: ChannelProblem | undefined) => void;
  readonly #waiting = new Map<string, Waiting>();
  /** Keys of firings that no longer wait, because every reread of the records repeats them. */
  readonly #done = new Set<string>();
  #isSending = false;
  #isDisposed = false;
  #cancel: (() => void) | undefined;

  /** `onProblem` gets the result of each attempt: undefined if it succeeded. */
  constructor(
    channel: Channel,
    outbox: Outbox,
    options: QueueOptions,
    onProblem: (problem: ChannelProblem | undefined) => void,
  ) {
    this.#channel = channel;
    this.#outbox = outbox;
    this.#options = options;
    this.#onProblem = onProblem;
  }

  /** Adds a firing unless it was added before. `from`: the earliest attempt of this window, ms since the epoch. */
  add(firing: Firing, from: number): void {
    const { key } = firing;
    if (this.#waiting.has(key) || this.#done.has(key)) return;
    if (!this.#channel.isOn(firing)) {
      this.#skip(firing);
      return;
    }
    this.#waiting.set(key, { firing, from });
    this.#try(() => this.#outbox.put(key, storedText(firing)));
    this.#next();
  }

  /** Adds what other windows left in the outbox, in the order in which it happened. */
  restore(from: number): void {
    this.#try(() => {
      for (const firing of this.#stored().sort((a, b) => a.at - b.at)) this.add(firing, from);
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
  }

  #stored(): Firing[] {
    return this.#outbox.keys().flatMap((key) => {
      if (this.#waiting.has(key)) return [];
      const text = this.#outbox.read(key);
      const firing = text === undefined ? undefined : firingOf(text);
      // Otherwise a newer version of Bidside wrote it.
      return firing?.key === key ? [firing] : [];
    });
  }

  #next(): void {
    if (this.#isSending || this.#isDisposed) return;
    this.#cancel?.();
    const { timers } = this.#options;
    const first = [...this.#waiting.values()].sort((a, b) => a.firing.at - b.firing.at)[0];
    if (!first) return;
    const waitMs = first.from - timers.now();
    if (waitMs > 0) this.#cancel = timers.after(waitMs, () => this.#next());
    else this.#attempt(first.firing);
  }

  #attempt(firing: Firing): void {
    const { claims, timers } = this.#options;
    const { id, limit, isOn } = this.#channel;
    const expiresMs = limit ? MESSAGE_EXPIRES_MS : RETENTION_MS;
    if (timers.now() - firing.at > expiresMs) return this.#finish(firing);
    if (!isOn(firing)) {
      this.#skip(firing);
      return this.#next();
    }
    let path: string | undefined;
    let attempt = 1;
    try {
      const claim = claims.claim(id, firing.key, timers.now(), limit);
      if (claim.kind === "taken") return this.#retryIn(firing, claim.retryMs);
      if (claim.kind === "overLimit") {
        this.#onProblem({ kind: "overLimit" });
        this.#skip(firing);
        return this.#next();
      }
      if (claim.kind !== "claimed") return this.#finish(firing);
      ({ path, attempt } = claim);
    } catch (error) {
      this.#options.onError(error);
      if (limit) {
        // Attempts that are not recorded cannot be limited.
        this.#onProblem({ kind: "disk" });
        return this.#retryIn(firing, DISK_RETRY_MS);
      }
      // Twice is better than never.
    }
    this.#isSending = true;
    void this.#send(firing, path, attempt);
  }

  async #send(firing: Firing, path: string | undefined, attempt: number): Promise<void> {
    const { claims, timers, onError } = this.#options;
    let outcome: SendOutcome;
    try {
      outcome = await this.#channel.send(firing, attempt);
    } catch (error) {
      onError(error);
      outcome = { kind: "retry", problem: { kind: "unexpected" } };
    }
    this.#isSending = false;
    // The mark comes first: a window that dies before it makes the next one send again.
    if (outcome.kind === "retry" && path !== undefined) {
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
      this.#try(() => claims.markFailed(path, timers.now() + retryMs));
      this.#onProblem(outcome.problem);
      return this.#retryIn(firing, retryMs);
    }
    this.#try(() => path !== undefined && claims.markDelivered(path));
    this.#onProblem(outcome.kind === "sent" ? undefined : outcome.problem);
    this.#finish(firing);
  }

  #retryIn(firing: Firing, ms: number): void {
    const { timers, random } = this.#options;
    // Windows that gave way to each other must not meet again.
    const from = timers.now() + ms + Math.ceil(random() * 500);
    this.#waiting.set(firing.key, { firing, from });
    this.#next();
  }

  #skip(firing: Firing): void {
    const { claims, timers } = this.#options;
    this.#try(() => claims.skip(this.#channel.id, firing.key, timers.now()));
    this.#forget(firing);
  }

  #finish(firing: Firing): void {
    this.#forget(firing);
    this.#next();
  }

  #forget({ key }: Firing): void {
    this.#waiting.delete(key);
    this.#done.add(key);
    this.#try(() => this.#outbox.remove(key));
  }

  #try(task: () => unknown): void {
    try {
      task();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
