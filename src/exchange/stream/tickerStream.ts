import { isRecord } from "../../market/exactJson.ts";
import type { Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { NamedPair } from "../capabilities.ts";
import type { ServiceProfile } from "../profile.ts";
import { readTicker } from "../wire/tickers.ts";
import { mayRepeat, readFrame } from "./frames.ts";
import { Line, type StreamTimers } from "./line.ts";
import { streamUrl, type OpenSocket, type StreamEnd } from "./socket.ts";

export interface TickerStreamOptions {
  readonly profile: ServiceProfile;
  /** The path of the profile's `tickerStream`. */
  readonly path: string;
  /** The pairs to hear of. */
  readonly pairs: Iterable<NamedPair>;
  readonly open: OpenSocket;
  readonly timers: StreamTimers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** The newest ticker of a pair, at the moment of its arrival. */
  readonly received: (ticker: Ticker) => void;
  /** `isUp`, `isWhole` or `silent` has changed. */
  readonly changed: () => void;
  /** A connection that sent nothing for this time in ms may be dead, long before it counts as ended. */
  readonly quietMs: number;
  /**
   * Called right before a ticker is passed on, while `isUp`, if it is the first one of its connection, or the first one after the
   * connection was quiet.
   */
  readonly joined: () => void;
  /** Counts and causes, no foreign text. */
  readonly log: (message: string) => void;
}

/** Characters of the names in one address: 183 usual names fit, and twice as many are refused with HTTP 414. */
const LONGEST_NAMES = 4000;
/** A name that sent nothing for this time after its connection opened is silent: it may be wrong. */
const FIRST_FRAME_MS = 15_000;
const TOO_LONG: ReadonlySet<number | undefined> = new Set([414, 431]);

/** A ticker is one flat object; a service may add a little. */
const BOUNDS = { longest: 16 * 1024, deepest: 4 };
const PREFIX = "market.ticker.";
const MARK = `"${PREFIX}`;
const PRICES = ["stream", "last", "lowestAsk", "highestBid", "isFrozen"];

/** The names of one address, and its connection. */
interface Part {
  readonly pairs: ReadonlyMap<string, NamedPair>;
  /** The names that sent a frame since the connection opened. */
  readonly spoken: Set<string>;
  /** The symbols of names that have never sent a frame in time. */
  readonly silent: Set<string>;
  line: Line | undefined;
  /** When its newest ticker arrived, or it opened. ms since the epoch. */
  heardAt: number;
  cancelFirstFrame: (() => void) | undefined;
}

/**
 * The tickers of many pairs over as many connections as their addresses need. Each connection is opened again by itself.
 * Frames about other things are dropped before they are parsed.
 */
export class TickerStream {
  readonly #options: TickerStreamOptions;
  readonly #parts = new Set<Part>();
  #wasUp = false;
  #cancelRest: (() => void) | undefined;
  #isDisposed = false;

  /** Connects at once. */
  constructor(options: TickerStreamOptions) {
    this.#options = options;
    const named = Array.from(options.pairs, ({ symbol, pair }) => ({ symbol, pair }));
    for (const pairs of splitNames(named)) this.#add(pairs);
  }

  /**
   * Whether every connection is open and has sent a frame since. A connection whose names have all been silent from the
   * first moment does not count: they may be wrong.
   */
  get isUp(): boolean {
    const parts = [...this.#parts];
    const counting = parts.filter(({ pairs, silent }) => silent.size < pairs.size);
    return counting.length > 0 && counting.every(({ line, spoken }) => line?.isOpen && spoken.size > 0);
  }

  /** Whether every name has sent a frame over an open connection, except those that never sent one in time. */
  get isWhole(): boolean {
    return this.isUp && [...this.#parts].every((part) => isWhole(part));
  }

  /** The time in ms since the newest ticker of the quietest connection that counts for `isUp`. */
  get quietMs(): number {
    const now = this.#options.timers.now();
    const counting = [...this.#parts].filter(({ pairs, silent }) => silent.size < pairs.size);
    return Math.max(0, ...counting.map(({ heardAt }) => now - heardAt));
  }

  /** The symbols that sent nothing within the time for a first frame. */
  get silent(): readonly string[] {
    return [...this.#parts].flatMap(({ silent }) => [...silent]);
  }

  /**
   * Reads nothing for this time in ms: what arrives waits in the network, and is heard together. To read a connection a few times a
   * second costs a window a third less than to read each frame when it arrives.
   */
  rest(ms: number): void {
    this.#cancelRest?.();
    for (const { line } of this.#parts) line?.pause();
    this.#cancelRest = this.#options.timers.after(ms, () => this.endRest());
  }

  /** Reads on, from now. */
  endRest(): void {
    if (!this.#cancelRest) return;
    this.#cancelRest();
    this.#cancelRest = undefined;
    for (const { line } of this.#parts) line?.resume();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelRest?.();
    for (const part of this.#parts) this.#remove(part);
  }

  #add(pairs: readonly NamedPair[]): void {
    const { profile, path, open, timers, random } = this.#options;
    const part: Part = {
      pairs: new Map(pairs.map((named) => [nameOf(named.pair), named])),
      spoken: new Set(),
      silent: new Set(),
      line: undefined,
      heardAt: timers.now(),
      cancelFirstFrame: undefined,
    };
    this.#parts.add(part);
    const url = streamUrl(profile, path + [...part.pairs.keys()].join(","));
    part.line = new Line({
      connect: (events) => open(url, events),
      timers,
      random,
      opened: () => this.#awaitFirstFrames(part),
      frame: (text) => this.#take(part, text),
      ended: (end) => this.#ended(part, end),
    });
  }

  #remove(part: Part): void {
    this.#parts.delete(part);
    part.cancelFirstFrame?.();
    part.line?.dispose();
  }

  #awaitFirstFrames(part: Part): void {
    part.heardAt = this.#options.timers.now();
    part.cancelFirstFrame = this.#options.timers.after(FIRST_FRAME_MS, () => this.#noteSilent(part));
  }

  #noteSilent({ pairs, spoken, silent }: Part): void {
    for (const [name, { symbol }] of pairs) if (!spoken.has(name)) silent.add(symbol);
    // A connection whose names are all silent counts no longer, so the others may be up now.
    this.#tell(true);
  }

  #ended(part: Part, end: StreamEnd): boolean {
    const { log } = this.#options;
    const { pairs, spoken } = part;
    log(`Ticker stream of ${pairs.size} pairs ended (${end.reason}): ${end.detail}`);
    part.cancelFirstFrame?.();
    if (spoken.size === 0 && end.reason === "silent") this.#noteSilent(part);
    spoken.clear();
    const isTooLong = TOO_LONG.has(end.status) && pairs.size > 1;
    if (isTooLong && !this.#isDisposed) this.#halve(part);
    this.#tell();
    return !isTooLong;
  }

  #halve(part: Part): void {
    const named = [...part.pairs.values()];
    const half = Math.ceil(named.length / 2);
    this.#remove(part);
    for (const pairs of [named.slice(0, half), named.slice(half)]) this.#add(pairs);
  }

  /** One ticker, or several on a line each. */
  #take(part: Part, text: string): void {
    if (!text.includes("\n")) this.#takeLine(part, text);
    else for (const line of text.split("\n")) this.#takeLine(part, line);
  }

  #takeLine(part: Part, text: string): void {
    // Before parsing: other streams of the service may be several times as busy.
    if (!text.includes(MARK)) return;
    const value = readFrame(text, BOUNDS);
    const name: unknown = isRecord(value) ? value["stream"] : undefined;
    const named = typeof name === "string" ? part.pairs.get(name) : undefined;
    if (!named || !isRecord(value) || mayRepeat(text, PRICES)) return;
    const ticker = readTicker(named.pair, value);
    if (ticker) this.#hear(part, name as string, ticker);
  }

  #hear(part: Part, name: string, ticker: Ticker): void {
    const { spoken, silent } = part;
    const { timers, quietMs, joined } = this.#options;
    const now = timers.now();
    const wasQuiet = now - part.heardAt >= quietMs;
    part.heardAt = now;
    if (this.#wasUp && (wasQuiet || spoken.size === 0)) joined();
    const wasWhole = isWhole(part);
    spoken.add(name);
    const wasSilent = silent.delete(ticker.symbol);
    this.#options.received(ticker);
    const isOther = wasSilent || isWhole(part) !== wasWhole;
    if (isOther || !this.#wasUp) this.#tell(isOther);
  }

  #tell(isOther = false): void {
    const { isUp } = this;
    if (isUp === this.#wasUp && !isOther) return;
    this.#wasUp = isUp;
    this.#options.changed();
  }
}

function isWhole({ pairs, spoken, silent }: Part): boolean {
  return spoken.size + silent.size >= pairs.size;
}

/** `market.ticker.thb_btc`. */
function nameOf({ quote, base }: Pair): string {
  return `${PREFIX}${quote}_${base}`.toLowerCase();
}

/** Lists of pairs whose names fit into one address each, in their order. */
function splitNames(pairs: readonly NamedPair[]): NamedPair[][] {
  const parts: NamedPair[][] = [];
  let left = 0;
  for (const named of pairs) {
    const length = nameOf(named.pair).length + 1;
    if (length > left) {
      parts.push([]);
      left = LONGEST_NAMES;
    }
    parts.at(-1)?.push(named);
    left -= length;
  }
  return parts;
}
