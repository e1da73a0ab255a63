import { type Candle, sampleOf } from "../../market/candle.ts";
import { intervals } from "../../market/intervals.ts";
import { Disposable } from "../disposable.ts";
import type { PriceHistory } from "../../storage/prices/history.ts";
import type { CurrentVenue } from "../venue.ts";
import { recordedSource } from "./historyRecorder.ts";
import type { TickerFeed } from "./tickerFeed.ts";

const SLOT_MS = intervals["15m"].ms;
const DAY_MS = intervals["1d"].ms;
const SLOTS = DAY_MS / SLOT_MS;

interface DayPricesOptions {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  readonly history: () => PriceHistory;
  /** ms since the epoch. */
  readonly now: () => number;
  /** Called if recorded prices could not be read. */
  readonly onError: (error: unknown) => void;
}

/** The prices of the last day that this window has seen or Bidside has recorded, in memory: it requests none. */
export class DayPrices extends Disposable {
  readonly #options: DayPricesOptions;
  readonly #days = new Map<string, Day>();
  /** The symbols whose recorded prices were read. */
  readonly #recalled = new Set<string>();
  /** The account whose exchange the prices are of. */
  #account: string | undefined;

  constructor(options: DayPricesOptions) {
    super();
    this.#options = options;
    const { tickers, venue } = options;
    this.register(
      tickers.onDidChange(({ change, isStreamed }) => {
        if (isStreamed) for (const symbol of change?.changed ?? []) this.#note(symbol);
        // A poll shows that the prices of all pairs held until now.
        else for (const symbol of tickers.state.tickers.keys()) this.#note(symbol);
      }),
      venue.onDidChange(() => {
        const account = venue.venue?.account.id;
        if (account === undefined || account === this.#account) return;
        this.#account = account;
        this.#days.clear();
        this.#recalled.clear();
      }),
    );
  }

  /** Adds candles that were read. Prices that were seen stay. */
  learn(symbol: string, candles: readonly Candle[]): void {
    const day = this.#day(symbol);
    for (const { time, close } of candles) day.fill(time, close);
  }

  /** Adds the recorded prices of a pair. Reads them once, and never rejects. */
  async recall(symbol: string): Promise<void> {
    const { tickers, venue, history, now, onError } = this.#options;
    const source = recordedSource(venue.venue);
    const pair = tickers.ticker(symbol)?.pair;
    if (source === undefined || !pair || this.#recalled.has(symbol)) return;
    this.#recalled.add(symbol);
    try {
      const to = now();
      const candles = await history().candles(source, pair, to - DAY_MS, to);
      if (this.#account === source) this.learn(symbol, candles);
    } catch (error) {
      onError(error);
    }
  }

  /** The last price in each quarter of an hour, the oldest first; undefined where none was seen. */
  of(symbol: string): readonly (number | undefined)[] {
    return this.#days.get(symbol)?.until(this.#options.now()) ?? [];
  }

  #note(symbol: string): void {
    const { tickers, now } = this.#options;
    const ticker = tickers.ticker(symbol);
    const sample = ticker && !tickers.isStaleOf(symbol) ? sampleOf(ticker, now()) : undefined;
    if (sample) this.#day(symbol).set(sample.at, sample.last);
  }

  #day(symbol: string): Day {
    let day = this.#days.get(symbol);
    if (!day) this.#days.set(symbol, (day = new Day()));
    return day;
  }
}

/** The prices of one pair, in a ring of slots. */
class Day {
  readonly #prices = new Float64Array(SLOTS);
  /** Which quarter of an hour since the epoch each price is of. */
  readonly #slots = new Int32Array(SLOTS).fill(-1);
  /** Slots with a price that was seen, rather than a candle's. */
  readonly #seen = new Int32Array(SLOTS).fill(-1);

  set(at: number, price: number): void {
    const slot = slotOf(at);
    this.#seen[slot % SLOTS] = slot;
    this.#put(slot, price);
  }

  fill(at: number, price: number): void {
    const slot = slotOf(at);
    const isNewer = (this.#slots[slot % SLOTS] ?? -1) > slot;
    if (slot >= 0 && !isNewer && this.#seen[slot % SLOTS] !== slot) this.#put(slot, price);
  }

  until(now: number): readonly (number | undefined)[] {
    const newest = slotOf(now);
    return Array.from({ length: SLOTS }, (_, index) => {
      const slot = newest - SLOTS + 1 + index;
      const at = ((slot % SLOTS) + SLOTS) % SLOTS;
      return this.#slots[at] === slot ? this.#prices[at] : undefined;
    });
  }

  #put(slot: number, price: number): void {
    this.#slots[slot % SLOTS] = slot;
    this.#prices[slot % SLOTS] = price;
  }
}

function slotOf(at: number): number {
  return Math.floor(at / SLOT_MS);
}
