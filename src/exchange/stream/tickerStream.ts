import { isRecord } from "../wire/exactJson.ts";
import type { Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { NamedPair } from "../../market/pair.ts";
import type { ServiceProfile } from "../profile.ts";
import { readTicker } from "../wire/tickers.ts";
import { mayRepeat, readFrame } from "./frames.ts";
import type { Timers } from "../../time/timers.ts";
import { ReconnectingSocket } from "./reconnectingSocket.ts";
import { streamUrl, type OpenSocket } from "./socket.ts";

export interface TickerStreamOptions {
  readonly profile: ServiceProfile;
  /** Path of the profile's `tickerStream`. */
  readonly path: string;
  /** Pairs to subscribe to. Their names are part of the URL, so at most about 180 fit. */
  readonly pairs: Iterable<NamedPair>;
  readonly open: OpenSocket;
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for jitter. */
  readonly random: () => number;
  /** Called with each ticker as it arrives. */
  readonly received: (ticker: Ticker) => void;
  /** The connection ended or became quiet: the tickers are no longer known to be current until the next one. */
  readonly lost: () => void;
  /** Receives counts and causes, never untrusted text. */
  readonly log: (message: string) => void;
}

/** A ticker is one flat object, to which a service may add a little. */
const BOUNDS = { longest: 16 * 1024, deepest: 4 };
const PREFIX = "market.ticker.";
const MARK = `"${PREFIX}`;
const PRICES = ["stream", "last", "lowestAsk", "highestBid", "isFrozen"];

/** Streams the tickers of some pairs over one connection. Other frames are dropped without parsing. */
export class TickerStream {
  readonly #received: TickerStreamOptions["received"];
  readonly #pairs: ReadonlyMap<string, NamedPair>;
  readonly #socket: ReconnectingSocket;

  /** Connects at once. */
  constructor(options: TickerStreamOptions) {
    const { profile, path, pairs, open, timers, random, received, lost, log } = options;
    this.#received = received;
    this.#pairs = new Map(Array.from(pairs, ({ symbol, pair }) => [nameOf(pair), { symbol, pair }]));
    const url = streamUrl(profile, path + [...this.#pairs.keys()].join(","));
    this.#socket = new ReconnectingSocket({
      connect: (events) => open(url, events),
      timers,
      random,
      frame: (text) => this.#take(text),
      quiet: lost,
      ended: ({ reason, detail }) => {
        log(`Ticker stream of ${this.#pairs.size} pairs ended (${reason}): ${detail}`);
        lost();
      },
    });
  }

  dispose(): void {
    this.#socket.dispose();
  }

  /** A frame is one ticker, or several on one line each. */
  #take(text: string): void {
    if (!text.includes("\n")) this.#handleLine(text);
    else for (const line of text.split("\n")) this.#handleLine(line);
  }

  #handleLine(text: string): void {
    // Checked before parsing, because a service's other streams may be several times as busy.
    if (!text.includes(MARK)) return;
    const value = readFrame(text, BOUNDS);
    const name: unknown = isRecord(value) ? value["stream"] : undefined;
    const named = typeof name === "string" ? this.#pairs.get(name) : undefined;
    if (!named || !isRecord(value) || mayRepeat(text, PRICES)) return;
    const ticker = readTicker(named.pair, value);
    if (ticker && isWhole(ticker)) this.#received(ticker);
  }
}

/** Whether a ticker has a last price, or both offers of a new pair: a frame with less may only be part of one. */
function isWhole({ last, bestBid, bestAsk }: Ticker): boolean {
  return last !== undefined || (bestBid !== undefined && bestAsk !== undefined);
}

/** `market.ticker.thb_btc`. */
function nameOf({ quote, base }: Pair): string {
  return `${PREFIX}${quote}_${base}`.toLowerCase();
}
