import type { Listing } from "./listings.ts";
import { mix, modulo, unit } from "./noise.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Hours cached per pair: the 25 that a day touches. */
const CACHED_HOURS = 25;

/** Traded volume of one pair, in base: a random amount per hour, distributed randomly over its minutes. */
export class TradedVolume {
  readonly #listing: Listing;
  readonly #seed: number;
  readonly #minuteSeed: number;
  readonly #cache: { hour: number; reached: Float64Array }[] = [];

  constructor(listing: Listing, seed: number) {
    this.#listing = listing;
    this.#seed = seed;
    this.#minuteSeed = mix(seed, -2);
  }

  /** Base traded in one hour since the epoch. */
  ofHour(hour: number): number {
    const { turnover, price } = this.#listing;
    const averageHour = (turnover * 1e6) / 24;
    return (averageHour * (0.4 + 1.2 * unit(this.#seed, hour))) / price;
  }

  /** Base traded between two times (ms). */
  between(from: number, to: number): number {
    const first = Math.floor(from / HOUR);
    const last = Math.floor(to / HOUR);
    let sum = -this.#inHourUntil(from) + this.#inHourUntil(to);
    for (let hour = first; hour < last; hour++) sum += this.ofHour(hour);
    return Math.max(0, sum);
  }

  /** Base traded from the start of the hour to `at`. */
  #inHourUntil(at: number): number {
    const hour = Math.floor(at / HOUR);
    const minutes = (at - hour * HOUR) / MINUTE;
    const minute = Math.floor(minutes);
    const reached = this.#reached(hour);
    const [before = 0, after = 0] = [reached[minute], reached[minute + 1]];
    return this.ofHour(hour) * (before + (after - before) * (minutes - minute));
  }

  /** Cumulative share of the hour's volume at the start of each minute, and at the hour's end. */
  #reached(hour: number): Float64Array {
    const place = modulo(hour, CACHED_HOURS);
    const cached = this.#cache[place];
    if (cached?.hour === hour) return cached.reached;
    const reached = new Float64Array(61);
    for (let minute = 0; minute < 60; minute++) {
      reached[minute + 1] =
        (reached[minute] ?? 0) + 0.2 + 1.6 * unit(this.#minuteSeed, hour * 60 + minute) ** 2;
    }
    const all = reached[60] ?? 1;
    const shares = reached.map((weight) => weight / all);
    this.#cache[place] = { hour, reached: shares };
    return shares;
  }
}
