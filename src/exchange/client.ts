import type { Wallet } from "../market/balance.ts";
import type { LimitBid } from "../market/order.ts";
import type { Ticker } from "../market/ticker.ts";

/** One reading of the whole market. */
export interface TickerReading {
  /** Keyed by wire symbol. */
  readonly tickers: ReadonlyMap<string, Ticker>;
  /** How many pairs were left out because their entry could not be read. */
  readonly unreadable: number;
}

/** What a service says of an accepted bid; all of it optional on the wire (spec 4.2). */
export interface BidReceipt {
  /** As text: ids were seen past 2^53. */
  readonly orderId: string | undefined;
}

/** A service of this family, as the desk uses it. Every method rejects with an ExchangeError. */
export interface ExchangeClient {
  /** Server time in ms since the epoch, at the service's own resolution. */
  serverTime(): Promise<number>;
  tickers(): Promise<TickerReading>;
  wallet(): Promise<Wallet>;
  /** Measures the clock anew: server minus local time in ms, half the round trip taken off. */
  measureClock(): Promise<number>;
  /** Sends the bid once. It is never sent again, whatever happens. */
  placeBid(bid: LimitBid): Promise<BidReceipt>;
}
