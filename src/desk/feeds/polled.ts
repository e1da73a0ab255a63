import { NotSentError } from "../../exchange/errors.ts";
import type { ReadGate } from "../../exchange/readRetry.ts";
import type { Announcement, LeaderUpdate, Request, Subject } from "../../hub/protocol.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import { Poll, type PollResult } from "./poll.ts";
import type { Source } from "./source.ts";

type RequestMessage = Extract<LeaderUpdate, { type: "poll" }>;

/** One round of reads. */
interface Round {
  /** Lets this window abort the round. */
  readonly gate: ReadGate;
  /** When the newest request of the round was sent, ms since the epoch: its response is not older. */
  readonly sentAt: number;
}

export interface PolledOptions<Target, Update> {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** Set if one window polls for all. Otherwise each window polls for itself, and does not retry failed requests. */
  readonly subject?: Subject;
  /** Called before each round: the computer may have slept. */
  readonly checkWake: () => void;
  readonly offers?: (venue: Watching) => boolean;
  /** The poll interval needed now, in ms; undefined if none. */
  readonly intervalMs: () => number | undefined;
  /** Whether a new target is polled once even without an interval. */
  readonly readsOnce?: () => boolean;
  /** Polls once. `failed` converts an error thrown by it to an update. */
  readonly read: (target: Target, round: Round) => Promise<{ readonly update: Update } & PollResult>;
  readonly failed: (problem: unknown) => { readonly update: Update } & PollResult;
}

/** How long to wait for the window that polls for all. */
const ANSWER_MS = 12_000;
const MAX_ATTEMPTS = 3;

/**
 * Polls the exchange at the interval that the windows need. Of the windows with the same market or account, one polls
 * for all; the others count its rounds as their own, so that any of them can take over.
 */
export class Polled<Target, Update> extends Disposable implements Source<Target, Update> {
  readonly #options: PolledOptions<Target, Update>;
  readonly #poll: Poll;
  readonly #waiting = new Set<() => void>();
  #following: { readonly target: Target; readonly report: (update: Update) => void } | undefined;
  #wasRead = false;
  /** The account of this window's key, as the other windows know it. */
  #account: string | undefined;
  /** The newest request of another window, until it is known whether its account is the same. */
  #remoteRequest: RequestMessage | undefined;
  /** Results of earlier rounds are dropped. */
  #round = 0;

