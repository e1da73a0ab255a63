import { backoffMs } from "../backoff.ts";
import type { After } from "../../http/after.ts";
import { FloodGuard } from "./floodGuard.ts";
import type { SocketEvents, StreamEnd, StreamSocket } from "./socket.ts";

/** Clock and timers of a stream. */
export interface StreamTimers {
  /** ms since the epoch. */
  now(): number;
  readonly after: After;
}

export interface ReconnectingSocketOptions {
  readonly connect: (events: SocketEvents) => StreamSocket;
  readonly timers: StreamTimers;
  /** 0 (inclusive) to 1, for jitter. */
  readonly random: () => number;
  readonly frame: (text: string) => void;
  /** The connection ended, and will be reopened after a delay. */
  readonly ended: (end: StreamEnd) => void;
}

const CONNECT_MS = 10_000;
/** An open connection that delivers no frame for this long is considered dead. Pings are not frames. */
const SILENCE_MS = 15_000;
const BACKOFF_MS = 1000;
/** A connection that lasted this long before it was lost resets the backoff. */
const STEADY_MS = 30_000;
/** Minimum delay after HTTP 429 or 418. */
const BLOCK_MS = 30_000;
/** Maximum per second, far above the busiest market. */
const MOST = { frames: 3000, chars: 8 * 1024 * 1024 };

/** A socket that reconnects whenever its connection ends, with exponential backoff and jitter. */
export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  #socket: StreamSocket | undefined;
  /** Identifies the newest connection. Events of older ones are ignored. */
  #round: symbol | undefined;
  #isOpen = false;
  #isDisposed = false;
  #failures = 0;
  #openedAt = 0;
  #lastFrameAt = 0;
  readonly #guard = new FloodGuard(MOST);
  #cancel: (() => void) | undefined;

  /** Connects at once. */
  constructor(options: ReconnectingSocketOptions) {
    this.#options = options;
    this.#connect();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancel?.();
    this.#drop();
  }

  #connect(): void {
    const { connect, timers } = this.#options;
    const round = Symbol("connection");
    this.#round = round;
    const isCurrent = (): boolean => this.#round === round;
    this.#cancel = timers.after(CONNECT_MS, () => this.#end({ reason: "lost", detail: "no connection" }));
    this.#socket = connect({
      opened: () => isCurrent() && this.#open(),
      frame: (text) => isCurrent() && this.#isOpen && this.#take(text),
      ended: (end) => isCurrent() && this.#end(end),
    });
  }

  #open(): void {
    const { timers } = this.#options;
    this.#isOpen = true;
    this.#openedAt = this.#lastFrameAt = timers.now();
    this.#watchSilence();
  }

  #watchSilence(): void {
    const { timers } = this.#options;
    this.#cancel?.();
    const quietMs = timers.now() - this.#lastFrameAt;
    if (quietMs >= SILENCE_MS) this.#end({ reason: "silent", detail: `no frame within ${SILENCE_MS} ms` });
    // Capped, because the clock may have been set back.
    else this.#cancel = timers.after(Math.min(SILENCE_MS, SILENCE_MS - quietMs), () => this.#watchSilence());
  }

  #take(text: string): void {
    const now = this.#options.timers.now();
    const flood = this.#guard.count(text, now);
    if (flood !== undefined) return this.#end({ reason: "flood", detail: flood });
    this.#lastFrameAt = now;
    this.#options.frame(text);
  }

  #end(end: StreamEnd): void {
    const { timers, random, ended } = this.#options;
    const lastedMs = this.#isOpen ? timers.now() - this.#openedAt : 0;
    const wasSteady = lastedMs >= STEADY_MS && end.reason === "lost";
    this.#cancel?.();
    this.#drop();
    this.#failures = wasSteady ? 1 : this.#failures + 1;
    ended(end);
    // `ended` may have disposed of this socket.
    if (this.#isDisposed) return;
    const waitMs = backoffMs(this.#failures, BACKOFF_MS, random);
    const isBlocked = end.status === 429 || end.status === 418;
    this.#cancel = timers.after(isBlocked ? Math.max(BLOCK_MS, waitMs) : waitMs, () => this.#connect());
  }

  #drop(): void {
    this.#round = undefined;
    this.#isOpen = false;
    this.#socket?.close();
    this.#socket = undefined;
  }
}
