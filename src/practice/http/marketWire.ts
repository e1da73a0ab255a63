import { BASE_PLACES, MAX_DISTANCE, MINIMUM } from "../account/rules.ts";
import { depthAt, MAX_PRACTICE_LEVELS, tradesBefore, withResting, type Resting } from "../market/book.ts";
import { QUOTE } from "../market/listings.ts";
import { stepPlaces, type Market } from "../market/market.ts";
import type { PracticeRefusal } from "../account/rules.ts";
import { readCount, symbolIn } from "./fields.ts";
import type { PracticeGeneration } from "./routes.ts";
import { exactNumber } from "./wire.ts";

const USUAL_LEVELS = 10;
const PERCENT = 100;

/** All pairs: names only in generation A, with limits in B. */
export function symbolsResult(market: Market, generation: PracticeGeneration, now: number): unknown {
  return market.tickersAt(now).map(({ id, symbol, last, frozen }) => {
    const base = symbol.slice(QUOTE.length + 1);
    if (generation === "A") return { id, symbol, info: `${QUOTE} to ${base}` };
    const places = stepPlaces(last);
    const gap = Number(MAX_DISTANCE.times(String(PERCENT)).toFixed());
    return {
      symbol: `${base}_${QUOTE}`,
      name: base,
      base_asset: base,
      quote_asset: QUOTE,
      min_quote_size: Number(MINIMUM.toFixed()),
      price_scale: places,
      price_step: (10 ** -places).toFixed(places),
      base_asset_scale: BASE_PLACES,
      quote_asset_scale: 2,
      buy_price_gap_as_percent: gap,
      sell_price_gap_as_percent: gap,
      freeze_buy: frozen,
      freeze_sell: frozen,
      freeze_cancel: false,
      status: frozen ? "stopped" : "active",
      source: "exchange",
      pairing_id: id,
    };
  });
}

/** `{"asks":[[price,size],…],"bids":[…]}` for `sym` and `lmt`, including the account's `resting` orders. */
export function depthResult(
  query: Readonly<Record<string, unknown>>,
  market: Market,
  generation: PracticeGeneration,
  now: number,
  resting: (symbol: string) => readonly Resting[],
): { readonly result: unknown } | PracticeRefusal {
  const symbol = symbolIn(query, market, generation);
  if (typeof symbol !== "string") return symbol;
  const levels = readCount(query["lmt"], USUAL_LEVELS, MAX_PRACTICE_LEVELS);
  const { asks, bids } = withResting(depthAt(market, symbol, now, levels), resting(symbol), levels);
  const numbers = (levels: typeof asks): unknown =>
    levels.map(([price, size]) => [exactNumber(price), exactNumber(size)]);
  return { result: { asks: numbers(asks), bids: numbers(bids) } };
}

/**
 * `[[time,rate,size,"BUY"|"SELL"],…]` for `sym` and `lmt`, with times in seconds in generation A, and in ms otherwise.
 */
export function tradesResult(
  query: Readonly<Record<string, unknown>>,
  market: Market,
  generation: PracticeGeneration,
  now: number,
): { readonly result: unknown } | PracticeRefusal {
  const symbol = symbolIn(query, market, generation);
  if (typeof symbol !== "string") return symbol;
  const trades = tradesBefore(
    market,
    symbol,
    now,
    readCount(query["lmt"], USUAL_LEVELS, MAX_PRACTICE_LEVELS),
  );
  const time = (at: number): number => (generation === "A" ? Math.floor(at / 1000) : at);
  return {
    result: trades.map(({ at, rate, size, side }) => [time(at), exactNumber(rate), exactNumber(size), side]),
  };
}