  constructor(options: PolledOptions<Target, Update>) {
    super();
    this.#options = options;
    const { timers, random, windows, venue, subject } = options;
    const poll = new Poll({ timers, random, begin: () => this.#begin(), run: () => this.#run() });
    this.#poll = this.register(poll);
    this.register(windows.onDidChange(() => this.#updateInterval()));
    if (subject === undefined) return;
    this.register(
      windows.onDidReceive((message) => this.#receiveMessage(message)),
      // The exchange is reachable again, so the backoff ends.
      venue.onDidReconnect(() => !poll.isRunning && poll.reset()),
    );
  }

  offers(venue: Watching): boolean {
    return this.#options.offers?.(venue) ?? true;
  }

  follow(target: Target, report: (update: Update) => void): () => void {
    const following = (this.#following = { target, report });
    this.#wasRead = false;
    this.#remoteRequest = undefined;
    // The interval also applies across pairs, but the failures of the previous pair do not count for this one.
    if (this.#options.subject === undefined) this.#poll.noteEnd({ ok: true });
    else this.#poll.reset();
    this.#updateInterval();
    return () => {
      if (this.#following !== following) return;
      this.#following = undefined;
      this.#updateInterval();
    };
  }

  /** The poll interval of this window, ms; undefined while it does not poll. */
  get intervalMs(): number | undefined {
    return this.#poll.intervalMs;
  }

  /**
   * Polls now, in the window that polls for this one. Resolves after the response or a timeout. `isOutdated`: a running
   * round does not count. `isAnnounced`: the other windows already know that a poll is wanted.
   */
  async refresh({ isOutdated = false, isAnnounced = false } = {}): Promise<void> {
    const { windows, subject } = this.#options;
    if (windows.demand.venue === "none") return;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (subject === undefined || windows.reads(subject))
        return await (isOutdated ? this.#poll.restart() : this.#poll.refresh());
      if (!isAnnounced || attempt > 0) windows.ask(subject);
      if (await this.#waitForAnswer()) return;
    }
  }

  /** Call after a sleep: drops the result of a running round, and starts no other for `ms`. */
  pause(ms: number): void {
    this.#round += 1;
    this.#poll.holdFor(ms);
  }

  /** Ends a pause, and polls now if there is an interval. */
  resume(): void {
    if (this.#poll.isRepeating) void this.#poll.restart();
  }

  #updateInterval(): void {
    const { intervalMs, readsOnce } = this.#options;
    this.#noteRemoteRequest();
    this.#noteAccount();
    this.#poll.setInterval(this.#following && intervalMs());
    if (!this.#following || this.#wasRead || readsOnce?.() !== true) return;
    this.#wasRead = true;
    void this.#poll.refresh();
  }

  #begin(): boolean {
    const { windows, subject, checkWake } = this.#options;
    checkWake();
    return subject === undefined || windows.beginRead(subject);
  }

  async #run(): Promise<PollResult> {
    const following = this.#following;
    if (!following) return { ok: true };
    const { windows, subject, timers, read, failed } = this.#options;
    const number = ++this.#round;
    const isCurrent = (): boolean => this.#following === following && this.#round === number;
    const round = {
      sentAt: timers.now(),
      gate: {
        mayRetry: () => subject !== undefined && this.#begin(),
        mayStillSend: () => {
          round.sentAt = timers.now();
          return isCurrent() && (subject === undefined || windows.mayStillRead(subject));
        },
      },
    };
    const { update, ...result } = await read(following.target, round).catch((problem: unknown) =>
      // Another window has taken over, and will send its own result.
      isTooLate(problem) ? { update: undefined, ok: true } : failed(problem),
    );
    if (update === undefined || !isCurrent()) return { ok: true };
    this.#wasRead = true;
    following.report(update);
    return result;
  }

  #receiveMessage(message: LeaderUpdate | Announcement | Request): void {
    const { windows, timers, subject } = this.#options;
    const { demand } = windows;
    if (message.type === "refresh" && message.subject === subject)
      void (subject === "balance" ? this.#poll.restart() : this.#poll.refresh());
    if (message.type === "balanceChanged" && subject === "balance" && windows.reads(subject))
      void this.#poll.restart();
    if (!("venue" in message) || message.venue !== demand.venue) return;
    if (message.type === "poll" && message.subject === subject) {
      this.#remoteRequest = message;
      this.#noteRemoteRequest();
    }
    if (message.type !== subject) return;
    if (message.type === "balance" ? message.account !== demand.account : !message.isLast) return;
    this.#wasRead = true;
    const { problem } = message;
    const retryInMs = problem && "retryInMs" in problem ? problem.retryInMs : undefined;
    const retryAt = retryInMs === undefined ? undefined : timers.now() + retryInMs;
    this.#poll.noteEnd({ ok: problem === undefined, retryAt });
    for (const end of this.#waiting) end();
  }

  /** Counts a request of another window as a round of this one if the market or account is the same. */
  #noteRemoteRequest(): void {
    const { demand } = this.#options.windows;
    const request = this.#remoteRequest;
    if (request === undefined || request.venue !== demand.venue) return;
    if (request.subject === "balance" && request.account !== demand.account) return;
    this.#remoteRequest = undefined;
    this.#poll.noteBegin(request.at);
  }

  /** The rounds of a window that could not read its key do not count once it can. A running one may read the key itself. */
  #noteAccount(): void {
    const { account } = this.#options.windows.demand;
    const couldNotRead = this.#account === "none" && account !== undefined && account !== "none";
    this.#account = account;
    if (this.#options.subject === "balance" && couldNotRead && !this.#poll.isRunning) this.#poll.reset();
  }

  /** True after the response or a timeout; false if the role or the venue changed, so the request must be repeated. */
  #waitForAnswer(): Promise<boolean> {
    const { windows, venue, timers } = this.#options;
    return new Promise((resolve) => {
      const end = (answered: boolean): void => {
        for (const stop of stops) stop();
        this.#waiting.delete(answer);
        resolve(answered);
      };
      const answer = (): void => end(true);
      this.#waiting.add(answer);
      const stops = [
        windows.onDidChangeRole(() => end(false)),
        venue.onDidChange(() => end(false)),
        timers.after(ANSWER_MS, answer),
      ];
    });
  }
}

function isTooLate(problem: unknown): boolean {
  return problem instanceof NotSentError && problem.reason === "tooLate";
}
