import type { NamedPair } from "../../market/pair.ts";
import type {
  PrivateStreamConnection,
  PrivateStreamEnd,
  PrivateStreamEvents,
} from "../../exchange/stream/privateStream.ts";
import type { OrderUpdate } from "../../exchange/wire/orders/orderEvents.ts";
import { Disposable } from "../disposable.ts";
import { backoffMs } from "../../exchange/backoff.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, SignedIn } from "../venue.ts";

/** Receives the events of the private stream. */
export interface OrderStreamEvents {
  /** The stream is ready. Earlier events are not replayed. */
  started(): void;
  updated(venue: SignedIn, event: OrderUpdate): void;
  /** Orders of the pair changed, but the update could not be parsed. */
  unclear(named: NamedPair): void;
}

export interface OrderStreamOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly random: () => number;
  /** Whether this window currently polls the account for all windows: only that window opens a stream. */
  readonly isMine: () => boolean;
  /** Fires when another window may have taken over, or the key may have changed. */
  readonly onDidChangeReader: (listener: () => void) => () => void;
  /** The computer slept: its connections are dead, though no event reports that. */
  readonly onDidWake: (listener: () => void) => () => void;
  /** A listed pair by the exchange's symbol, in any order and letter case. */
  readonly nameOf: (symbol: string) => NamedPair | undefined;
  readonly orders: OrderStreamEvents;
  readonly log: (message: string) => void;
}

interface Connected {
  readonly venue: SignedIn;
  /** Undefined while it is being opened. */
  stream: PrivateStreamConnection | undefined;
}

/** The first reconnect delay; it doubles with each failure, up to a minute. */
const RETRY_MS = 1000;
/** The longest reconnect delay after a key was rejected twice: it is unlikely to be accepted soon. */
const REFUSED_RETRY_MS = 300_000;
/** A stream that was up this long does not count as a failure. */
const LIVED_MS = 60_000;
/** How often `isMine` is checked without an event: a leader may be replaced without a message. */
const CHECK_MS = 5000;

/**
 * Keeps the private stream open in the one window that polls the account, and reconnects after it ends. `isMine` is
 * checked again right before the key is used to sign in.
 */
export class OrderStream extends Disposable {
  readonly #options: OrderStreamOptions;
  #connected: Connected | undefined;
  #isLive = false;
  /** When the current stream started; undefined until then. */
  #startedAt: number | undefined;
  #failures = 0;
  /** Consecutive rejections of the key. */
  #refusals = 0;
  #isDisposed = false;
  #cancelRetry: (() => void) | undefined;
  #cancelCheck: (() => void) | undefined;

  constructor(options: OrderStreamOptions) {
    super();
    this.#options = options;
    const update = (): void => this.#update();
    const again = (): void => {
      this.#failures = this.#refusals = 0;
      this.#disconnect();
      this.#update();
    };
    this.register(
      options.venue.onDidChange(again),
      options.venue.onDidChangeKey(again),
      options.venue.onDidSignIn(update),
      options.onDidWake(again),
      options.onDidChangeReader(update),
      () => {
        this.#isDisposed = true;
        this.#disconnect();
        this.#cancelCheck?.();
      },
    );
    this.#update();
  }

  /** Whether updates are being pushed. */
  get isLive(): boolean {
    return this.#isLive;
  }

  #update(): void {
    if (this.#isDisposed) return;
    const { venue: current, isMine, timers } = this.#options;
    const { signedIn: venue } = current;
    const isOffered = venue?.client.privateStream !== undefined;
    if (isOffered)
      this.#cancelCheck ??= timers.after(CHECK_MS, () => {
        this.#cancelCheck = undefined;
        this.#update();
      });
    if (!venue || !isOffered || !isMine()) return this.#disconnect();
    if (this.#connected && this.#connected.venue !== venue) this.#disconnect();
    if (!this.#connected && !this.#cancelRetry) this.#connect(venue);
  }

  #connect(venue: SignedIn): void {
    const { nameOf, isMine, orders, timers, log } = this.#options;
    const connected: Connected = { venue, stream: undefined };
    this.#connected = connected;
    this.#startedAt = undefined;
    const isCurrent = (): boolean => this.#connected === connected;
    const ended = (end: PrivateStreamEnd): void => {
      if (!isCurrent()) return;
      log(`Own orders are not streamed: ${end.reason}: ${end.detail}`);
      this.#disconnect();
      if (end.reason === "refused") this.#noteRefusal(venue);
      this.#retry(end);
    };
    const events: PrivateStreamEvents = {
      ready: () => {
        if (!isCurrent()) return;
        this.#isLive = true;
        this.#refusals = 0;
        this.#startedAt = timers.now();
        orders.started();
      },
      order: (event) => isCurrent() && orders.updated(venue, event),
      unclear: (named) => isCurrent() && orders.unclear(named),
      ended,
    };
    const mayStillSend = (): boolean => isCurrent() && isMine();
    // Stored at once, so that a change of leader or key at this moment closes it before another one opens.
    connected.stream = venue.client.privateStream?.(events, { nameOf, mayStillSend });
    if (!isCurrent()) connected.stream?.close();
  }

  /**
   * Exchanges reject a wrong time in the same way as a wrong key. So after the first rejection the clock is measured
   * and the key is tried once more; a second rejection is attributed to the key.
   */
  #noteRefusal({ client }: SignedIn): void {
    this.#refusals += 1;
    if (this.#refusals > 1) return;
    client.measureClock().catch(() => {
      // The next attempt measures again, or reports why it cannot.
    });
  }

  #retry({ reason, pauseMs = 0 }: PrivateStreamEnd): void {
    const { timers, random } = this.#options;
    const hasLived = this.#startedAt !== undefined && timers.now() - this.#startedAt >= LIVED_MS;
    this.#failures = hasLived ? 0 : this.#failures + 1;
    const ms =
      reason === "refused" && this.#refusals > 1
        ? REFUSED_RETRY_MS * (0.5 + random() / 2)
        : backoffMs(this.#failures, RETRY_MS, random);
    this.#cancelRetry = timers.after(Math.max(pauseMs, ms), () => {
      this.#cancelRetry = undefined;
      this.#update();
    });
  }

  #disconnect(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const connected = this.#connected;
    this.#connected = undefined;
    connected?.stream?.close();
    this.#isLive = false;
  }
}
