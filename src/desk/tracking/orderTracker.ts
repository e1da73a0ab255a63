import type { NamedOrder } from "../../market/order.ts";
import type { NamedPair } from "../../market/pair.ts";
import { RefusedError } from "../../exchange/errors.ts";
import type { OrderName } from "../../market/order.ts";
import {
  type Fill,
  hasAllFills,
  hasEnded,
  isUnlisted,
  type KnownOrder,
  type OrderReport,
} from "../../market/orderReport.ts";
import { pairKey } from "../../market/pair.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import { isOwn, isPlaced, type PlacedOrder } from "../../storage/orders/order.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import { accountOf, sameAccount, type CurrentVenue, type Venue } from "../venue.ts";
import { isNotCancelled } from "./canceller.ts";
import { idsByClientId, idsBySimilarity, pairsToSearch, SEARCH_MS } from "./ordersWithoutId.ts";
import { historyFrom, type OrderReads, readHistory } from "./orderReads.ts";
import { namedOrder, TrackedOrders } from "./trackedOrders.ts";

/** A change of one order, reported by the exchange. */
export interface OrderChange {
  readonly order: PlacedOrder;
  readonly newFills: readonly Fill[];
}

export interface OrderTrackerOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** The order queries that the exchange offers. */
  readonly reads: (venue: Venue) => OrderReads;
  /** Whether this window currently polls for all windows. */
  readonly isMine: () => boolean;
  /** The pairs whose orders are visible: favourites, and the pair in front. Undefined while no orders are visible. */
  readonly watched: () => readonly NamedPair[] | undefined;
  readonly log: (message: string) => void;
  /** Whether the exchange pushes order updates: polls are then less frequent. */
  readonly isStreamed?: () => boolean;
}

/** Poll interval of pairs with own open orders. */
const OPEN_MS = 5_000;
/** The same while updates are pushed, in case the exchange misses some. */
const STREAMED_MS = 30_000;
/** Poll interval of other visible pairs. */
const WATCHED_MS = 30_000;
/** Poll interval of the fills of a listed order. */
const INFO_MS = 30_000;
/** The same for a few own orders of a pair while orders are visible: 20 orders are two requests per second. */
const WATCHED_INFO_MS = 10_000;
const MAX_WATCHED_INFOS = 20;
/** A list read less than this long after an order was placed may not contain the order yet. */
const SETTLE_MS = 2_000;
/** Maximum look-ups per pair and round: an old journal may have thousands of orders without an end. */
const MAX_LOOKUPS = 20;
/** After this long, an order that left the open orders and appears nowhere else is shown as not listed. */
const LOOK_UP_MS = 60_000;
/** Maximum interval between look-ups of an order that is not listed, or that ended with fills missing. */
const LONGEST_WAIT_MS = 600_000;
/** Error codes for a pair that the open orders query does not support. */
const NOT_SUPPORTED: ReadonlySet<number | string> = new Set([61, 404]);

/**
 * Tracks orders through open orders, order info and order history, as far as the exchange offers them. Own open orders
 * are always polled; other open orders of visible pairs, and those found before, only while orders are visible. All
 * pairs are never polled together. The tracker only reads.
 */
export class OrderTracker extends Disposable {
  readonly #options: OrderTrackerOptions;
  readonly #tracked: TrackedOrders;
  readonly #changed = new Event<OrderChange>();
  /** When each pair, and the info of each order, was read last. */
  readonly #readAt = new Map<string, number>();
  /** Orders being looked up because no list contains them, or because they ended with data missing. */
  readonly #lookUps = new Map<string, LookUp>();
  /** When a cancelled order was first seen in the list again. */
  readonly #cancelSeen = new WeakMap<CancelRecord, number>();
  readonly #unsupported = new Set<string>();
  #cancelNext: (() => void) | undefined;
  #running: Promise<void> | undefined;
  /** Serializes recording: two concurrent responses would both report the same fill as new. */
  #recording: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  /** Fires once per change, in the window that read it. */
  readonly onDidChange = this.#changed.add;

