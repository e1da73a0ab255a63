import type { ServiceProfile } from "../profile.ts";
import { bookEventOf, decodeBookFrame, type BookEvent, type BookNews } from "../wire/bookFrames.ts";
import type { Timers } from "../../time/timers.ts";
import { ReconnectingSocket } from "./reconnectingSocket.ts";
import { streamUrl, type OpenSocket } from "./socket.ts";

export interface BookStreamOptions {
  readonly profile: ServiceProfile;
  /** Path of the profile's `bookStream`. */
  readonly path: string;
  /** The exchange's number for the pair. */
  readonly pairingId: number;
  readonly open: OpenSocket;
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for jitter. */
  readonly random: () => number;
  /** `at`: when the frame arrived, ms since the epoch. */
  readonly received: (news: BookNews, at: number) => void;
  /** Receives counts and causes, never untrusted text. */
  readonly log: (message: string) => void;
}

/** Minimum interval between parses: a flood of whole books would keep the process busy. */
const PARSE_MS = 50;

/**
 * Streams the book and the trades of one pair. If frames arrive faster than they are parsed, older ones are skipped.
 */
export class BookStream {
  readonly #options: BookStreamOptions;
  readonly #socket: ReconnectingSocket;
  /** The newest frame of each kind, until it is parsed. */
  readonly #waiting = new Map<BookEvent, { readonly text: string; readonly at: number }>();
  #cancel: (() => void) | undefined;

  /** Connects at once. */
  constructor(options: BookStreamOptions) {
    this.#options = options;
    const { profile, path, pairingId, open, timers, random, log } = options;
    const url = streamUrl(profile, path + String(pairingId));
    this.#socket = new ReconnectingSocket({
      connect: (events) => open(url, events),
      timers,
      random,
      frame: (text) => this.#take(text),
      ended: (end) => {
        log(`Book stream ended (${end.reason}): ${end.detail}`);
        this.#forget();
      },
    });
  }

  dispose(): void {
    this.#forget();
    this.#socket.dispose();
  }

  #take(text: string): void {
    const event = bookEventOf(text);
    if (!event) return;
    this.#waiting.set(event, { text, at: this.#options.timers.now() });
    if (!this.#cancel) this.#parse();
  }

  #parse(): void {
    const { pairingId, received, timers } = this.#options;
    const frames = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#cancel =
      frames.length === 0
        ? undefined
        : timers.after(PARSE_MS, () => {
            this.#cancel = undefined;
            this.#parse();
          });
    for (const { text, at } of frames) {
      const news = decodeBookFrame(text, pairingId);
      if (news) received(news, at);
    }
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#waiting.clear();
  }
}
