interface Sample {
  readonly at: number;
  readonly price: number;
}

/**
 * The price range of a trailing time span. Keeps only samples that may still become an extreme, sorted by time (lowest:
 * rising prices, highest: falling ones), so memory grows with the turns of the market, not with its ticks.
 */
export class TrailingRange {
  readonly #spanMs: number;
  #lowest: Sample[] = [];
  #highest: Sample[] = [];

  constructor(spanMs: number) {
    this.#spanMs = spanMs;
  }

  /** Adds a sample; `at` is ms since the epoch. If the clock was set back, samples in the future are dropped. */
  add(at: number, price: number): void {
    this.#lowest = this.#inSpan(this.#lowest, at).filter((sample) => sample.price < price);
    this.#highest = this.#inSpan(this.#highest, at).filter((sample) => sample.price > price);
    this.#lowest.push({ at, price });
    this.#highest.push({ at, price });
  }

  /** The price range since a time within the span; undefined without samples. */
  since(time: number): { readonly lowest: number; readonly highest: number } | undefined {
    const lowest = this.#lowest.find(({ at }) => at >= time);
    const highest = this.#highest.find(({ at }) => at >= time);
    return lowest && highest && { lowest: lowest.price, highest: highest.price };
  }

  #inSpan(samples: readonly Sample[], now: number): Sample[] {
    return samples.filter(({ at }) => at >= now - this.#spanMs && at <= now);
  }
}
