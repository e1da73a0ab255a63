import type { NamedPair } from "../../exchange/capabilities.ts";
import type { OrderUpdate } from "../../exchange/wire/orders/orderEvents.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { sideOf, type OrderName } from "../../market/order.ts";
import { hasEnded, sumFills, type KnownOrder, type OrderReport } from "../../market/orderReport.ts";
import { Disposable } from "../disposable.ts";
import { isOfAccount, type Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import { accountOf, type Venue } from "../venue.ts";
import type { OrderStreamEvents } from "./orderStream.ts";
import type { OrderTracker } from "./orderTracker.ts";

export interface StreamedOrdersOptions {
  readonly orders: Pick<Orders, "own" | "get" | "reread" | "onDidChange">;
  readonly tracker: Pick<OrderTracker, "record" | "readOrder" | "check" | "checkAll">;
  readonly timers: Timers;
  readonly log: (message: string) => void;
}

interface PendingUpdate extends OrderUpdate {
  readonly venue: Venue;
  /** When it arrived, ms. */
  readonly at: number;
}

/** The matches of an order's end may be told after the end. If they are still missing then, they are asked for. */
const MATCH_WAIT_MS = 2000;
/** More events than a person has orders: a stream that floods is not believed, and everything is read instead. */
const MAX_PENDING = 1000;

/**
 * Records the orders and fills that an exchange tells by itself. What is told of an order that a window is sending now
 * waits for the answer, so that the order is known as the own one. The end of an order is recorded when all its matches
 * are: an order without an end is still asked for, one with an end is not.
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
    void this.#guard(() => this.#options.tracker.checkAll());
  }

  stopped(): void {
    // What was told stays true. What comes next is asked for at the usual interval.
  }

  unclear(named: NamedPair): void {
    void this.#guard(() => this.#options.tracker.check(named));
  }

  updated(venue: Venue, event: OrderUpdate): void {
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

  /** Records what need not wait, in the order in which it was told. */
  async #recordAll(): Promise<void> {
    const { orders, tracker } = this.#options;
    // Another window may have sent the order a moment ago.
    await orders.reread();
    const incomplete: OrderReport[] = [];
    for (let update = this.#nextReady(); update; update = this.#nextReady()) {
      const { venue, report } = update;
      if (!hasEnded(report) || this.#hasMatches(update)) await tracker.record(venue, [report]);
      else await this.#end(venue, report);
      if (this.#isIncomplete(update)) incomplete.push(report);
    }
    this.#retryLater();
    // Not a part of this work: what is told meanwhile does not wait for an answer of the exchange.
    void this.#guard(async () => {
      for (const report of incomplete) await tracker.check(report);
    });
  }

  /** The first event that need not wait, which then no longer waits. */
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
        sideOf(order.intent) === side &&
        (clientId === undefined || order.intent.clientId === undefined || clientId === order.intent.clientId),
    );
  }

  /** Whether an end may still be completed by matches that are on their way. */
  #mayStillGetMatches({ report, at }: PendingUpdate): boolean {
    const ms = this.#options.timers.now() - at;
    return hasEnded(report) && ms >= 0 && ms < MATCH_WAIT_MS;
  }

  /** Whether the known fills are all that an order executed. */
  #hasMatches({ report, executed, venue }: PendingUpdate): boolean {
    if (!executed) return true;
    const known = this.#options.orders.get(nameIn(report, venue))?.known;
    return executedOf(report, known).gte(executed);
  }

  /** An order has ended, and matches are missing: they are asked for. If they cannot be read, the tracker asks again. */
  async #end(venue: Venue, report: OrderReport): Promise<void> {
    const { tracker, log } = this.#options;
    await tracker
      .readOrder(venue, report)
      .catch((error: unknown) => log(`The matches of an order could not be read: ${String(error)}`));
    await tracker.record(venue, [report]);
  }

  /** A new order without its quantity: streams tell the amount of a buy only. The list of open orders has both. */
  #isIncomplete({ report, executed, venue }: PendingUpdate): boolean {
    if (hasEnded(report) || executed?.gt("0") || report.fills.length > 0) return false;
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

function nameIn({ orderId, pair, side }: OrderReport, venue: Venue): OrderName {
  return { ...accountOf(venue), ...pair, side, orderId };
}

/** What left the account by the known fills: quote with the fee of a buy, base of a sell. */
function executedOf({ side }: OrderReport, known: KnownOrder | undefined): Decimal {
  const { quantity, value, fee } = sumFills(known?.fills ?? []);
  return side === "buy" ? value.plus(fee) : quantity;
}
