import type { NamedPair } from "../../market/pair.ts";
import { Disposable } from "../disposable.ts";
import type { Orders } from "../orders/orders.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { findPair, pairKey, parseSymbol, type Pair } from "../../market/pair.ts";
import type { Ticker } from "../../market/ticker.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import { isOwn } from "../../storage/orders/order.ts";
import type { Timers } from "../../time/timers.ts";
import type { WakeDetector } from "../time/wakeDetector.ts";
import type { CurrentVenue, SignedIn } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import { Canceller, type CancellerOptions } from "./canceller.ts";
import { withOrderedAmounts } from "./orderReads.ts";
import { OrderStream } from "./orderStream.ts";
import { OrderTracker } from "./orderTracker.ts";
import { StreamedOrders } from "./streamedOrders.ts";
import { UnreadableOrders } from "./unreadableOrders.ts";

export interface OrderFollowingOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers & WakeDetector;
  readonly random: () => number;
  readonly windows: Windows;
  readonly tickers: TickerFeed;
  readonly checkWake: () => void;
  /** Whether this window currently polls the account for all windows. */
  readonly isMine: () => boolean;
  /** The pairs whose orders are visible; undefined while no orders are. */
  readonly visiblePairs: () => readonly NamedPair[] | undefined;
  readonly confirmCancel: CancellerOptions["confirm"];
  readonly isCancelFrozen: CancellerOptions["isFrozen"];
  readonly log: (message: string) => void;
}

/** Tracks and cancels orders after they were placed. */
export class OrderFollowing extends Disposable {
  readonly tracker: OrderTracker;
  readonly stream: OrderStream;
  readonly canceller: Canceller;
  readonly unreadable: UnreadableOrders;

  constructor({ checkWake, confirmCancel, isCancelFrozen, ...options }: OrderFollowingOptions) {
    super();
    const { orders, venue, timers, windows, tickers } = options;
    const tracker = new OrderTracker({
      ...options,
      reads: (at) =>
        withOrderedAmounts(at.client.capabilities, (pair, orderId) => orderedOf(orders, at, pair, orderId)),
      isStreamed: () => this.stream.isLive,
    });
    this.tracker = this.register(tracker);
    this.unreadable = this.register(new UnreadableOrders(windows, tracker));
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
      isFrozen: isCancelFrozen,
      confirm: confirmCancel,
      check: (named) => tracker.readNow(named),
    });
  }
}

/** The amount of an own buy, in quote. */
function orderedOf(orders: Orders, venue: SignedIn, pair: Pair, orderId: string): Decimal | undefined {
  const order = orders.get({ ...venue.ref, ...pair, side: "buy", orderId });
  return order && isOwn(order) ? new Decimal(order.intent.amount) : undefined;
}

/**
 * The listed pair for a stream's symbol, which may differ from the tickers in order and case. Before the market is
 * known, the symbol is parsed base first, the usual order in streams.
 */
function pairNamed(symbol: string, tickers: ReadonlyMap<string, Ticker>): NamedPair | undefined {
  if (tickers.size > 0) return findPair(tickers, symbol);
  const pair = parseSymbol(symbol, "baseFirst");
  return pair && { symbol: pairKey(pair), pair };
}
