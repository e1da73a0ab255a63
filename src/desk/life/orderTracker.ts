import type { NamedOrder, NamedPair } from "../../exchange/capabilities.ts";
import { RefusedError } from "../../exchange/errors.ts";
import { keyOf, type OrderName } from "../../market/order.ts";
import { type Fill, type KnownOrder, type OrderReport } from "../../market/orderReport.ts";
import { pairKey } from "../../market/pair.ts";
import type { RecordedOrder } from "../../storage/orders/replay.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import { accountOf, sameAccount, type CurrentVenue, type Venue } from "../venue.ts";
import { isNotCancelled } from "./canceller.ts";
import { namesByClientId, namesByLikeness, pairsToSearch, SEARCHED_MS } from "./namelessOrders.ts";
import { historyFrom, type OrderReads, readHistory } from "./orderReads.ts";
import { knownOf } from "./ownOrder.ts";
import { type TrackedOrder, TrackedOrders } from "./trackedOrders.ts";

/** A change of one order that the exchange told. */
export interface LifeChange {
  readonly name: OrderName;
  /** Undefined for an order that was placed elsewhere. */
  readonly own: RecordedOrder | undefined;
  readonly known: KnownOrder;
  readonly newFills: readonly Fill[];
}

export interface OrderTrackerOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** What the exchange offers about orders. */
  readonly reads: (venue: Venue) => OrderReads;
  /** Whether this window reads for all windows now. */
  readonly isMine: () => boolean;
  /** The pairs that a person looks at: favourites, and the pair in front. Undefined while nobody looks at orders. */
  readonly watched: () => readonly NamedPair[] | undefined;
  readonly log: (message: string) => void;
  /** Whether the exchange tells of orders as they happen: then less is asked for. */
  readonly isStreamed?: () => boolean;
}

/** How often pairs with open own orders are read. */
const OPEN_MS = 5_000;
/** The same while the exchange tells of orders by itself: a service that forgets to is found out. */
const STREAMED_MS = 30_000;
/** How often the other pairs are read that a person looks at. */
const WATCHED_MS = 30_000;
/** How often the fills of an order are read that the list still shows. */
const INFO_MS = 30_000;
/** The same for some own orders of a pair while a person looks at orders: 20 orders are two requests in a second. */
const WATCHED_INFO_MS = 10_000;
const MOST_WATCHED_INFOS = 20;
/** A list that was read less than this time after an order was placed may not have the order yet. */
const SETTLE_MS = 2_000;
/** How many orders of a pair are looked up in one round: an old journal may have thousands without an end. */
const MOST_LOOK_UPS = 20;
/** An order that left the open orders, and that nothing else tells of, is looked up for this time. */
const LOOK_UP_MS = 60_000;
/** The pair is not supported by the list of open orders. */
const NOT_SUPPORTED: ReadonlySet<number | string> = new Set([61, 404]);

/**
 * Follows orders through open orders, order info and history, as far as the exchange offers them: own open orders, and
 * while a person looks at orders, all open orders of the pairs looked at, and those found before. Never a sweep over all pairs. An exchange without these
 * capabilities is never asked. This only reads.
 */
export class OrderTracker extends Disposable {
  readonly #options: OrderTrackerOptions;
  readonly #tracked: TrackedOrders;
  readonly #changed = new Event<LifeChange>();
  /** When each pair was read last, and when the info of each order was. */
  readonly #readAt = new Map<string, number>();
  /** Since when an order is missing in the open orders. */
  readonly #missingSince = new Map<string, number>();
  readonly #unsupported = new Set<string>();
  #cancelNext: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** One answer is recorded after the other: two at a time would both find the same fill new. */
  #recording: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  /** Fires once for each change, in the window that read it. */
  readonly onDidChange = this.#changed.add;

  constructor(options: OrderTrackerOptions) {
    super();
    this.#options = options;
    const { orders, venue } = options;
    this.#tracked = new TrackedOrders(orders);
    const arm = (): void => this.#arm();
    const beginAgain = (): void => {
      for (const each of [this.#readAt, this.#missingSince, this.#unsupported]) each.clear();
      arm();
    };
    this.register(
      orders.onDidChange(arm),
      venue.onDidChange(beginAgain),
      venue.onDidChangeKey(beginAgain),
      () => {
        this.#isDisposed = true;
        this.#cancelNext?.();
      },
    );
    arm();
  }

  /** Reads what is due now, or all of one pair. Resolves when that was tried. */
  async check(named?: NamedPair): Promise<void> {
    if (named) {
      this.#readAt.delete(pairKey(named.pair));
      await this.#running;
    }
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    await this.#running;
  }

  /** Reads everything that may be read now: what happened since the last reading is told by nobody. */
  async checkAll(): Promise<void> {
    this.#readAt.clear();
    await this.#running;
    await this.check();
  }

  /** Records what the exchange told by itself. All of it is news, also of an order that was not known. */
  async take(venue: Venue, reports: readonly OrderReport[]): Promise<void> {
    await this.#record(venue, reports, true);
  }

  /** Reads all that the exchange says of one order, if it says anything. */
  async readOrder(venue: Venue, order: NamedOrder): Promise<void> {
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order));
    if (info) return await this.#record(venue, [info]);
    const history = await this.#ask(venue, (reads) => readHistory(reads, order, 0));
    if (history) await this.#record(venue, history.orders);
  }

