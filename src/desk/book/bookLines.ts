import type { NamedPair } from "../../exchange/capabilities.ts";
import { BookStream } from "../../exchange/stream/bookStream.ts";
import type { Announcement, Reading, Request } from "../../hub/protocol.ts";
import { Collector } from "../collector.ts";
import { Disposable } from "../disposable.ts";
import type { PairRules } from "../feeds/pairRules.ts";
import type { StreamPort } from "../feeds/streamFeed.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import { bookMessage, newsOf, type LineNews } from "./bookMessages.ts";

/** Who hears of one book. */
export interface LineListener {
  readonly told: (news: LineNews) => void;
  /** The connection is gone, or another window connects from now on. */
  readonly lost: () => void;
}

export interface BookLinesOptions {
  readonly port: StreamPort;
  readonly windows: Windows;
  readonly venue: Pick<CurrentVenue, "venue" | "onDidChange" | "onDidMove">;
  readonly tickers: Pick<TickerFeed, "ticker" | "onDidChange">;
  /** Knows the numbers of pairs. */
  readonly rules: Pick<PairRules, "pairingIdOf" | "onDidChange">;
  readonly timers: Timers;
  readonly random: () => number;
  /** Called when a frame has arrived, before it is used: the computer may have slept meanwhile. */
  readonly checkWake: () => void;
  readonly log: { debug(message: string): void };
}

/** The other windows get the newest state so often at most. */
const BATCH_MS = 250;
const RETRY_MS = 60_000;
/** One connection for each book that is visible in some window. */
const MOST_LINES = 8;

/**
 * The book streams of all windows: opened by the window that reads the market, one for each book that is visible in any of
 * them. It sends to the others what their books need.
 */
export class BookLines extends Disposable {
  readonly #options: BookLinesOptions;
  readonly #lines = new Map<string, BookStream>();
  /** What the other windows were not told yet. */
  readonly #unsent = new Map<string, LineNews>();
  readonly #batches: Collector<string>;
  #listener: (LineListener & { readonly named: NamedPair }) | undefined;
  #cancelRetry: (() => void) | undefined;
  /** The newest set of lines: what was begun for an older one is dropped. */
  #round = 0;
  #wasReading: boolean | undefined;

