import { depthAt } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { TICKS_PER_SECOND, type PracticeSocket, type StreamSession } from "./session.ts";

/** Whether a pair's ticker is due. Pairs are spread over the ticks of a second. */
export function isTickerDue(id: number, tick: number): boolean {
  return (tick + id) % TICKS_PER_SECOND === 0;
}

/** Fields of a ticker, with numbers as JavaScript writes them, including exponents. */
export function tickerFields(market: Market, symbol: string, now: number): Readonly<Record<string, unknown>> {
  const ticker = market.tickerAt(symbol, now);
  const { asks, bids } = depthAt(market, symbol, now, 1);
  return {
    stream: `market.ticker.${symbol.toLowerCase()}`,
    id: ticker.id,
    last: ticker.last,
    lowestAsk: ticker.ask,
    lowestAskSize: asks[0]?.[1] ?? 0,
    highestBid: ticker.bid,
    highestBidSize: bids[0]?.[1] ?? 0,
    change: Number((ticker.last - ticker.open).toFixed(8)),
    percentChange: ticker.percentChange,
    baseVolume: ticker.baseVolume,
    quoteVolume: ticker.quoteVolume,
    isFrozen: ticker.frozen ? 1 : 0,
    high24hr: ticker.high,
    low24hr: ticker.low,
    open: ticker.open,
    close: ticker.last,
  };
}

/** Sends the tickers of some pairs, each once a second. Unlisted names receive no updates. */
export class TickerSession implements StreamSession {
  readonly #pairs: readonly { readonly id: number; readonly symbol: string }[];
  readonly #market: Market;
  readonly #socket: PracticeSocket;

  constructor(symbols: readonly string[], market: Market, socket: PracticeSocket) {
    const wanted = new Set(symbols);
    this.#pairs = market.pairs.filter(({ symbol }) => wanted.has(symbol));
    this.#market = market;
    this.#socket = socket;
  }

  tick(tick: number, now: number): void {
    for (const { id, symbol } of this.#pairs)
      if (isTickerDue(id, tick)) this.#socket.send(JSON.stringify(tickerFields(this.#market, symbol, now)));
  }
}
