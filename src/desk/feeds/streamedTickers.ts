import type { OpenSocket } from "../../exchange/stream/socket.ts";
import { TickerStream } from "../../exchange/stream/tickerStream.ts";
import type { Ticker } from "../../market/ticker.ts";
import { Throttle } from "../time/throttle.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { marketIntervalMs } from "../windows/readIntervals.ts";
import type { Windows } from "../windows/windows.ts";
import type { Source } from "./source.ts";
import type { MarketUpdate, StreamedPrice } from "./marketState.ts";
import { MAX_STREAMED } from "./priceDemand.ts";

/** Access to streams. */
export interface StreamPort {
  readonly open: OpenSocket;
  /** The setting `bidside.markets.live`. */
  readonly isOn: () => boolean;
}

export interface StreamedTickersOptions {
  readonly port: StreamPort;
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  /** The listed pair of a key. */
  readonly listed: (symbol: string) => Ticker | undefined;
  readonly timers: Timers;
  readonly random: () => number;
  /** Called for each price before it is used: the computer may have slept. */
  readonly checkWake: () => void;
  readonly log: { debug(message: string): void };
}

/** Minimum interval of reported updates: faster ones are not visible. */
const PAINT_MS = 50;
/** Views that open together set their pairs within this time. */
const SETTLE_MS = 100;
/** Minimum interval between changes of the pairs, because each is a new connection. */
const CHANGE_MS = 5000;
/** Number of most important pairs that must be streamed. The others fill up the connection. */
const MUST_STREAM = 40;

/**
 * Streamed prices for all windows with this market: over one socket, opened by the window that polls, for the visible
 * pairs.
 */
export class StreamedTickers extends Disposable implements Source<Watching, MarketUpdate> {
  readonly #options: StreamedTickersOptions;
  /** The newest price of each pair that is not reported yet. */
  readonly #arrived = new Map<string, StreamedPrice>();
  readonly #painter: Throttle<string>;
  #report: ((update: MarketUpdate) => void) | undefined;
  #symbols: ReadonlySet<string> = new Set();
  /** Identifies the newest connection. Prices of older ones are ignored. */
  #round = 0;
  #stream: TickerStream | undefined;
  #connectedAt = Number.NEGATIVE_INFINITY;
  #cancelChange: (() => void) | undefined;

  constructor(options: StreamedTickersOptions) {
    super();
    this.#options = options;
    const { timers, windows, venue } = options;
    this.#painter = new Throttle({ timers, everyMs: () => PAINT_MS, deliver: () => this.#paint() });
    this.register(
      windows.onDidChange(() => this.update()),
      windows.onDidChangeRole(() => this.update()),
      venue.onDidChangeAddress(() => this.restart()),
      this.#painter,
      () => this.#close(),
      () => this.#cancelChange?.(),
    );
  }

  offers({ profile }: Watching): boolean {
    return profile.features.tickerStream !== undefined;
  }

  follow(_: Watching, report: (update: MarketUpdate) => void): () => void {
    this.#report = report;
    this.restart();
    return () => {
      if (this.#report !== report) return;
      this.#report = undefined;
      this.restart();
    };
  }

  /** Opens, closes or replaces the connection as needed now. */
  update(): void {
    const wanted = this.#wanted();
    if (wanted.length === 0) this.#close();
    else if (!this.#isEnough(wanted)) this.#changeSoon();
  }

  #changeSoon(): void {
    const { timers } = this.#options;
    const waitMs = this.#connectedAt + CHANGE_MS - timers.now();
    this.#cancelChange ??= timers.after(Math.max(SETTLE_MS, Math.min(CHANGE_MS, waitMs)), () => {
      this.#cancelChange = undefined;
      this.#connect();
    });
  }

  /** Reconnects: another exchange or address, or the computer slept. */
  restart(): void {
    this.#close();
    this.#connectedAt = Number.NEGATIVE_INFINITY;
    this.#cancelChange?.();
    this.#cancelChange = undefined;
    this.update();
  }

  /** Symbols to stream, the most important ones of each window first. */
  #wanted(): readonly string[] {
    const { port, windows, listed } = this.#options;
    const demands = windows.demandsFor("market");
    if (!this.#report || !port.isOn() || marketIntervalMs(demands) === undefined) return [];
    const lists = demands.map(({ prices = [] }) => prices);
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
    const symbols = inTurn.flatMap((symbol) => listed(symbol)?.symbol ?? []);
    return [...new Set(symbols)].slice(0, MAX_STREAMED);
  }

  /** Whether the connection need not be replaced. Rows move all the time, and each change costs a connection. */
  #isEnough(wanted: readonly string[]): boolean {
    const isComplete = wanted.slice(0, MUST_STREAM).every((symbol) => this.#symbols.has(symbol));
    const stillWanted = wanted.filter((symbol) => this.#symbols.has(symbol));
    return isComplete && 2 * stillWanted.length >= this.#symbols.size;
  }

  #connect(): void {
    const { venue, listed, port, timers, random, log } = this.#options;
    const wanted = this.#wanted();
    const { profile } = venue.venue ?? {};
    const path = profile?.features.tickerStream?.path;
    if (!profile || path === undefined || wanted.length === 0 || this.#isEnough(wanted)) return;
    this.#close();
    const round = this.#round;
    this.#symbols = new Set(wanted);
    this.#connectedAt = timers.now();
    this.#stream = new TickerStream({
      profile,
      path,
      pairs: wanted.flatMap((symbol) => listed(symbol) ?? []),
      open: port.open,
      timers,
      random,
      received: (ticker) => this.#receive(ticker, round),
      lost: () => this.#end(),
      log: (message) => log.debug(message),
    });
  }

  #receive(ticker: Ticker, round: number): void {
    const { checkWake, timers } = this.#options;
    checkWake();
    // The wake-up may have replaced the connection.
    if (round !== this.#round) return;
    const price = { ticker, at: timers.now() };
    this.#arrived.set(ticker.symbol, price);
    this.#painter.add([ticker.symbol]);
  }

  #paint(): void {
    const prices = [...this.#arrived.values()];
    this.#arrived.clear();
    this.#report?.({ kind: "prices", prices });
  }

  #close(): void {
    if (this.#symbols.size === 0) return;
    this.#round += 1;
    this.#stream?.dispose();
    this.#stream = undefined;
    this.#symbols = new Set();
    this.#end();
  }

  #end(): void {
    this.#painter.clear();
    this.#arrived.clear();
    this.#report?.({ kind: "streamOver" });
  }
}