  constructor(options: BookLinesOptions) {
    super();
    this.#options = options;
    const { windows, venue, tickers, rules, timers } = options;
    this.#batches = this.register(
      new Collector<string>({ timers, everyMs: () => BATCH_MS, deliver: (symbols) => this.#send(symbols) }),
    );
    this.register(
      windows.onDidChange(() => this.follow()),
      windows.onDidChangeRole(() => this.follow()),
      windows.onDidHear((message) => this.#hear(message)),
      venue.onDidChange(() => this.restart()),
      venue.onDidMove(() => this.restart()),
      // A pair may be listed only now, or its number known.
      tickers.onDidChange(({ change }) => change?.rowsChanged && this.follow()),
      rules.onDidChange(() => this.follow()),
      () => this.#closeAll(),
    );
  }

  /** Tells news of one book until the returned function is called. One book at a time. */
  hear(named: NamedPair, listener: LineListener): () => void {
    const given = { named, ...listener };
    this.#listener = given;
    this.follow();
    return () => {
      if (this.#listener !== given) return;
      this.#listener = undefined;
      this.follow();
    };
  }

  /** Opens and closes connections as they are needed now: another window leads, or the setting changed. */
  follow(): void {
    const { windows, port } = this.#options;
    windows.setDemand({ book: port.isOn() ? this.#listener?.named.symbol : undefined });
    const isReading = windows.reads("market");
    if (this.#wasReading !== isReading) this.#listener?.lost();
    this.#wasReading = isReading;
    const wanted = this.#wanted();
    for (const symbol of this.#lines.keys()) if (!wanted.has(symbol)) this.#close(symbol);
    for (const [symbol, named] of wanted)
      if (!this.#lines.has(symbol)) void this.#open({ symbol, pair: named.pair }, this.#round);
  }

  /** Begins anew: another exchange, another address, or the computer slept. */
  restart(): void {
    this.#closeAll();
    this.#listener?.lost();
    this.follow();
  }

  #wanted(): Map<string, NamedPair> {
    const { windows, venue, tickers, port } = this.#options;
    if (!port.isOn() || !venue.venue?.profile.features.bookStream) return new Map();
    const symbols = new Set(windows.demandsFor("market").flatMap(({ book }) => book ?? []));
    const listed = [...symbols].flatMap((symbol) => tickers.ticker(symbol) ?? []);
    return new Map(listed.slice(0, MOST_LINES).map((named) => [named.symbol, named]));
  }

  async #open(named: NamedPair, round: number): Promise<void> {
    const { venue, port, rules, timers, random, log } = this.#options;
    // A wake restarts the lines and then the book, which closes its line: one connection is opened after both.
    await Promise.resolve();
    const { profile } = venue.venue ?? {};
    const path = profile?.features.bookStream?.path;
    const { symbol } = named;
    const isOutdated = round !== this.#round || this.#lines.has(symbol) || !this.#wanted().has(symbol);
    if (isOutdated || !profile || path === undefined) return;
    const pairingId = rules.pairingIdOf(named.pair);
    if (pairingId === undefined) return this.#retryLater();
    const line = new BookStream({
      profile,
      path,
      pairingId,
      open: port.open,
      timers,
      random,
      received: (news, at) => this.#receive(symbol, line, { ...news, at }),
      lost: () => this.#lose(symbol, line),
      log: (message) => log.debug(message),
    });
    this.#lines.set(symbol, line);
  }

  /** The number of a pair may be known only after another reading of all pairs. */
  #retryLater(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.follow());
  }

  #receive(symbol: string, line: BookStream, news: LineNews): void {
    const { checkWake, windows } = this.#options;
    checkWake();
    // A wake ends the lines of before, and a window that was replaced speaks for nobody.
    if (this.#lines.get(symbol) !== line || !windows.reads("market")) return;
    if (this.#listener?.named.symbol === symbol) this.#listener.told(news);
    if (!windows.hasFollowers || windows.role !== "leader") return;
    this.#unsent.set(symbol, { ...this.#unsent.get(symbol), ...news });
    this.#batches.add([symbol]);
  }

  #lose(symbol: string, line: BookStream): void {
    if (this.#lines.get(symbol) !== line) return;
    this.#unsent.delete(symbol);
    if (this.#listener?.named.symbol === symbol) this.#listener.lost();
    const { windows, timers } = this.#options;
    const { venue } = windows.demand;
    if (venue !== undefined && windows.hasFollowers && windows.role === "leader")
      windows.publish({ type: "book", venue, symbol, at: timers.now(), isUp: false });
  }

  #send(symbols: ReadonlySet<string>): void {
    const { windows } = this.#options;
    const { venue } = windows.demand;
    for (const symbol of symbols) {
      const news = this.#unsent.get(symbol);
      this.#unsent.delete(symbol);
      if (news && venue !== undefined && windows.role === "leader")
        windows.publish(bookMessage({ venue, symbol }, news));
    }
  }

  #hear(message: Reading | Announcement | Request): void {
    const { windows, port } = this.#options;
    const listener = this.#listener;
    if (message.type !== "book" || !listener || !port.isOn() || windows.reads("market")) return;
    if (message.venue !== windows.demand.venue || message.symbol !== listener.named.symbol) return;
    if (message.isUp) listener.told(newsOf(message));
    else listener.lost();
  }

  #close(symbol: string): void {
    this.#lines.get(symbol)?.dispose();
    this.#lines.delete(symbol);
    this.#unsent.delete(symbol);
  }

  #closeAll(): void {
    this.#round += 1;
    this.#cancelRetry?.();
    for (const symbol of this.#lines.keys()) this.#close(symbol);
  }
}
