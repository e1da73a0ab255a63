import type { NamedPair } from "../../exchange/capabilities.ts";
import type {
  PrivateStreamConnection,
  PrivateStreamEnd,
  PrivateStreamEvents,
} from "../../exchange/stream/privateStream.ts";
import type { OrderUpdate } from "../../exchange/wire/orders/orderEvents.ts";
import { Disposable } from "../disposable.ts";
import { backoffMs } from "../../exchange/backoff.ts";
import type { Timers } from "../time/timers.ts";
import { sameAccount, type CurrentVenue, type Venue } from "../venue.ts";

/** What came of the exchange by itself. */
export interface OrderStreamEvents {
  /** The stream begins: what happened before is not told by it. */
  started(): void;
  updated(venue: Venue, event: OrderUpdate): void;
  /** Orders of the pair changed in a way that could not be read. */
  unclear(named: NamedPair): void;
  /** Nothing is told until `started`. */
  stopped(): void;
}

export interface OrderStreamOptions {
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly random: () => number;
  /** Whether this window reads the account for all windows now: only that window has a stream. */
  readonly isMine: () => boolean;
  /** Fires when another window may be the one that reads, or the key may be another one. */
  readonly onDidChangeReader: (listener: () => void) => () => void;
  /** The computer slept: a connection from before it is dead, though nothing says so. */
  readonly onDidWake: (listener: () => void) => () => void;
  /** A listed pair by a name of the exchange, in any order and letter case. */
  readonly nameOf: (symbol: string) => NamedPair | undefined;
  readonly orders: OrderStreamEvents;
  readonly log: (message: string) => void;
}

interface Connected {
  readonly venue: Venue;
  /** Undefined while it is being opened. */
  stream: PrivateStreamConnection | undefined;
}

/** The wait after a stream that had lived; it doubles with each failure, up to a minute. */
const RETRY_MS = 1000;
/** After a key was refused twice, because it will hardly be accepted soon. */
const REFUSED_RETRY_MS = 300_000;
/** A stream that lived this long did not fail. */
const LIVED_MS = 60_000;
/** Who reads is looked at this often while nothing else happens: a leader is replaced without a message. */
const CHECK_MS = 5000;

/**
 * Keeps the private stream open, in the one window that reads the account, and connects again after it ended. Before the
 * proof of the key is sent, it is asked once more which window reads.
 */
export class OrderStream extends Disposable {
  readonly #options: OrderStreamOptions;
  #connected: Connected | undefined;
  #isLive = false;
  /** When the present stream started; undefined until then. */
  #startedAt: number | undefined;
  #failures = 0;
  /** How often in a row the key was refused. */
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

  /** Whether what happens is told as it happens. */
  get isLive(): boolean {
    return this.#isLive;
  }

  #update(): void {
    if (this.#isDisposed) return;
    const { venue: current, isMine, timers } = this.#options;
    const { venue } = current;
    const isOffered = venue?.client.privateStream !== undefined;
    if (isOffered)
      this.#cancelCheck ??= timers.after(CHECK_MS, () => {
        this.#cancelCheck = undefined;
        this.#update();
      });
    if (!venue || !isOffered || !isMine()) return this.#disconnect();
    if (this.#connected && !sameAccount(this.#connected.venue, venue)) this.#disconnect();
    if (!this.#connected && !this.#cancelRetry) this.#connect(venue);
  }

  #connect(venue: Venue): void {
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
    // Held at once, so that a reader or key that changes in this moment closes it before another one opens.
    connected.stream = venue.client.privateStream?.(events, { nameOf, mayStillSend });
    if (!isCurrent()) connected.stream?.close();
  }

  /**
   * The answer to a wrong time is the same as to a wrong key. So after the first refusal the clock is measured, and the key
   * is shown once more: a refusal of that is about the key.
   */
  #noteRefusal({ client }: Venue): void {
    this.#refusals += 1;
    if (this.#refusals > 1) return;
    client.measureClock().catch(() => {
      // The next proof measures again, or says why it cannot.
    });
  }

  #retry({ reason }: PrivateStreamEnd): void {
    const { timers, random } = this.#options;
    const hasLived = this.#startedAt !== undefined && timers.now() - this.#startedAt >= LIVED_MS;
    this.#failures = hasLived ? 0 : this.#failures + 1;
    const ms =
      reason === "refused" && this.#refusals > 1
        ? REFUSED_RETRY_MS * (0.5 + random() / 2)
        : backoffMs(this.#failures, RETRY_MS, random);
    this.#cancelRetry = timers.after(ms, () => {
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
    if (!this.#isLive) return;
    this.#isLive = false;
    this.#options.orders.stopped();
  }
}
