import type { NamedPair } from "../../exchange/capabilities.ts";
import type { OrderUpdate } from "../../exchange/wire/orders/orderEvents.ts";
import type { Decimal } from "../../market/numbers/decimal.ts";
import { sideOf, type OrderName } from "../../market/order.ts";
import { hasEnded, sumFills, type KnownOrder, type OrderReport } from "../../market/orderReport.ts";
import { Disposable } from "../disposable.ts";
import { isOf, type Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import { accountOf, type Venue } from "../venue.ts";
import type { StreamedOrders } from "./orderStream.ts";
import type { OrderTracker } from "./orderTracker.ts";

export interface ToldOrdersOptions {
  readonly orders: Pick<Orders, "all" | "get" | "reread" | "onDidChange">;
  readonly tracker: Pick<OrderTracker, "take" | "readOrder" | "check" | "checkAll">;
  readonly timers: Timers;
  readonly log: (message: string) => void;
}

interface Told extends OrderUpdate {
  readonly venue: Venue;
  /** When it arrived, ms. */
  readonly at: number;
}

/** The matches of an order's end may be told after the end. If they are still missing then, they are asked for. */
const MATCHES_MS = 2000;
/** More events than a person has orders: a stream that floods is not believed, and everything is read instead. */
const MOST_WAITING = 1000;

/**
 * Records the orders and fills that an exchange tells by itself. What is told of an order that a window is sending now
 * waits for the answer, so that the order is known as the own one. The end of an order is recorded when all its matches
 * are: an order without an end is still asked for, one with an end is not.
 */
export class ToldOrders extends Disposable implements StreamedOrders {
  readonly #options: ToldOrdersOptions;
  #waiting: readonly Told[] = [];
  #isWorking = false;
  #cancelLook: (() => void) | undefined;
  #isDisposed = false;

  constructor(options: ToldOrdersOptions) {
    super();
    this.#options = options;
    this.register(
      options.orders.onDidChange(() => this.#waiting.length > 0 && this.#work()),
      () => {
        this.#isDisposed = true;
        this.#cancelLook?.();
      },
    );
  }

  began(): void {
    void this.#guard(() => this.#options.tracker.checkAll());
  }

  stopped(): void {
    // What was told stays true. What comes next is asked for at the usual interval.
  }

  unclear(named: NamedPair): void {
    void this.#guard(() => this.#options.tracker.check(named));
  }

  told(venue: Venue, event: OrderUpdate): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#waiting = [];
      return this.began();
    }
    const report = event.executed ? { ...event.report, executed: event.executed } : event.report;
    this.#waiting = [...this.#waiting, { ...event, report, venue, at: this.#options.timers.now() }];
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
    for (let taken = this.#takeNext(); taken; taken = this.#takeNext()) {
      const { venue, report } = taken;
      if (!hasEnded(report) || this.#hasMatches(taken)) await tracker.take(venue, [report]);
      else await this.#end(venue, report);
      if (this.#isIncomplete(taken)) incomplete.push(report);
    }
    this.#lookLater();
    // Not a part of this work: what is told meanwhile does not wait for an answer of the exchange.
    void this.#guard(async () => {
      for (const report of incomplete) await tracker.check(report);
    });
  }

  /** The first event that need not wait, which then no longer waits. */
  #takeNext(): Told | undefined {
    const next = this.#isDisposed ? undefined : this.#waiting.find((each) => !this.#mustWait(each));
    if (next) this.#waiting = this.#waiting.filter((each) => each !== next);
    return next;
  }

  #mustWait(told: Told): boolean {
    return this.#isBeingSent(told) || (this.#isEarly(told) && !this.#hasMatches(told));
  }

  #isBeingSent({ report, venue }: Told): boolean {
    const { pair, side, clientId } = report;
    return this.#options.orders.all.some(
      (order) =>
        order.state === "sending" &&
        isOf(order, venue) &&
        order.intent.quote === pair.quote &&
        order.intent.base === pair.base &&
        sideOf(order.intent) === side &&
        (clientId === undefined || order.intent.clientId === undefined || clientId === order.intent.clientId),
    );
  }

  /** Whether an end may still be completed by matches that are on their way. */
  #isEarly({ report, at }: Told): boolean {
    const ms = this.#options.timers.now() - at;
    return hasEnded(report) && ms >= 0 && ms < MATCHES_MS;
  }

  /** Whether the known fills are all that an order executed. */
  #hasMatches({ report, executed, venue }: Told): boolean {
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
    await tracker.take(venue, [report]);
  }

  /** A new order without its quantity: streams tell the amount of a buy only. The list of open orders has both. */
  #isIncomplete({ report, executed, venue }: Told): boolean {
    if (hasEnded(report) || executed?.gt("0") || report.fills.length > 0) return false;
    const known = this.#options.orders.get(nameIn(report, venue))?.known;
    return known !== undefined && known.quantity === undefined;
  }

  #lookLater(): void {
    if (this.#cancelLook || this.#isDisposed || !this.#waiting.some((each) => this.#isEarly(each))) return;
    this.#cancelLook = this.#options.timers.after(MATCHES_MS, () => {
      this.#cancelLook = undefined;
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
