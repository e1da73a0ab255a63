import { backoffMs } from "../backoff.ts";
import type { Timers } from "../../time/timers.ts";
import { FloodGuard } from "./floodGuard.ts";
import type { SocketEvents, StreamEnd, StreamSocket } from "./socket.ts";

export interface ReconnectingSocketOptions {
  readonly connect: (events: SocketEvents) => StreamSocket;
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for jitter. */
  readonly random: () => number;
  readonly frame: (text: string) => void;
  /** No frame arrived for a while, although the connection is alive: the market may be quiet, or the stream broken. */
  readonly quiet?: () => void;
  /** The connection ended, and will be reopened after a delay. */
  readonly ended: (end: StreamEnd) => void;
}

const CONNECT_MS = 10_000;
/** An open connection that delivers nothing for this long is asked with a ping whether it is alive. */
const SILENCE_MS = 15_000;
const PONG_MS = 10_000;
const BACKOFF_MS = 1000;
/** A connection that lasted this long before it was lost resets the backoff. */
const STEADY_MS = 30_000;
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
  /** When the last frame or pong arrived. */
  #heardAt = 0;
  /** Whether the newest silence was reported. */
  #isQuiet = false;
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
      pong: () => isCurrent() && this.#isOpen && void this.#hear(""),
      ended: (end) => isCurrent() && this.#end(end),
    });
  }

  #open(): void {
    const { timers } = this.#options;
    this.#isOpen = true;
    this.#isQuiet = false;
    this.#openedAt = this.#heardAt = timers.now();
    this.#watchSilence();
  }

  #watchSilence(): void {
    const { timers } = this.#options;
    this.#cancel?.();
    const quietMs = timers.now() - this.#heardAt;
    // Capped, because the clock may have been set back.
    if (quietMs < SILENCE_MS)
      this.#cancel = timers.after(Math.min(SILENCE_MS, SILENCE_MS - quietMs), () => this.#watchSilence());
    else this.#ping();
  }

  #ping(): void {
    const { timers, quiet } = this.#options;
    const askedAt = timers.now();
    this.#cancel = timers.after(PONG_MS, () => {
      if (this.#heardAt >= askedAt) this.#watchSilence();
      else
        this.#end({ reason: "silent", detail: `nothing within ${SILENCE_MS + PONG_MS} ms, not even a pong` });
    });
    this.#socket?.ping();
    if (this.#isQuiet) return;
    this.#isQuiet = true;
    quiet?.();
  }

  #take(text: string): void {
    if (!this.#hear(text)) return;
    this.#isQuiet = false;
    this.#options.frame(text);
  }

  /** Notes that something arrived. False if it was too much, which ends the connection. */
  #hear(text: string): boolean {
    const now = this.#options.timers.now();
    const flood = this.#guard.count(text, now);
    if (flood === undefined) this.#heardAt = now;
    else this.#end({ reason: "flood", detail: flood });
    return flood === undefined;
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
    this.#cancel = timers.after(Math.max(end.pauseMs ?? 0, waitMs), () => this.#connect());
  }

  #drop(): void {
    this.#round = undefined;
    this.#isOpen = false;
    this.#socket?.close();
    this.#socket = undefined;
  }
}
