import { Decimal, priceText } from "../numbers/decimal.ts";
import type { Ticker } from "../ticker.ts";

/** Longer ways through the market add a spread with each pair, and their value means little. */
const MAX_PAIRS = 3;

const HUNDRED = new Decimal("100");

/** One pair of a way: from its base to its quote by multiplying with the last price, or back by dividing. */
interface Step {
  readonly ticker: Ticker;
  readonly price: string;
  readonly to: string;
  readonly isInverse: boolean;
}

/** How an asset is valued in another one. */
export interface Conversion {
  /** The assets from the valued one to the other, both included. */
  readonly path: readonly string[];
  /** Exact with one pair; a quotient is cut after 40 places. */
  readonly convert: (amount: Decimal) => Decimal;
  /** The pair that trades the valued asset for the next one; undefined if that pair trades it the other way. */
  readonly first: Ticker | undefined;
  /** By how much the rate grew in 24 hours, as a factor; undefined if the exchange does not report it for each pair. */
  readonly growth: Decimal | undefined;
}

/**
 * The conversions of a market into one asset, by the last prices of as few pairs as possible. Among equally short ways,
 * the one through the asset with more pairs counts.
 */
export class Conversions {
  readonly #tickers: readonly Ticker[];
  readonly #target: string;
  /** From each asset, the next step to the target. Made when a pair with the target is not enough. */
  #next: ReadonlyMap<string, Step> | undefined;

  constructor(tickers: readonly Ticker[], target: string) {
    this.#tickers = tickers;
    this.#target = target;
  }

  /** Undefined if no way leads there. */
  of(asset: string): Conversion | undefined {
    this.#next ??= this.#search();
    const steps: Step[] = [];
    for (let at = asset; at !== this.#target;) {
      const step = this.#next.get(at);
      if (!step) return undefined;
      steps.push(step);
      at = step.to;
    }
    const [start] = steps;
    return {
      first: start?.isInverse ? undefined : start?.ticker,
      path: [asset, ...steps.map(({ to }) => to)],
      convert: (amount) =>
        steps.reduce((sum, { price, isInverse }) => (isInverse ? sum.div(price) : sum.times(price)), amount),
      growth: growthOf(steps),
    };
  }

  /** Breadth first, from the target. */
  #search(): ReadonlyMap<string, Step> {
    const neighbours = new Map<string, { asset: string; step: Step }[]>();
    const link = (asset: string, step: Step): void => {
      const others = neighbours.get(step.to);
      if (others) others.push({ asset, step });
      else neighbours.set(step.to, [{ asset, step }]);
    };
    for (const ticker of this.#tickers) {
      const { last, pair } = ticker;
      if (last === undefined || !(last > 0)) continue;
      const price = priceText(last);
      link(pair.base, { ticker, price, to: pair.quote, isInverse: false });
      link(pair.quote, { ticker, price, to: pair.base, isInverse: true });
    }
    const next = new Map<string, Step>();
    const pairCount = (asset: string): number => neighbours.get(asset)?.length ?? 0;
    let reached = [this.#target];
    for (let pairs = 0; pairs < MAX_PAIRS; pairs += 1) {
      const found: string[] = [];
      for (const to of reached.sort((a, b) => pairCount(b) - pairCount(a)))
        for (const { asset, step } of neighbours.get(to) ?? []) {
          if (asset === this.#target || next.has(asset)) continue;
          next.set(asset, step);
          found.push(asset);
        }
      reached = found;
    }
    return next;
  }
}

function growthOf(steps: readonly Step[]): Decimal | undefined {
  let growth = new Decimal("1");
  for (const { ticker, isInverse } of steps) {
    const { percentChange } = ticker;
    if (percentChange === undefined || percentChange <= -100) return undefined;
    const factor = new Decimal(String(percentChange)).plus(HUNDRED).div(HUNDRED);
    growth = isInverse ? growth.div(factor) : growth.times(factor);
  }
  return growth;
}
