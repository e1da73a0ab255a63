import type { OpenSocket } from "../../exchange/stream/socket.ts";
import { TickerStream } from "../../exchange/stream/tickerStream.ts";
import type { Ticker } from "../../market/ticker.ts";
import { Collector } from "../collector.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue } from "../venue.ts";
import { marketIntervalMs } from "../windows/readIntervals.ts";
import type { Windows } from "../windows/windows.ts";
import { Contradictions, TOLERANCE } from "./contradictions.ts";
import { MOST_STREAMED, type StreamedPrice, type TickerFeed } from "./tickerFeed.ts";

/** The port to streams. */
export interface StreamPort {
  readonly open: OpenSocket;
  /** The setting `bidside.markets.live`. */
  readonly isOn: () => boolean;
}

export interface StreamedTickersOptions {
  readonly port: StreamPort;
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly timers: Timers;
  readonly random: () => number;
  /** Called when a price has arrived, before it is used: the computer may have slept meanwhile. */
  readonly checkWake: () => void;
  readonly log: { debug(message: string): void; warn(message: string): void };
}

/** The interval of painting: faster updates are not visible. */
const PAINT_MS = 50;
/** Views that open together name their pairs within this time. */
const SETTLE_MS = 100;
/** The pairs change no more often than this, because each change is a new connection. */
const CHANGE_MS = 5000;
/** Of the most important pairs, so many must be streamed at any time. The others fill up the connection. */
const MUST_STREAM = 40;

/**
 * Paints streamed prices over the readings of all windows with this market: over one socket, opened by the window that reads, with
 * the pairs that can be seen. The readings go on as without it.
 */
export class StreamedTickers extends Disposable {
  readonly #options: StreamedTickersOptions;
  /** The newest price of each pair that arrived and is not painted. */
  readonly #arrived = new Map<string, StreamedPrice>();
  readonly #painter: Collector<string>;
  readonly #contradictions = new Contradictions();
  /** The newest price of each pair, for the comparison with the next reading. */
  readonly #newest = new Map<string, StreamedPrice>();
  #comparedAt: number | undefined;
  #symbols: ReadonlySet<string> = new Set();
  /** Belongs to the newest connection: nothing that an older one sends counts. */
  #round = 0;
  #stream: TickerStream | undefined;
  #connectedAt = Number.NEGATIVE_INFINITY;
  #cancelChange: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(options: StreamedTickersOptions) {
    super();
    this.#options = options;
    const { timers, windows, venue, tickers } = options;
    this.#painter = new Collector({ timers, everyMs: () => PAINT_MS, deliver: () => this.#paint() });
    this.register(
      windows.onDidChange(() => this.follow()),
      windows.onDidChangeRole(() => this.follow()),
      venue.onDidChange(() => this.restart()),
      venue.onDidMove(() => this.restart()),
      tickers.onDidChange(({ change, isStreamed }) => {
        if (isStreamed) return;
        this.#compare();
        // The first reading of an exchange has the names.
        if (change?.rowsChanged) this.follow();
      }),
      this.#painter,
      () => this.#close(),
      () => this.#cancelRetry?.(),
      () => this.#cancelChange?.(),
    );
  }

  /** Opens or closes the connection, or changes its names, as it is needed now. */
  follow(): void {
    if (this.#cancelRetry) return;
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

  /** Begins anew: another exchange, another address, or the computer slept. */
  restart(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#contradictions.clear();
    this.#close();
    this.#connectedAt = Number.NEGATIVE_INFINITY;
    this.#cancelChange?.();
    this.#cancelChange = undefined;
    this.follow();
  }

  /** The symbols of the pairs to stream, the most important ones of each window first. */
  #wanted(): readonly string[] {
    const { port, windows, venue, tickers } = this.#options;
    const demands = windows.demandsFor("market");
    const isOffered = venue.venue?.profile.features.tickerStream !== undefined;
    if (!port.isOn() || !isOffered || marketIntervalMs(demands) === undefined) return [];
    const lists = demands.map(({ prices = [] }) => prices);
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
    // A symbol may be one that was kept before, in an exchange's own order and case.
    const listed = inTurn.flatMap((symbol) => tickers.readTicker(symbol)?.symbol ?? []);
    return [...new Set(listed)].slice(0, MOST_STREAMED);
  }

  /** Rows change their places all the time, and each change of the names costs a connection. */
  #isEnough(wanted: readonly string[]): boolean {
    const isComplete = wanted.slice(0, MUST_STREAM).every((symbol) => this.#symbols.has(symbol));
    const kept = wanted.filter((symbol) => this.#symbols.has(symbol));
    return isComplete && 2 * kept.length >= this.#symbols.size;
  }

  #connect(): void {
    const { venue, tickers, port, timers, random, log } = this.#options;
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
      pairs: wanted.flatMap((symbol) => tickers.reading.tickers.get(symbol) ?? []),
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
    // A wake closes the connection from before.
    if (round !== this.#round) return;
    const price = { ticker, at: timers.now() };
    this.#newest.set(ticker.symbol, price);
    this.#arrived.set(ticker.symbol, price);
    this.#painter.add([ticker.symbol]);
  }

  #paint(): void {
    const arrived = [...this.#arrived.values()];
    this.#arrived.clear();
    this.#options.tickers.overlay(arrived);
  }

  #close(): void {
    if (this.#symbols.size === 0) return;
    this.#round += 1;
    this.#stream?.dispose();
    this.#stream = undefined;
    this.#symbols = new Set();
    this.#end();
  }

  #end(isWrong = false): void {
    this.#painter.clear();
    this.#arrived.clear();
    this.#newest.clear();
    this.#options.tickers.endOverlay(isWrong);
  }

  /** Compares what was painted since the reading before with the newest one. */
  #compare(): void {
    const { reading } = this.#options.tickers;
    const since = this.#comparedAt;
    if (reading.readAt === undefined || reading.readAt === since) return;
    this.#comparedAt = reading.readAt;
    const wrong: string[] = [];
    for (const [symbol, { ticker, at }] of this.#newest) {
      const read = reading.tickers.get(symbol);
      if (!read || at <= (since ?? 0)) continue;
      if (this.#contradictions.note(symbol, agree(ticker, read))) wrong.push(symbol);
    }
    if (wrong.length > 0) this.#drop(wrong.length);
  }

  #drop(pairs: number): void {
    const { timers, log, tickers } = this.#options;
    const waitMs = this.#contradictions.fail(timers.now());
    log.warn(
      `The ticker stream contradicted two readings in a row (${pairs} pairs): closed for ${Math.round(waitMs / 1000)} s`,
    );
    this.#close();
    tickers.endOverlay(true);
    this.#cancelRetry = timers.after(waitMs, () => {
      this.#cancelRetry = undefined;
      this.follow();
    });
  }
}

function agree(streamed: Ticker, read: Ticker): boolean {
  if (streamed.frozen !== read.frozen) return false;
  if (streamed.last === undefined || read.last === undefined) return streamed.last === read.last;
  return Math.abs(streamed.last - read.last) <= TOLERANCE * read.last;
}
