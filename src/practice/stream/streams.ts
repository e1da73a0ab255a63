import type { Market } from "../market/market.ts";
import { LONGEST_TARGET, streamAddressOf, type StreamAddress } from "./address.ts";
import { BookSession } from "./bookStream.ts";
import { noStreamFaults, type StreamFaults, type StreamKind } from "./faults.ts";
import { Outlet, type PracticeTimer, type PracticeSocket } from "./outlet.ts";
import { PrivateSession, type PrivateAccount } from "./privateStream.ts";
import { TickerSession, TICKS_PER_SECOND, type StreamSession } from "./tickerStream.ts";

export interface StreamsOptions {
  readonly market: Market;
  readonly account: Omit<PrivateAccount, "proven">;
  readonly after: PracticeTimer;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  /** The streams currently offered. */
  readonly offered: () => readonly StreamKind[];
}

/** A request to open a stream. */
export interface StreamRequest {
  readonly target: string;
  readonly userAgent: string | undefined;
}

/** Why a stream is rejected: an HTTP status, and a location for redirects. */
export interface StreamRefusal {
  readonly status: number;
  readonly location?: string;
}

/** Events of a socket for its stream. */
export interface StreamEvents {
  received(text: string): void;
  pinged(): void;
  ended(): void;
}

interface OpenStream {
  readonly kind: StreamKind;
  readonly session: StreamSession;
  readonly outlet: Outlet;
  readonly socket: PracticeSocket;
}

const TICK_MS = 1000 / TICKS_PER_SECOND;
const PING_TICKS = 5 * TICKS_PER_SECOND;

/**
 * The practice exchange's streams without their server, over the same market and account as its endpoints. It has no
 * sockets, and timers are passed in, so tests can put any network in front of it. A timer runs only while a stream is open.
 */
export class PracticeStreams {
  readonly faults: StreamFaults = noStreamFaults();
  readonly #options: StreamsOptions;
  readonly #account: PrivateAccount;
  readonly #open = new Set<OpenStream>();
  readonly #opened: Record<StreamKind, number> = { ticker: 0, book: 0, private: 0 };
  #cancelTick: (() => void) | undefined;
  #tick = 0;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#account = { ...options.account, proven: new Set() };
  }

  /** Number of streams opened so far, by kind. */
  get opened(): Readonly<Record<StreamKind, number>> {
    return this.#opened;
  }

  /** Number of open streams of this kind. */
  count(kind: StreamKind): number {
    return [...this.#open].filter((each) => each.kind === kind).length;
  }

  /** Why the request is rejected; undefined if the stream may open. */
  refusal({ target, userAgent }: StreamRequest): StreamRefusal | undefined {
    if (this.faults.refusal) return this.faults.refusal;
    if (target.length > LONGEST_TARGET) return { status: 414 };
    const kind = streamAddressOf(target)?.kind;
    if (kind === undefined || !this.#options.offered().includes(kind)) return { status: 404 };
    return kind === "private" && !userAgent ? { status: 403 } : undefined;
  }

  /** Starts a stream that was not rejected. */
  open(target: string, socket: PracticeSocket): StreamEvents {
    const address = streamAddressOf(target);
    if (!address) throw new RangeError("There is no stream at this path.");
    const { after, now } = this.#options;
    const outlet = new Outlet(socket, this.faults, after);
    const session = this.#sessionFor(address, outlet);
    const stream = { kind: address.kind, session, outlet, socket };
    this.#open.add(stream);
    this.#opened[address.kind] += 1;
    this.#arm();
    return {
      received: (text) => {
        if (this.faults.flow !== "stalled" && this.#open.has(stream)) session.received(text, now());
      },
      pinged: () => outlet.pong(),
      ended: () => {
        this.#open.delete(stream);
        session.ended();
        outlet.ended();
        if (this.#open.size === 0) this.#disarm();
      },
    };
  }

  /** Terminates all streams, or those of one kind, without a close frame. New ones may be opened. */
  drop(kind?: StreamKind): void {
    for (const stream of this.#open) if (kind === undefined || stream.kind === kind) stream.socket.drop();
  }

  #sessionFor(address: StreamAddress, outlet: Outlet): StreamSession {
    const { market, account } = this.#options;
    switch (address.kind) {
      case "ticker":
        return new TickerSession(address.symbols, market, outlet);
      case "book":
        return new BookSession(
          address.pairingId,
          market,
          (symbol) => account.exchange.restingOf(symbol),
          outlet,
          this.faults,
        );
      case "private":
        return new PrivateSession(outlet, this.#account, `practice-${this.#opened.private + 1}`);
    }
  }

  #arm(): void {
    this.#cancelTick ??= this.#options.after(TICK_MS, () => {
      this.#cancelTick = undefined;
      this.#runTick();
      if (this.#open.size > 0) this.#arm();
    });
  }

  #disarm(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  #runTick(): void {
    const tick = (this.#tick += 1);
    const now = this.#options.now();
    for (const { session, outlet } of this.#open) {
      if (tick % PING_TICKS === 0) outlet.ping();
      session.tick(tick, now);
    }
  }
}