  #arm(): void {
    if (this.#isDisposed || this.#running || this.#cancelNext) return;
    const { venue, timers } = this.#options;
    if (!venue.venue || !offersAnything(this.#options.reads(venue.venue))) return;
    this.#cancelNext = timers.after(OPEN_MS, () => {
      this.#cancelNext = undefined;
      void this.check();
    });
  }

  async #round(): Promise<void> {
    const { venue: current, isMine, log } = this.#options;
    const venue = current.venue;
    if (!venue || !isMine() || !offersAnything(this.#options.reads(venue))) return;
    for (const named of this.#duePairs(venue)) {
      try {
        await this.#readPair(venue, named);
      } catch (error) {
        log(`Orders of ${pairKey(named.pair)}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (!isMine() || this.#isDisposed || !sameAccount(venue, current.venue)) return;
    }
  }

  #duePairs(venue: Venue): readonly NamedPair[] {
    const { timers } = this.#options;
    const pairs = new Map<string, NamedPair & { readonly everyMs: number }>();
    const openMs = this.#options.isStreamed?.() === true ? STREAMED_MS : OPEN_MS;
    const watched = this.#options.watched();
    for (const named of watched ?? []) pairs.set(pairKey(named.pair), { ...named, everyMs: WATCHED_MS });
    for (const { symbol, pair, own } of this.#tracked.of(venue))
      if (own || (watched && !pairs.has(pairKey(pair))))
        pairs.set(pairKey(pair), { symbol, pair, everyMs: own ? openMs : WATCHED_MS });
    const now = timers.now();
    for (const named of pairsToSearch(this.#options.orders.all, venue, now))
      pairs.set(pairKey(named.pair), { ...named, everyMs: openMs });
    return [...pairs].flatMap(([key, { everyMs, ...named }]) => {
      const ms = now - (this.#readAt.get(key) ?? Number.NEGATIVE_INFINITY);
      return ms >= 0 && ms < everyMs ? [] : [named];
    });
  }

  async #readPair(venue: Venue, named: NamedPair): Promise<void> {
    const { timers } = this.#options;
    const key = pairKey(named.pair);
    const askedAt = timers.now();
    this.#readAt.set(key, askedAt);
    const open = await this.#readOpen(venue, named);
    await this.#searchHistory(venue, named);
    let lookUps = 0;
    let ownListed = 0;
    const isWatched = this.#options.watched() !== undefined;
    for (const order of this.#tracked.of(venue)) {
      const isListed = open?.has(order.orderId) === true;
      if (pairKey(order.pair) !== key || (!isListed && lookUps >= MOST_LOOK_UPS)) continue;
      // The history of an order before may have told the end of this one.
      const known = this.#tracked.known(order);
      if (!known) continue;
      if (isListed) {
        this.#missingSince.delete(order.key);
        await this.#noteStillOpen(order, askedAt);
        if (order.own) ownListed += 1;
        const isSoon = isWatched && order.own && ownListed <= MOST_WATCHED_INFOS;
        const everyMs = isSoon ? WATCHED_INFO_MS : INFO_MS;
        if (this.#isInfoDue(order.key, open.get(order.orderId), known, everyMs))
          await this.#readInfo(venue, order);
        continue;
      }
      const ageMs = askedAt - (known.placedAt ?? 0);
      if (open && ageMs >= 0 && ageMs < SETTLE_MS) {
        // What became of it before the stream began is told by nobody: the pair is read again soon.
        if (this.#options.isStreamed?.()) this.#readAt.delete(key);
        continue;
      }
      lookUps += 1;
      await this.#lookUp(venue, order, known, open !== undefined);
    }
  }

  /** The open orders of a pair by id; undefined if no order is proven to be absent. */
  async #readOpen(venue: Venue, named: NamedPair): Promise<ReadonlyMap<string, OrderReport> | undefined> {
    const key = pairKey(named.pair);
    if (!this.#options.reads(venue).openOrders || this.#unsupported.has(key)) return undefined;
    try {
      const listed = await this.#ask(venue, (reads) => reads.openOrders?.(named));
      if (!listed) return undefined;
      await this.#record(venue, listed.orders);
      return listed.unreadable.length === 0
        ? new Map(
            listed.orders.flatMap((order) =>
              [order.orderId, ...(order.otherIds ?? [])].map((id) => [id, order] as const),
            ),
          )
        : undefined;
    } catch (error) {
      if (!(error instanceof RefusedError) || !NOT_SUPPORTED.has(error.code)) throw error;
      this.#unsupported.add(key);
      return undefined;
    }
  }

  /** An accepted order without an id that is not open may have been filled at once. */
  async #searchHistory(venue: Venue, named: NamedPair): Promise<void> {
    const { orders, timers } = this.#options;
    const now = timers.now();
    const isSearched = pairsToSearch(orders.all, venue, now).some(
      ({ pair }) => pairKey(pair) === pairKey(named.pair),
    );
    if (!isSearched) return;
    const from = historyFrom(now - SEARCHED_MS, venue.client.clock, now);
    const history = await this.#ask(venue, (reads) => readHistory(reads, named, from));
    if (history) await this.#record(venue, history.orders);
  }

  /** A cancelled order that is listed long after the request is open. The record tells the other windows too. */
  async #noteStillOpen({ name, symbol }: TrackedOrder, askedAt: number): Promise<void> {
    const { orders } = this.#options;
    const cancel = orders.lives?.get(name)?.cancel;
    if (cancel && isNotCancelled(cancel, askedAt))
      await orders.recordLife({ kind: "cancel", ...name, symbol, step: "stillOpen" });
  }

  /** The list tells no match: its row changed, or some time passed. */
  #isInfoDue(key: string, row: OrderReport | undefined, known: KnownOrder, everyMs: number): boolean {
    const now = this.#options.timers.now();
    const ms = now - (this.#readAt.get(key) ?? Number.NEGATIVE_INFINITY);
    if (ms < 0 || ms >= everyMs) return true;
    return known.side === "buy" ? isLess(row?.amount, known.amount) : isLess(row?.quantity, known.quantity);
  }

  async #readInfo(venue: Venue, order: TrackedOrder): Promise<void> {
    this.#readAt.set(order.key, this.#options.timers.now());
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order));
    if (info) await this.#record(venue, [info]);
  }

  /** An order that the open orders do not have: its info tells the end, else its matches in the history. */
  async #lookUp(
    venue: Venue,
    order: TrackedOrder,
    { placedAt }: KnownOrder,
    hasLeft: boolean,
  ): Promise<void> {
    const { timers } = this.#options;
    await this.#readInfo(venue, order);
    if (!this.#tracked.known(order)) return;
    const now = timers.now();
    const from = historyFrom(placedAt ?? now, venue.client.clock, now);
    const history = await this.#ask(venue, (reads) => readHistory(reads, order, from));
    if (history) await this.#record(venue, history.orders);
    const after = this.#tracked.known(order);
    if (!after || !(hasLeft || after.closedAt !== undefined)) return;
    const { key } = order;
    const at = timers.now();
    // A clock that was set back begins the time again.
    const since = Math.min(this.#missingSince.get(key) ?? at, at);
    this.#missingSince.set(key, since);
    if (at - since < LOOK_UP_MS) return;
    // It is over, and nothing says how: not cancelled, not filled.
    const { orderId, symbol, pair, side } = order;
    await this.#record(venue, [{ orderId, symbol, pair, side, fills: [], goneAt: at, askedAt: at }]);
  }

  async #ask<T>(venue: Venue, task: (reads: OrderReads) => Promise<T> | undefined): Promise<T | undefined> {
    const { venue: current, reads } = this.#options;
    return await current.read(venue, async (client) => await task(reads({ ...venue, client })));
  }

  /** Records an answer, and tells what it changed. An own order that was unknown is proven by its client id. */
  async #record(venue: Venue, reports: readonly OrderReport[], isNews = false): Promise<void> {
    const recorded = this.#recording.then(() => this.#recordNow(venue, reports, isNews));
    this.#recording = recorded.catch(() => undefined);
    await recorded;
  }

  async #recordNow(venue: Venue, reports: readonly OrderReport[], isNews: boolean): Promise<void> {
    const { orders } = this.#options;
    const account = accountOf(venue);
    const nameIn = ({ orderId, pair, side }: OrderReport): OrderName => ({
      ...account,
      ...pair,
      side,
      orderId,
    });
    const before = reports.map((report) => orders.lives?.get(nameIn(report))?.known);
    // First, so that the reports are known to be about own orders.
    for (const { id, orderId } of namesByClientId(reports, orders, venue))
      await orders.recordFound(id, orderId);
    if (!(await orders.recordReports(reports, venue))) return;
    for (const { id, orderId } of namesByLikeness(orders, venue, this.#options.timers.now()))
      await orders.recordFound(id, orderId);
    for (const [index, report] of reports.entries()) {
      const name = nameIn(report);
      const known = orders.lives?.get(name)?.known;
      const earlier = before[index];
      if (!known || known === earlier) continue;
      const own = this.#tracked.ownOf(keyOf(name));
      const seen = new Set(earlier?.fills.map(({ id }) => id));
      const newFills = known.fills.filter(({ id }) => !seen.has(id));
      // The first history of an order that was placed elsewhere tells old matches: no news for a person.
      const areNews = isNews || own !== undefined || earlier !== undefined;
      // A match alone tells nothing of the order that it belongs to; the own order's record does.
      const all = (own && knownOf(own, orders.lives)) ?? known;
      this.#changed.fire({ name, own, known: all, newFills: areNews ? newFills : [] });
    }
  }
}

function isLess(told: OrderReport["amount"], before: OrderReport["amount"]): boolean {
  return told !== undefined && before !== undefined && told.lt(before);
}

function offersAnything({ openOrders, orderInfo, orderHistory }: OrderReads): boolean {
  return (openOrders ?? orderInfo ?? orderHistory) !== undefined;
}
