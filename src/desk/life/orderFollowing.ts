import type { NamedPair } from "../../exchange/capabilities.ts";
import { Disposable } from "../disposable.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue } from "../venue.ts";
import { Canceller, type CancellerOptions } from "./canceller.ts";
import { OrderTracker } from "./orderTracker.ts";

export interface OrderFollowingOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly checkWake: () => void;
  /** Whether this window reads the account for all windows now. */
  readonly isMine: () => boolean;
  /** The pairs that a person looks at; undefined while nobody looks at orders. */
  readonly watched: () => readonly NamedPair[] | undefined;
  /** Called after a fill, because the balance has changed. */
  readonly afterFill: () => void;
  readonly confirmCancel: CancellerOptions["confirm"];
  readonly isCancelFrozen: CancellerOptions["isFrozen"];
  readonly log: (message: string) => void;
}

/** What happens to orders after they were placed: they are followed, and a person may cancel them. */
export class OrderFollowing extends Disposable {
  readonly tracker: OrderTracker;
  readonly canceller: Canceller;

  constructor({ checkWake, confirmCancel, isCancelFrozen, ...options }: OrderFollowingOptions) {
    super();
    const { orders, venue, timers } = options;
    const tracker = new OrderTracker({ ...options, reads: ({ client }) => client.capabilities });
    this.tracker = this.register(tracker);
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
