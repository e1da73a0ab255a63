import { compareTickers, type Ticker, type TickerChange } from "../market/ticker.ts";
import { retryTime } from "./retryTime.ts";
import { Listeners } from "./listeners.ts";
import { Poll, type PollResult } from "./poll.ts";
import type { Timers } from "./timers.ts";
import { sameVenue, type CurrentVenue } from "./venue.ts";

/** The market as last seen. On failure the last data stay, with the problem beside them. */
export interface MarketState {
  /** Keyed by wire symbol. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** When the shown data were asked for, ms since the epoch: they are no older. Undefined before the first answer. */
  readonly readAt: number | undefined;
  /** Pairs left out of the newest answer because their entry could not be read. */
  readonly unreadable: number;
  /** What went wrong in the newest attempt, if it did. */
  readonly problem: unknown;
}

/** What a round changed, and whether the market became stale or fresh by it. */
export interface MarketEvent extends TickerChange {
  readonly staleChanged: boolean;
}

const EMPTY: MarketState = { tickers: new Map(), readAt: undefined, unreadable: 0, problem: undefined };

/** Reads all tickers of the current venue while someone watches, and says what changed. */
export class TickerFeed {
  readonly poll: Poll;
  readonly #venue: CurrentVenue;
  readonly #timers: Timers;
  readonly #changes = new Listeners<MarketEvent>();
  readonly #rounds = new Listeners<MarketState>();
  #state = EMPTY;
  #isDoubtful = false;
  #doubts = 0;

  /** Fires when a row or the staleness changed, never otherwise. */
  readonly onDidChange = this.#changes.add;
  /** Fires after every round, changed or not: for what shows the age of the data. */
  readonly onDidRead = this.#rounds.add;

  constructor(options: { venue: CurrentVenue; timers: Timers; random: () => number; intervalMs: number }) {
    this.#venue = options.venue;
    this.#timers = options.timers;
    this.poll = new Poll({ ...options, run: () => this.#read() });
  }

  get state(): MarketState {
    return this.#state;
  }

  ticker(symbol: string): Ticker | undefined {
    return this.#state.tickers.get(symbol);
  }

  /** Time since the shown data were asked for, in ms; undefined before the first answer, below zero after the clock was set back. */
  get ageMs(): number | undefined {
    const { readAt } = this.#state;
    return readAt === undefined ? undefined : this.#timers.now() - readAt;
  }

  /** Stale: the newest attempt failed, the data are in doubt, or they are older than two rounds and ten seconds. */
  get isStale(): boolean {
    const { ageMs } = this;
    if (ageMs === undefined) return false;
    return this.#isKnownStale || ageMs > this.#longestFreshMs;
  }

  /** How long the shown data will pass for fresh if nothing newer arrives, in ms. */
  get staleInMs(): number {
    return Math.max(0, this.#longestFreshMs - (this.ageMs ?? 0));
  }

  get #isKnownStale(): boolean {
    return this.#isDoubtful || this.#state.problem !== undefined;
  }

  get #longestFreshMs(): number {
    return 2 * this.poll.intervalMs + 10_000;
  }

  /** Nothing read so far passes for fresh any more, nor does an answer that is under way: the machine slept. */
  doubt(): void {
    const wasStale = this.#isKnownStale;
    this.#doubts += 1;
    this.#isDoubtful = this.#state.readAt !== undefined;
    if (this.#isDoubtful && !wasStale)
      this.#changes.fire({ changed: [], rowsChanged: false, staleChanged: true });
  }

  /** Forgets the market: the venue is another one now. */
  clear(): void {
    const had = this.#state.tickers.size > 0;
    this.#state = EMPTY;
    this.#isDoubtful = false;
    if (had) this.#changes.fire({ changed: [], rowsChanged: true, staleChanged: true });
    this.#rounds.fire(this.#state);
  }

  async #read(): Promise<PollResult> {
    const venue = this.#venue.venue;
    if (!venue) return { ok: true };
    const [readAt, doubts] = [this.#timers.now(), this.#doubts];
    try {
      const { tickers, unreadable } = await this.#venue.read(venue, (client) => client.tickers());
      if (!sameVenue(venue, this.#venue.venue)) return { ok: true };
      const wasStale = this.#isKnownStale;
      const change = compareTickers(this.#state.tickers, tickers);
      this.#state = { tickers, unreadable, readAt, problem: undefined };
      this.#isDoubtful = doubts !== this.#doubts;
      const staleChanged = wasStale !== this.#isKnownStale;
      if (staleChanged || change.rowsChanged || change.changed.length > 0) {
        this.#changes.fire({ ...change, staleChanged });
      }
      this.#rounds.fire(this.#state);
      return { ok: true };
    } catch (problem) {
      if (!sameVenue(venue, this.#venue.venue)) return { ok: true };
      const wasStale = this.#isKnownStale;
      this.#state = { ...this.#state, problem };
      if (!wasStale) this.#changes.fire({ changed: [], rowsChanged: false, staleChanged: true });
      this.#rounds.fire(this.#state);
      return { ok: false, retryAt: retryTime(problem) };
    }
  }
}