  constructor(options: OrderTrackerOptions) {
    super();
    this.#options = options;
    const { orders, venue } = options;
    this.#tracked = new TrackedOrders(orders, options.timers.now);
    const arm = (): void => this.#arm();
    const restart = (): void => {
      for (const each of [this.#readAt, this.#lookUps, this.#unsupported]) each.clear();
      arm();
    };
    this.register(orders.onDidChange(arm), venue.onDidChange(restart), venue.onDidChangeKey(restart), () => {
      this.#isDisposed = true;
      this.#cancelNext?.();
    });
    arm();
  }

  /** Polls what is due, or everything of one pair. Resolves after the attempt. */
  async check(named?: NamedPair): Promise<void> {
    if (named) {
      this.#readAt.delete(pairKey(named.pair));
      this.#endWaits(pairKey(named.pair));
      await this.#running;
    }
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    await this.#running;
  }

  /** Polls everything now: events since the last poll are not replayed. */
  async checkAll(): Promise<void> {
    this.#readAt.clear();
    this.#endWaits();
    await this.#running;
    await this.check();
  }

  /** Makes look-ups of all orders, or those of one pair, due in the next round. */
  #endWaits(pair?: string): void {
    for (const lookUp of this.#lookUps.values())
      if (pair === undefined || lookUp.pair === pair) lookUp.waitMs = 0;
  }

  /** Records pushed reports. All their fills are news, even those of an order that was not known before. */
  async record(venue: Venue, reports: readonly OrderReport[]): Promise<void> {
    await this.#record(venue, reports, true);
  }

  /** Reads the info of one order, or else its matches in the history. */
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
    const now = timers.now();
    for (const order of this.#tracked.of(venue)) {
      const {
        id,
        known: { symbol, pair },
      } = order;
      const known = pairs.get(pairKey(pair));
      const everyMs = this.#isResting(id) ? OPEN_MS : isOwn(order) ? openMs : WATCHED_MS;
      if (
        (isOwn(order) || watched) &&
        this.#isLookUpDue(id, now) &&
        everyMs < (known?.everyMs ?? Number.POSITIVE_INFINITY)
      )
        pairs.set(pairKey(pair), { symbol, pair, everyMs });
    }
    for (const named of pairsToSearch(this.#options.orders.own, venue, now))
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
    const withoutInfo: KnownOrder[] = [];
    for (const order of this.#tracked.of(venue)) {
      if (pairKey(order.name) !== key) continue;
      // The history read for a previous order may have ended this one.
      const known = this.#tracked.known(order);
      if (!known) continue;
      if (!hasEnded(known) && order.ids.some((id) => open?.has(id))) {
        this.#lookUps.delete(order.id);
        await this.#noteStillOpen(order, askedAt);
        if (isOwn(order)) ownListed += 1;
        const isSoon = isWatched && isOwn(order) && ownListed <= MAX_WATCHED_INFOS;
        if (!this.#isInfoDue(order.id, known, isSoon ? WATCHED_INFO_MS : INFO_MS)) continue;
        if (this.#options.reads(venue).orderInfo) await this.#readInfo(venue, order);
        else {
          this.#readAt.set(order.id, timers.now());
          withoutInfo.push(known);
        }
        continue;
      }
      if (lookUps >= MAX_LOOKUPS || !this.#isLookUpDue(order.id, timers.now())) continue;
      const ageMs = askedAt - (known.placedAt ?? 0);
      if (open && ageMs >= 0 && ageMs < SETTLE_MS) {
        // The stream does not replay events from before it started: poll the pair again soon.
        if (this.#options.isStreamed?.()) this.#readAt.delete(key);
        continue;
      }
      lookUps += 1;
      await this.#lookUp(venue, order, known, open !== undefined);
    }
    if (withoutInfo.length > 0) await this.#readHistory(venue, named, withoutInfo);
  }

  /** The open orders of a pair by id; undefined if an order's absence would prove nothing. */
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

  /** Searches the history for accepted orders without an id, which may have been filled at once. */
  async #searchHistory(venue: Venue, named: NamedPair): Promise<void> {
    const { orders, timers } = this.#options;
    const now = timers.now();
    const isSearched = pairsToSearch(orders.own, venue, now).some(
      ({ pair }) => pairKey(pair) === pairKey(named.pair),
    );
    if (!isSearched) return;
    const from = historyFrom(now - SEARCH_MS, venue.client.clock, now);
    const history = await this.#ask(venue, (reads) => readHistory(reads, named, from));
    if (history) await this.#record(venue, history.orders);
  }

  /** Records that a cancelled order is still listed long after the request. */
  async #noteStillOpen({ name, known: { symbol } }: PlacedOrder, askedAt: number): Promise<void> {
    const { orders } = this.#options;
    const cancel = orders.get(name)?.cancel;
    if (!cancel) return;
    // If the clock was set back, the time counts from now.
    const at = Math.min(cancel.at, this.#cancelSeen.get(cancel) ?? askedAt, askedAt);
    this.#cancelSeen.set(cancel, at);
    if (isNotCancelled({ step: cancel.step, at }, askedAt))
      await orders.recordCancel({ ...name, symbol, step: "stillOpen" });
  }

  /** The list has no matches, so the info is due if fills are missing or the interval has passed. */
  #isInfoDue(key: string, known: KnownOrder, everyMs: number): boolean {
    const now = this.#options.timers.now();
    const ms = now - (this.#readAt.get(key) ?? Number.NEGATIVE_INFINITY);
    return ms < 0 || ms >= everyMs || !hasAllFills(known);
  }

  async #readInfo(venue: Venue, order: PlacedOrder): Promise<OrderReport | undefined> {
    this.#readAt.set(order.id, this.#options.timers.now());
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(namedOrder(order)));
    if (info) await this.#record(venue, [info]);
    return info;
  }

  /** Reads the matches of these orders of one pair. */
  async #readHistory(venue: Venue, named: NamedPair, orders: readonly KnownOrder[]): Promise<void> {
    const now = this.#options.timers.now();
    const placedAt = Math.min(...orders.map((order) => order.placedAt ?? now));
    const from = historyFrom(placedAt, venue.client.clock, now);
    const history = await this.#ask(venue, (reads) => readHistory(reads, named, from));
    if (history) await this.#record(venue, history.orders);
  }

  /**
   * Looks up an order that is not among the open orders, or that ended: by its info, else by its matches in the
   * history.
   */
  async #lookUp(venue: Venue, order: PlacedOrder, known: KnownOrder, hasLeft: boolean): Promise<void> {
    const { timers } = this.#options;
    const { id: key } = order;
    const { orderId, symbol, pair, side } = namedOrder(order);
    const at = timers.now();
    const lookUp = this.#lookUps.get(key) ?? { pair: pairKey(pair), since: at, at, waitMs: 0 };
    lookUp.at = at;
    // If the clock was set back, the time counts from now.
    lookUp.since = Math.min(lookUp.since, at);
    // Set before the requests, so that other orders come first next time if they fail.
    const isResting = hasEnded(known) || isUnlisted(known);
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.max(OPEN_MS, (at - lookUp.since) / 8));
    lookUp.waitMs = isResting ? waitMs : 0;
    this.#lookUps.set(key, lookUp);
    const info = await this.#readInfo(venue, order);
    const reported = this.#tracked.known(order);
    if (info?.status === "open" && reported && !hasEnded(reported)) {
      this.#lookUps.delete(key);
      await this.#noteStillOpen(order, info.askedAt);
      if (hasAllFills(reported)) return;
    }
    if (reported) await this.#readHistory(venue, { symbol, pair }, [reported]);
    const after = this.#tracked.known(order);
    if (!after) this.#lookUps.delete(key);
    if (!after || hasEnded(after) || isUnlisted(after) || info?.status === "open") return;
    // Absence means something only if a list or an info could have contained the order.
    const isMissing = hasLeft || (!info && this.#options.reads(venue).orderInfo !== undefined);
    const now = timers.now();
    if (!isMissing || now - lookUp.since < LOOK_UP_MS) return;
    await this.#record(venue, [{ orderId, symbol, pair, side, fills: [], goneAt: now, askedAt: now }]);
  }

  #isLookUpDue(key: string, now: number): boolean {
    const lookUp = this.#lookUps.get(key);
    const ms = now - (lookUp?.at ?? Number.NEGATIVE_INFINITY);
    return ms < 0 || ms >= (lookUp?.waitMs ?? 0);
  }

  #isResting(key: string): boolean {
    return (this.#lookUps.get(key)?.waitMs ?? 0) > 0;
  }

  async #ask<T>(venue: Venue, task: (reads: OrderReads) => Promise<T> | undefined): Promise<T | undefined> {
    const { venue: current, reads } = this.#options;
    return await current.read(venue, async (client) => await task(reads({ ...venue, client })));
  }

