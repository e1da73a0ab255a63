import { SAMPLE_MS, sampleCandle, type PracticeCandle } from "./candles.ts";
import { LISTINGS, QUOTE, type Listing } from "./listings.ts";
import { hashText, mix, modulo, unit } from "./noise.ts";
import { TradedVolume } from "./volume.ts";

/** Prices of one pair at one time, THB per base, rounded to the tick size: bid ≤ last ≤ ask, bid < ask, all above zero. */
export interface Quote {
  readonly last: number;
  readonly ask: number;
  readonly bid: number;
}

/** A pair's last 24 hours. `low ≤ last ≤ high`; volumes in base and in THB. */
export interface PracticeTicker extends Quote {
  readonly id: number;
  readonly symbol: string;
  /** The last price 24 hours ago. */
  readonly open: number;
  readonly percentChange: number;
  readonly baseVolume: number;
  readonly quoteVolume: number;
  readonly high: number;
  readonly low: number;
  readonly frozen: boolean;
}

/** A simulated market: a pure function of seed, pair and time (ms), so it is the same in every process. */
export interface Market {
  /** All listed pairs, in listing order. */
  readonly pairs: readonly { readonly id: number; readonly symbol: string }[];
  /** Undefined for a symbol that is not listed. */
  find(symbol: string): { readonly base: string; readonly frozen: boolean } | undefined;
  /** Throws for a symbol that is not listed. */
  quoteAt(symbol: string, at: number): Quote;
  /** Throws for a symbol that is not listed. */
  tickerAt(symbol: string, at: number): PracticeTicker;
  tickersAt(at: number): PracticeTicker[];
  /** Prices and volume from `from` to before `to` (ms), both on the price path. Throws for a symbol that is not listed. */
  candle(symbol: string, from: number, to: number): PracticeCandle;
}

export const DEFAULT_SEED = "practice";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Period and amplitude (share of the price) of each octave of noise, from seasons to single trades. */
const OCTAVES: readonly (readonly [period: number, amplitude: number])[] = [
  [30 * DAY, 0.12],
  [7 * DAY, 0.035],
  [30 * HOUR, 0.018],
  [7 * HOUR, 0.01],
  [90 * MINUTE, 0.004],
  [18 * MINUTE, 0.0022],
  [4 * MINUTE, 0.0014],
  [50 * SECOND, 0.001],
  [11 * SECOND, 0.0008],
  [3 * SECOND, 0.0005],
];

const SAMPLES = DAY / SAMPLE_MS;

/** Decimals of the tick size: 0.01 from 1 up, finer below, as in exchanges of this family. */
export function stepPlaces(price: number): number {
  if (price >= 1) return 2;
  if (price >= 0.1) return 4;
  return price >= 0.001 ? 6 : 8;
}

/** Builds the market of a seed. A quote takes constant time; listing all pairs reuses earlier samples. */
export function createMarket(seed: string, listings: readonly Listing[] = LISTINGS): Market {
  const pairs = new Map(
    listings.map((listing, index) => {
      const pair = new SimulatedPair(listing, index + 1, hashText(`${seed}/${listing.base}`));
      return [pair.symbol, pair] as const;
    }),
  );
  return marketOf(pairs);
}

/** A pair of a market, simulated or recorded. */
interface MarketPair {
  readonly id: number;
  readonly symbol: string;
  readonly base: string;
  readonly frozen: boolean;
  tickerAt(at: number): ReturnType<Market["tickerAt"]>;
  quoteAt(at: number): ReturnType<Market["quoteAt"]>;
  candle(from: number, to: number): ReturnType<Market["candle"]>;
}

/** A market of these pairs, by symbol. Its methods throw RangeError for unknown symbols. */
export function marketOf(pairs: ReadonlyMap<string, MarketPair>): Market {
  const listed = (symbol: string): MarketPair => {
    const pair = pairs.get(symbol);
    if (!pair) throw new RangeError(`No such pair: ${symbol}`);
    return pair;
  };
  return {
    pairs: Array.from(pairs.values(), ({ id, symbol }) => ({ id, symbol })),
    find: (symbol) => pairs.get(symbol),
    tickerAt: (symbol, at) => listed(symbol).tickerAt(at),
    quoteAt: (symbol, at) => listed(symbol).quoteAt(at),
    candle: (symbol, from, to) => listed(symbol).candle(from, to),
    tickersAt: (at) => Array.from(pairs.values(), (pair) => pair.tickerAt(at)),
  };
}

class SimulatedPair {
  readonly id: number;
  readonly symbol: string;
  readonly base: string;
  readonly frozen: boolean;
  readonly #listing: Listing;
  readonly #octaves: readonly Octave[];
  readonly #halfSpread: number;
  readonly #volume: TradedVolume;
  readonly #samples = new Float64Array(SAMPLES);
  /** Index of the newest sample; older ones are stored at their index modulo SAMPLES. */
  #newestSample = Number.NEGATIVE_INFINITY;
  #hours: { hour: number; volumes: HourVolume[] } | undefined;

