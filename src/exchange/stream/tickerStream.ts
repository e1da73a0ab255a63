import { isRecord } from "../../market/exactJson.ts";
import type { Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { NamedPair } from "../capabilities.ts";
import type { ServiceProfile } from "../profile.ts";
import { readTicker } from "../wire/tickers.ts";
import { mayRepeat, readFrame } from "./frames.ts";
import { ReconnectingSocket, type StreamTimers } from "./reconnectingSocket.ts";
import { streamUrl, type OpenSocket } from "./socket.ts";

export interface TickerStreamOptions {
  readonly profile: ServiceProfile;
  /** The path of the profile's `tickerStream`. */
  readonly path: string;
  /** The pairs to subscribe to. Their names are part of the address, so about 180 fit. */
  readonly pairs: Iterable<NamedPair>;
  readonly open: OpenSocket;
  readonly timers: StreamTimers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /** The newest ticker of a pair, at the moment of its arrival. */
  readonly received: (ticker: Ticker) => void;
  /** The connection ended. It is opened again after a wait. */
  readonly lost: () => void;
  /** Counts and causes, no foreign text. */
  readonly log: (message: string) => void;
}

/** A ticker is one flat object; a service may add a little. */
const BOUNDS = { longest: 16 * 1024, deepest: 4 };
const PREFIX = "market.ticker.";
const MARK = `"${PREFIX}`;
const PRICES = ["stream", "last", "lowestAsk", "highestBid", "isFrozen"];

/** The tickers of some pairs over one connection. Frames about other things are dropped before they are parsed. */
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
      ended: ({ reason, detail }) => {
        log(`Ticker stream of ${this.#pairs.size} pairs ended (${reason}): ${detail}`);
        lost();
      },
    });
  }

  dispose(): void {
    this.#socket.dispose();
  }

  /** One ticker, or several on a line each. */
  #take(text: string): void {
    if (!text.includes("\n")) this.#handleLine(text);
    else for (const line of text.split("\n")) this.#handleLine(line);
  }

  #handleLine(text: string): void {
    // Before parsing: other streams of the service may be several times as busy.
    if (!text.includes(MARK)) return;
    const value = readFrame(text, BOUNDS);
    const name: unknown = isRecord(value) ? value["stream"] : undefined;
    const named = typeof name === "string" ? this.#pairs.get(name) : undefined;
    if (!named || !isRecord(value) || mayRepeat(text, PRICES)) return;
    const ticker = readTicker(named.pair, value);
    if (ticker) this.#received(ticker);
  }
}

/** `market.ticker.thb_btc`. */
function nameOf({ quote, base }: Pair): string {
  return `${PREFIX}${quote}_${base}`.toLowerCase();
}
