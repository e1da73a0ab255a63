import type { NamedPair } from "../../market/pair.ts";
import { BookStream } from "../../exchange/stream/bookStream.ts";
import type { Announcement, LeaderUpdate, Request } from "../../hub/protocol.ts";
import { Throttle } from "../time/throttle.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import { bookMessage, updateOf, type StreamedUpdate } from "./bookMessages.ts";
import type { BookTarget } from "./bookFeed.ts";
import type { PairRules } from "./pairRules.ts";
import type { Source } from "./source.ts";
import type { StreamPort } from "./streamedTickers.ts";
import type { TickerFeed } from "./tickerFeed.ts";

interface Following extends BookTarget {
  readonly report: (update: StreamedUpdate) => void;
}

export interface StreamedBookOptions {
  readonly port: StreamPort;
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  /** Provides the pairing ids. */
  readonly rules: PairRules;
  readonly timers: Timers;
  readonly random: () => number;
  /** Called for each frame before it is used: the computer may have slept. */
  readonly checkWake: () => void;
  readonly log: { debug(message: string): void };
}

/** Minimum interval of updates to other windows. */
const BATCH_MS = 250;
const RETRY_MS = 60_000;
/** Maximum connections: one per book that is visible in some window. */
const MAX_STREAMS = 8;

/**
 * Streamed books and trades. The window that polls the market opens a stream for each book that is visible in any
 * window, and sends updates to the others.
 */
export class StreamedBook extends Disposable implements Source<BookTarget, StreamedUpdate> {
  readonly #options: StreamedBookOptions;
  readonly #streams = new Map<string, BookStream>();
  /** Updates not yet sent to the other windows. */
  readonly #unsent = new Map<string, StreamedUpdate>();
  readonly #batches: Throttle<string>;
  #following: Following | undefined;
  #cancelRetry: (() => void) | undefined;
  /** Connections begun in an earlier round are dropped. */
  #round = 0;

  constructor(options: StreamedBookOptions) {
    super();
    this.#options = options;
    const { windows, venue, tickers, rules, timers } = options;
    this.#batches = this.register(
      new Throttle<string>({ timers, everyMs: () => BATCH_MS, deliver: (symbols) => this.#send(symbols) }),
    );
    this.register(
      windows.onDidChange(() => this.update()),
      windows.onDidChangeRole(() => this.update()),
      windows.onDidReceive((message) => this.#receiveMessage(message)),
      venue.onDidChange(() => this.restart()),
      venue.onDidChangeAddress(() => this.restart()),
      // A pair may have been listed only now.
      tickers.onDidChange(({ change }) => change?.rowsChanged && this.update()),
      rules.onDidChange(() => this.update()),
      () => this.#closeAll(),
    );
  }

  offers({ profile }: Watching): boolean {
    return profile.features.bookStream !== undefined;
  }

  follow(target: BookTarget, report: Following["report"]): () => void {
    const following = (this.#following = { ...target, report });
    this.update();
    return () => {
      if (this.#following !== following) return;
      this.#following = undefined;
      this.update();
    };
  }

  /** Opens and closes streams as needed now. */
  update(): void {
    const { windows, port } = this.#options;
    windows.setDemand({ book: port.isOn() ? this.#following?.named.symbol : undefined });
    const wanted = this.#wanted();
    for (const symbol of this.#streams.keys()) if (!wanted.has(symbol)) this.#close(symbol);
    for (const [symbol, named] of wanted)
      if (!this.#streams.has(symbol)) void this.#open({ symbol, pair: named.pair }, this.#round);
  }

  /** Reopens all streams: another exchange or address, or the computer slept. */
  restart(): void {
    this.#closeAll();
    this.update();
  }

  #wanted(): Map<string, NamedPair> {
    const { windows, venue, tickers, port } = this.#options;
    if (!port.isOn() || !venue.venue?.profile.features.bookStream) return new Map();
    const symbols = new Set(windows.demandsFor("market").flatMap(({ book }) => book ?? []));
    const listed = [...symbols].flatMap((symbol) => tickers.ticker(symbol) ?? []);
    return new Map(listed.slice(0, MAX_STREAMS).map((named) => [named.symbol, named]));
  }

  async #open(named: NamedPair, round: number): Promise<void> {
    const { venue, port, rules, timers, random, log } = this.#options;
    // After a sleep, both the streams and the book restart: deferred, so that one connection is opened after both.
    await Promise.resolve();
    const { profile } = venue.venue ?? {};
    const path = profile?.features.bookStream?.path;
    const { symbol } = named;
    const isOutdated = round !== this.#round || this.#streams.has(symbol) || !this.#wanted().has(symbol);
    if (isOutdated || !profile || path === undefined) return;
    const pairingId = rules.pairingIdOf(named.pair);
    if (pairingId === undefined) return this.#retryLater();
    const stream = new BookStream({
      profile,
      path,
      pairingId,
      open: port.open,
      timers,
      random,
      received: (news, at) => this.#receive(symbol, stream, { ...news, at }),
      log: (message) => log.debug(message),
    });
    this.#streams.set(symbol, stream);
  }

  /** The pairing id may be known only after another read of all pairs. */
  #retryLater(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.update());
  }

  #receive(symbol: string, stream: BookStream, update: StreamedUpdate): void {
    const { checkWake, windows } = this.#options;
    checkWake();
    // Ignore streams opened before the wake-up, and everything once this window no longer leads.
    if (this.#streams.get(symbol) !== stream || !windows.reads("market")) return;
    if (this.#following?.named.symbol === symbol) this.#following.report(update);
    if (!windows.hasFollowers || windows.role !== "leader") return;
    this.#unsent.set(symbol, { ...this.#unsent.get(symbol), ...update });
    this.#batches.add([symbol]);
  }

  #send(symbols: ReadonlySet<string>): void {
    const { windows } = this.#options;
    const { venue } = windows.demand;
    for (const symbol of symbols) {
      const update = this.#unsent.get(symbol);
      this.#unsent.delete(symbol);
      if (update && venue !== undefined && windows.role === "leader")
        windows.publish(bookMessage({ venue, symbol }, update));
    }
  }

  #receiveMessage(message: LeaderUpdate | Announcement | Request): void {
    const { windows, port } = this.#options;
    const following = this.#following;
    if (message.type !== "book" || !following || !port.isOn() || windows.reads("market")) return;
    if (message.venue === windows.demand.venue && message.symbol === following.named.symbol)
      following.report(updateOf(message));
  }

  #close(symbol: string): void {
    this.#streams.get(symbol)?.dispose();
    this.#streams.delete(symbol);
    this.#unsent.delete(symbol);
  }

  #closeAll(): void {
    this.#round += 1;
    this.#cancelRetry?.();
    for (const symbol of this.#streams.keys()) this.#close(symbol);
  }
}
