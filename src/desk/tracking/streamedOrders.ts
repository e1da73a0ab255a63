import type { NamedPair } from "../../market/pair.ts";
import type { OrderUpdate } from "../../exchange/wire/orders/orderEvents.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { type OrderReport, spentBy, statesEnd, sumFills } from "../../market/orderReport.ts";
import type { KnownOrder } from "../../market/orders/knownOrder.ts";
import { Disposable } from "../disposable.ts";
import { isOfAccount, type Orders } from "../orders/orders.ts";
import type { Timers } from "../../time/timers.ts";
import type { SignedIn } from "../venue.ts";
import { nameIn } from "./orderRecorder.ts";
import type { OrderStreamEvents } from "./orderStream.ts";
import type { OrderTracker } from "./orderTracker.ts";

export interface StreamedOrdersOptions {
  readonly orders: Orders;
  readonly tracker: OrderTracker;
  readonly timers: Timers;
  readonly log: (message: string) => void;
}

interface PendingUpdate extends OrderUpdate {
  readonly venue: SignedIn;
  /** Time of arrival, ms. */
  readonly at: number;
}

/** How long to wait for matches that arrive after the end of their order. Those still missing are then requested. */
const MATCH_WAIT_MS = 2000;
/**
 * Maximum pending updates: nobody has that many orders. Beyond it they are dropped, and everything is polled instead.
 */
const MAX_PENDING = 1000;

/**
 * Records orders and fills pushed by the exchange. Updates of an order that is still being sent are queued until its
 * response arrives, so that the order is recognized as an own one. The end of an order is recorded together with its
 * last matches, because an ended order is no longer polled.
 */
export class StreamedOrders extends Disposable implements OrderStreamEvents {
  readonly #options: StreamedOrdersOptions;
  #pending: readonly PendingUpdate[] = [];
  #isWorking = false;
  #cancelRetry: (() => void) | undefined;
  #isDisposed = false;

  constructor(options: StreamedOrdersOptions) {
    super();
    this.#options = options;
    this.register(
      options.orders.onDidChange(() => this.#pending.length > 0 && this.#work()),
      () => {
        this.#isDisposed = true;
        this.#cancelRetry?.();
      },
    );
  }

  started(): void {
    this.#options.tracker.readNow();
  }

  unclear(named: NamedPair): void {
    this.#options.tracker.readNow(named);
  }

  updated(venue: SignedIn, event: OrderUpdate): void {
    if (this.#pending.length >= MAX_PENDING) {
      this.#pending = [];
      return this.started();
    }
    const report = event.executed ? { ...event.report, executed: event.executed } : event.report;
    this.#pending = [...this.#pending, { ...event, report, venue, at: this.#options.timers.now() }];
    this.#work();
  }

  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#guard(() => this.#recordAll()).finally(() => {
      this.#isWorking = false;
    });
  }

  /** Records the updates that need not wait, in order of arrival. */
  async #recordAll(): Promise<void> {
    const { orders, tracker } = this.#options;
    // Another window may have sent the order a moment ago.
    await orders.reread();
    for (let update = this.#nextReady(); update; update = this.#nextReady()) {
      const { venue, report } = update;
      const isNew = orders.get(nameIn(report, venue)) === undefined;
      if (!statesEnd(report) || this.#hasMatches(update)) await tracker.record(venue, [report]);
      else await this.#end(venue, report);
      if (isNew || this.#isIncomplete(update)) tracker.readNow(report);
    }
    this.#retryLater();
  }

  /** Dequeues the first update that need not wait. */
  #nextReady(): PendingUpdate | undefined {
    const next = this.#isDisposed ? undefined : this.#pending.find((each) => !this.#mustWait(each));
    if (next) this.#pending = this.#pending.filter((each) => each !== next);
    return next;
  }

  #mustWait(update: PendingUpdate): boolean {
    return this.#isBeingSent(update) || (this.#mayStillGetMatches(update) && !this.#hasMatches(update));
  }

  #isBeingSent({ report, venue }: PendingUpdate): boolean {
    const { pair, side, clientId } = report;
    return this.#options.orders.own.some(
      (order) =>
        order.state === "sending" &&
        isOfAccount(order, venue) &&
        order.intent.quote === pair.quote &&
        order.intent.base === pair.base &&
        order.intent.side === side &&
        (clientId === undefined || order.intent.clientId === undefined || clientId === order.intent.clientId),
    );
  }

  /** Whether matches of an ended order may still arrive. */
  #mayStillGetMatches({ report, at }: PendingUpdate): boolean {
    const ms = this.#options.timers.now() - at;
    return statesEnd(report) && ms >= 0 && ms < MATCH_WAIT_MS;
  }

  /** Whether the known fills cover everything that the order executed. */
  #hasMatches({ report, executed, venue }: PendingUpdate): boolean {
    if (!executed) return true;
    const known = this.#options.orders.get(nameIn(report, venue))?.known;
    return executedOf(report, known).gte(executed);
  }

  /** Requests the missing matches of an ended order. If that fails, the tracker retries. */
  async #end(venue: SignedIn, report: OrderReport): Promise<void> {
    const { tracker } = this.#options;
    await this.#guard(() => tracker.readOrder(venue, report));
    await tracker.record(venue, [report]);
  }

  /** Whether a new order has no quantity: streams report only the amount of a buy, the list of open orders has both. */
  #isIncomplete({ report, executed, venue }: PendingUpdate): boolean {
    if (statesEnd(report) || executed?.gt("0") || report.fills.length > 0) return false;
    const known = this.#options.orders.get(nameIn(report, venue))?.known;
    return known !== undefined && known.quantity === undefined;
  }

  #retryLater(): void {
    if (
      this.#cancelRetry ||
      this.#isDisposed ||
      !this.#pending.some((each) => this.#mayStillGetMatches(each))
    )
      return;
    this.#cancelRetry = this.#options.timers.after(MATCH_WAIT_MS, () => {
      this.#cancelRetry = undefined;
      this.#work();
    });
  }

  async #guard(task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.#options.log(`Streamed orders: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** The amount spent by the known fills: quote including the fee for a buy, base for a sell. */
function executedOf({ side }: OrderReport, known: KnownOrder | undefined): Decimal {
  return spentBy(side, sumFills(known?.fills ?? []));
}
