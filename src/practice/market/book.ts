import { hashText, mix, unit } from "./noise.ts";
import { stepPlaces, type Market } from "./market.ts";

/** Price, and base offered or wanted at it. */
type Level = readonly [price: number, size: number];

/** Levels of one pair, best price first. */
export interface PracticeDepth {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** An open order at its rate, with its remaining base. */
export interface Resting {
  readonly kind: "bid" | "ask";
  readonly rate: number;
  readonly size: number;
}

/** A trade between others. `at` in ms, `size` in base. */
export interface PracticeTrade {
  readonly at: number;
  readonly rate: number;
  readonly size: number;
  readonly side: "BUY" | "SELL";
}

/** Maximum levels per side: an order cannot take more at once than a request can show. */
export const MAX_PRACTICE_LEVELS = 100;

const SECOND = 1000;
/** Every such interval has one trade. */
const TRADE_MS = 5 * SECOND;
/** Adjacent levels are less than this share of the price plus one tick apart. */
const LEVEL_SHARE = 0.0004;
const BASE_SCALE = 1e8;

/** The book of a listed pair at a time (ms), without the user's orders. A pure function of the market and the second. */
export function depthAt(market: Market, symbol: string, at: number, levels: number): PracticeDepth {
  const { ask, bid } = market.quoteAt(symbol, at);
  const second = Math.floor(at / SECOND);
  const usual = market.candle(symbol, at - 6 * TRADE_MS, at).volume / 3;
  const scale = 10 ** stepPlaces(bid);
  const side = (best: number, direction: 1 | -1): Level[] => {
    const seed = mix(hashText(`${symbol}/depth/${direction}`), second);
    const found: Level[] = [];
    let steps = Math.round(best * scale);
    for (let level = 0; level < levels && steps > 0; level++) {
      found.push([steps / scale, size(usual * (0.1 + 1.8 * unit(seed, level)))]);
      steps += direction * (1 + Math.floor(unit(seed, -1 - level) * best * scale * LEVEL_SHARE));
    }
    return found;
  };
  return { asks: side(ask, 1), bids: side(bid, -1) };
}

/**
 * Merges resting orders into a book. An order whose rate the market has reached is omitted, because it is filled at the
 * next matching time and a book is never crossed.
 */
export function withResting(
  { asks, bids }: PracticeDepth,
  resting: readonly Resting[],
  levels: number,
): PracticeDepth {
  const [ask, bid] = [asks[0]?.[0] ?? Number.POSITIVE_INFINITY, bids[0]?.[0] ?? 0];
  const side = (offers: readonly Level[], kind: Resting["kind"]): Level[] => {
    const sizes = new Map(offers);
    for (const order of resting) {
      const waits = kind === "ask" ? order.rate > bid : order.rate < ask;
      if (order.kind === kind && waits)
        sizes.set(order.rate, size((sizes.get(order.rate) ?? 0) + order.size));
    }
    const direction = kind === "ask" ? 1 : -1;
    return [...sizes].sort(([one], [other]) => direction * (one - other)).slice(0, levels);
  };
  const [sells, buys] = [side(asks, "ask"), side(bids, "bid")];
  // Crossed own orders would have been matched with each other, so they are omitted.
  const crosses = sells[0] && buys[0] && sells[0][0] <= buys[0][0];
  return crosses ? { asks, bids } : { asks: sells, bids: buys };
}

/** Trades of a listed pair before a time (ms), newest first; none if the pair is frozen. */
export function tradesBefore(market: Market, symbol: string, before: number, count: number): PracticeTrade[] {
  if (market.find(symbol)?.frozen !== false) return [];
  const seed = hashText(`${symbol}/trades`);
  const newest = Math.floor(before / TRADE_MS) - 1;
  return Array.from({ length: count }, (_, back) => {
    const cell = newest - back;
    const at = cell * TRADE_MS + Math.floor(unit(seed, cell) * TRADE_MS);
    const isBuy = unit(mix(seed, cell), 1) < 0.5;
    const { ask, bid } = market.quoteAt(symbol, at);
    const { volume } = market.candle(symbol, cell * TRADE_MS, (cell + 1) * TRADE_MS);
    return { at, rate: isBuy ? ask : bid, size: size(volume), side: isBuy ? "BUY" : "SELL" };
  });
}

/** Base with 8 decimals, above zero. */
function size(base: number): number {
  return Math.max(1, Math.round(base * BASE_SCALE)) / BASE_SCALE;
}
