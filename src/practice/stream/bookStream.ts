import {
  depthAt,
  MAX_PRACTICE_LEVELS,
  tradesBefore,
  withResting,
  type PracticeDepth,
  type Resting,
  type PracticeTrade,
} from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { TICKS_PER_SECOND, type PracticeSocket, type StreamSession } from "./session.ts";
import { isTickerDue, tickerFields } from "./tickerStream.ts";

const MAX_ROWS = 30;
/** The account's resting orders of a symbol. */
export type RestingOf = (symbol: string) => readonly Resting[];

const FIRST_DEPTH_TICK = 4.5 * TICKS_PER_SECOND;

/**
 * The book stream of one pair. Every second it sends the pair's levels, its ticker and, unrequested, the tickers of all
 * other pairs; it sends trades when there is a new one. The first full depth follows after 4.5 s. Sends nothing if no
 * pair has the number. Includes the account's own orders, as the depth endpoint does.
 */
export class BookSession implements StreamSession {
  readonly #pairingId: number;
  readonly #symbol: string | undefined;
  readonly #market: Market;
  readonly #socket: PracticeSocket;
  readonly #restingOf: RestingOf;
  #ticks = 0;
  #newestTrade: number | undefined;

  constructor(pairingId: number, market: Market, restingOf: RestingOf, socket: PracticeSocket) {
    this.#pairingId = pairingId;
    this.#symbol = market.pairs.find(({ id }) => id === pairingId)?.symbol;
    this.#market = market;
    this.#socket = socket;
    this.#restingOf = restingOf;
  }

  tick(tick: number, now: number): void {
    const symbol = this.#symbol;
    if (symbol === undefined) return;
    const ticks = this.#ticks++;
    if (ticks % TICKS_PER_SECOND === 0) this.#sendTrades(symbol, now);
    if (ticks % TICKS_PER_SECOND === 2) this.#sendSides(symbol, now);
    if (ticks >= FIRST_DEPTH_TICK && (ticks - FIRST_DEPTH_TICK) % TICKS_PER_SECOND === 0)
      this.#sendDepth(symbol, now);
    for (const pair of this.#market.pairs) {
      if (!isTickerDue(pair.id, tick)) continue;
      const data = tickerFields(this.#market, pair.symbol, now);
      if (pair.id === this.#pairingId) this.#send("ticker", data);
      else this.#send("global.ticker", data, pair.id);
    }
  }

  #send(event: string, data: unknown, pairingId = this.#pairingId): void {
    this.#socket.send(JSON.stringify({ event, data, pairing_id: pairingId }));
  }

  #depth(symbol: string, now: number, levels: number): PracticeDepth {
    return withResting(depthAt(this.#market, symbol, now, levels), this.#restingOf(symbol), levels);
  }

  #sendDepth(symbol: string, now: number): void {
    const { asks, bids } = this.#depth(symbol, now, MAX_PRACTICE_LEVELS);
    this.#send("depthchanged", { bids: levelsOf(bids), asks: levelsOf(asks) });
  }

  #sendSides(symbol: string, now: number): void {
    const { asks, bids } = this.#depth(symbol, now, MAX_ROWS);
    this.#send("bidschanged", rowsOf(bids));
    this.#send("askschanged", rowsOf(asks));
  }

  #sendTrades(symbol: string, now: number): void {
    const trades = tradesBefore(this.#market, symbol, now, MAX_ROWS);
    const [newest] = trades;
    if (!newest || newest.at === this.#newestTrade) return;
    const before = this.#newestTrade;
    this.#newestTrade = newest.at;
    const isNew = ({ at }: PracticeTrade): boolean => before !== undefined && at > before;
    const { asks, bids } = this.#depth(symbol, now, MAX_ROWS);
    this.#send("tradeschanged", [
      trades.map((trade) => [
        Math.floor(trade.at / 1000),
        trade.rate,
        trade.size,
        trade.side,
        0,
        0,
        isNew(trade),
        false,
        false,
      ]),
      rowsOf(bids),
      rowsOf(asks),
    ]);
  }
}

function levelsOf(side: PracticeDepth["asks"]): unknown {
  return side.map(([price, size]) => ({ price, base_volume: size, quote_volume: valueOf(price, size) }));
}

/** `[quote_volume, rate, base_amount, 0, isNew, isOwner]`. */
function rowsOf(side: PracticeDepth["asks"]): unknown {
  return side.map(([price, size]) => [valueOf(price, size), price, size, 0, false, false]);
}

function valueOf(price: number, size: number): number {
  return Number((price * size).toFixed(2));
}
