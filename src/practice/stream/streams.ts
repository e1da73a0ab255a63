import { LONGEST_TARGET, streamAddressOf, type StreamAddress } from "./address.ts";
import { BookSession } from "./bookStream.ts";
import { PrivateSession, type PrivateAccount } from "./privateStream.ts";
import { TICKS_PER_SECOND, type PracticeSocket, type StreamSession } from "./session.ts";
import { TickerSession } from "./tickerStream.ts";
import type { After } from "../../time/timers.ts";

export interface StreamsOptions {
  readonly account: Omit<PrivateAccount, "proven">;
  readonly after: After;
  /** The exchange's clock, ms. */
  readonly now: () => number;
}

export interface StreamRequest {
  readonly target: string;
  readonly userAgent: string | undefined;
}

/** Events of a socket for its stream. */
export interface StreamEvents {
  received(text: string): void;
  ended(): void;
}

interface OpenStream {
  readonly session: StreamSession;
  readonly socket: PracticeSocket;
}

const TICK_MS = 1000 / TICKS_PER_SECOND;
const PING_TICKS = 5 * TICKS_PER_SECOND;

/**
 * The practice exchange's streams without their server, over the same market and account as its endpoints. It has no
 * sockets, and timers are passed in, so tests can put any network in front of it. A timer runs only while a stream is open.
 */
export class PracticeStreams {
  readonly #options: StreamsOptions;
  readonly #account: PrivateAccount;
  readonly #open = new Set<OpenStream>();
  #cancelTick: (() => void) | undefined;
  #tick = 0;
  #privateCount = 0;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#account = { ...options.account, proven: new Set() };
  }

  /** The HTTP status with which the request is rejected; undefined if the stream may open. */
  refusal({ target, userAgent }: StreamRequest): number | undefined {
    if (target.length > LONGEST_TARGET) return 414;
    const kind = streamAddressOf(target)?.kind;
    if (kind === undefined) return 404;
    return kind === "private" && !userAgent ? 403 : undefined;
  }

  /** Starts a stream that was not rejected. */
  open(target: string, socket: PracticeSocket): StreamEvents {
    const address = streamAddressOf(target);
    if (!address) throw new RangeError("There is no stream at this path.");
    const session = this.#sessionFor(address, socket);
    const stream = { session, socket };
    this.#open.add(stream);
    this.#arm();
    return {
      received: (text) => {
        if (this.#open.has(stream)) session.received?.(text, this.#options.now());
      },
      ended: () => {
        this.#open.delete(stream);
        session.ended?.();
        if (this.#open.size === 0) this.#disarm();
      },
    };
  }

  #sessionFor(address: StreamAddress, socket: PracticeSocket): StreamSession {
    const { exchange } = this.#account;
    const { market } = exchange;
    switch (address.kind) {
      case "ticker":
        return new TickerSession(address.symbols, market, socket);
      case "book":
        return new BookSession(address.pairingId, market, (symbol) => exchange.restingOf(symbol), socket);
      case "private":
        return new PrivateSession(socket, this.#account, `practice-${(this.#privateCount += 1)}`);
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
    for (const { session, socket } of this.#open) {
      if (tick % PING_TICKS === 0) socket.ping();
      session.tick(tick, now);
    }
  }
}
