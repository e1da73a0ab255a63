import type { NamedPair } from "../../exchange/capabilities.ts";
import { Disposable } from "../disposable.ts";
import type { Orders } from "../orders/orders.ts";
import { findPair, pairKey, parseSymbol } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { Timers } from "../time/timers.ts";
import type { WakeDetector } from "../time/wakeDetector.ts";
import type { CurrentVenue } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import { Canceller, type CancellerOptions } from "./canceller.ts";
import { OrderStream } from "./orderStream.ts";
import { OrderTracker } from "./orderTracker.ts";
import { StreamedOrders } from "./streamedOrders.ts";

export interface OrderFollowingOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers & Pick<WakeDetector, "onDidWake">;
  readonly random: () => number;
  readonly windows: Pick<Windows, "onDidChange">;
  readonly tickers: Pick<TickerFeed, "state">;
  readonly checkWake: () => void;
  /** Whether this window reads the account for all windows now. */
  readonly isMine: () => boolean;
  /** The pairs that a person looks at; undefined while nobody looks at orders. */
  readonly watched: () => readonly NamedPair[] | undefined;
  readonly confirmCancel: CancellerOptions["confirm"];
  readonly isCancelFrozen: CancellerOptions["isFrozen"];
  readonly log: (message: string) => void;
}

/** What happens to orders after they were placed: they are followed, and a person may cancel them. */
export class OrderFollowing extends Disposable {
  readonly tracker: OrderTracker;
  readonly stream: OrderStream;
  readonly canceller: Canceller;

  constructor({ checkWake, confirmCancel, isCancelFrozen, ...options }: OrderFollowingOptions) {
    super();
    const { orders, venue, timers, windows, tickers } = options;
    const tracker = new OrderTracker({
      ...options,
      reads: ({ client }) => client.capabilities,
      isStreamed: () => this.stream.isLive,
    });
    this.tracker = this.register(tracker);
    this.stream = this.register(
      new OrderStream({
        ...options,
        onDidChangeReader: windows.onDidChange,
        onDidWake: timers.onDidWake,
        nameOf: (symbol) => pairNamed(symbol, tickers.state.tickers),
        orders: this.register(new StreamedOrders({ ...options, tracker })),
      }),
    );
    this.canceller = new Canceller({
      orders,
      venue,
      now: timers.now,
      checkWake,
      cancelOf: ({ client }) => client.capabilities.cancelOrder,
      isFrozen: isCancelFrozen,
      confirm: confirmCancel,
      check: (named) => tracker.check(named),
    });
  }
}

/**
 * The listed pair of this name, which a stream may write in another order and case than the tickers. Before the market
 * is known, the name is read as streams of this family write it: base first.
 */
function pairNamed(symbol: string, tickers: ReadonlyMap<string, Ticker>): NamedPair | undefined {
  if (tickers.size > 0) return findPair(tickers, symbol);
  const pair = parseSymbol(symbol, "baseFirst");
  return pair && { symbol: pairKey(pair), pair };
}