  /**
   * Records a response and reports its changes. Its client ids prove that own orders with an unknown outcome were
   * placed.
   */
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
    const before = reports.map((report) =>
      orders.ordersOf(report, venue).flatMap(({ known }) => known ?? []),
    );
    // First, so that the reports are attributed to own orders.
    for (const { id, orderId } of idsByClientId(reports, orders, venue))
      await orders.recordFound(id, orderId);
    if (!(await orders.recordReports(reports, venue))) return;
    for (const { id, orderId } of idsBySimilarity(orders, venue, this.#options.timers.now()))
      await orders.recordFound(id, orderId);
    const reported = new Set<string>();
    for (const [index, report] of reports.entries()) {
      const order = orders.get(nameIn(report));
      const earlier = before[index] ?? [];
      // Two reports of one response may concern one order under two ids.
      if (!order || !isPlaced(order) || earlier.includes(order.known) || reported.has(order.id)) continue;
      reported.add(order.id);
      const seen = new Set(earlier.flatMap(({ fills }) => fills.map(({ id }) => id)));
      const newFills = order.known.fills.filter(({ id }) => !seen.has(id));
      // The first history of an order placed elsewhere contains old matches, which are not news.
      const areNews = isNews || isOwn(order) || earlier.length > 0;
      this.#changed.fire({ order, newFills: areNews ? newFills : [] });
    }
  }
}

/** The look-ups of an order that no list contains, or that ended with data missing. Times in ms. */
interface LookUp {
  /** The pair's key. */
  readonly pair: string;
  since: number;
  /** The last look-up. */
  at: number;
  /** Delay until the next look-up; 0: together with the other orders of its pair. */
  waitMs: number;
}

function offersAnything({ openOrders, orderInfo, orderHistory }: OrderReads): boolean {
  return (openOrders ?? orderInfo ?? orderHistory) !== undefined;
}