  constructor(listing: Listing, id: number, seed: number) {
    this.symbol = `${QUOTE}_${listing.base}`;
    this.base = listing.base;
    this.frozen = listing.frozen === true;
    this.id = id;
    this.#listing = listing;
    this.#octaves = OCTAVES.map(([period, amplitude], index) => {
      const octaveSeed = mix(seed, index);
      return {
        period,
        amplitude: amplitude * listing.volatility,
        seed: octaveSeed,
        phase: unit(octaveSeed, -1),
      };
    });
    const volumeSeed = mix(seed, OCTAVES.length);
    this.#volume = new TradedVolume(listing, volumeSeed);
    this.#halfSpread = 0.0002 + 0.0008 * unit(volumeSeed, -1);
  }

  quoteAt(at: number): Quote {
    const price = this.#priceAt(at);
    return {
      last: toStep(price, Math.round),
      ask: toStep(price * (1 + this.#halfSpread), Math.ceil),
      bid: toStep(price * (1 - this.#halfSpread), Math.floor),
    };
  }

  tickerAt(at: number): PracticeTicker {
    const quote = this.quoteAt(at);
    const yesterday = toStep(this.#priceAt(at - DAY), Math.round);
    return {
      id: this.id,
      symbol: this.symbol,
      frozen: this.frozen,
      ...quote,
      open: yesterday,
      percentChange: rounded(((quote.last - yesterday) / yesterday) * 100, 2),
      ...this.#rangeAt(at, quote.last),
      ...this.#volumeAt(at),
    };
  }

  candle(from: number, to: number): PracticeCandle {
    const lastAt = (at: number): number => toStep(this.#priceAt(at), Math.round);
    return { ...sampleCandle(lastAt, from, to), volume: rounded(this.#volume.between(from, to), 8) };
  }

  #priceAt(at: number): number {
    if (this.frozen) return this.#listing.price;
    let sum = 0;
    for (const octave of this.#octaves) sum += octave.amplitude * noise(octave, at);
    return this.#listing.price * Math.exp(sum);
  }

  #rangeAt(at: number, last: number): { high: number; low: number } {
    const newest = Math.floor(at / SAMPLE_MS);
    const oldest = newest - SAMPLES + 1;
    const isCached = newest >= this.#newestSample && Number.isFinite(this.#newestSample);
    for (let index = isCached ? Math.max(oldest, this.#newestSample + 1) : oldest; index <= newest; index++) {
      this.#samples[modulo(index, SAMPLES)] = toStep(this.#priceAt(index * SAMPLE_MS), Math.round);
    }
    this.#newestSample = newest;
    let high = last;
    let low = last;
    for (const sample of this.#samples) {
      if (sample > high) high = sample;
      if (sample < low) low = sample;
    }
    return { high, low };
  }

  /** Volume of the last 24 hours, with fractions of the oldest and the current hour, so that it changes smoothly. */
  #volumeAt(at: number): { baseVolume: number; quoteVolume: number } {
    const hour = Math.floor(at / HOUR);
    if (this.#hours?.hour !== hour) {
      this.#hours = { hour, volumes: Array.from({ length: 25 }, (_, back) => this.#hourVolume(hour - back)) };
    }
    let base = 0;
    let quote = 0;
    for (const [back, volume] of this.#hours.volumes.entries()) {
      const part =
        back === 0
          ? this.#volume.between(hour * HOUR, at)
          : back === 24
            ? this.#volume.between(at - DAY, (hour - 23) * HOUR)
            : volume.base;
      base += part;
      quote += part * volume.price;
    }
    return { baseVolume: rounded(base, 8), quoteVolume: rounded(quote, 2) };
  }

  #hourVolume(hour: number): HourVolume {
    return { base: this.#volume.ofHour(hour), price: this.#priceAt(hour * HOUR) };
  }
}

interface HourVolume {
  readonly base: number;
  readonly price: number;
}

interface Octave {
  readonly period: number;
  readonly amplitude: number;
  readonly seed: number;
  /** Shifts the pair's turning points, so that they differ between pairs. */
  readonly phase: number;
}

/** Value noise in −1…1: smooth between random values one period apart. */
function noise(octave: Octave, at: number): number {
  const position = at / octave.period + octave.phase;
  const cell = Math.floor(position);
  const x = position - cell;
  const from = unit(octave.seed, cell);
  const to = unit(octave.seed, cell + 1);
  return 2 * (from + (to - from) * x * x * (3 - 2 * x)) - 1;
}

/** Rounds a price to the tick size; `round` rounds whole ticks. */
export function toStep(price: number, round: (steps: number) => number): number {
  const scale = 10 ** stepPlaces(price);
  return round(price * scale) / scale;
}

function rounded(value: number, places: number): number {
  const scale = 10 ** places;
  return Math.round(value * scale) / scale;
}
