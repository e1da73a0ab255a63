import { hasAllFills, hasEnded, isUnlisted, type OrderReport } from "../../market/orderReport.ts";
import type { NamedOrder } from "../../market/order.ts";
import { type NamedPair, pairKey } from "../../market/pair.ts";
import { isOwn, isPlaced, type PlacedOrder } from "../../storage/orders/order.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue, Venue } from "../venue.ts";
import { CANCELLING_MS, isNotCancelled } from "./canceller.ts";
import type { FollowedOrder, Read, Sources } from "./dueReads.ts";
import { nameIn, OrderRecorder } from "./orderRecorder.ts";
import { historyFrom, type OrderReads, readHistory } from "./orderReads.ts";
import { pairsToSearch, SEARCH_MS } from "./ordersWithoutId.ts";
import { ReadRunner } from "./readRunner.ts";
import { namedOrder, TrackedOrders } from "./trackedOrders.ts";

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

/** A list read less than this long after an order was placed may not contain the order yet. */
const SETTLE_MS = 2_000;
/** After this long, an order that left the open orders and appears nowhere else is shown as not listed. */
const MISSING_MS = 60_000;

/**
 * Follows orders by reading what `dueReads` plans, and records the responses. It never sends or changes an order.
 */
export class OrderTracker extends Disposable {
  readonly #options: OrderTrackerOptions;
  readonly #tracked: TrackedOrders;
  readonly #recorder: OrderRecorder;
  readonly #runner: ReadRunner;
  readonly #pathLost = new Event<unknown>();
  /** Since when the newest responses lack an order, by its id, ms. */
  readonly #missingSince = new Map<string, number>();
  /** When a cancelled order was first seen in the list again. */
  readonly #cancelSeen = new WeakMap<CancelRecord, number>();

  /** Fires once per change, in the window that read it. */
  readonly onDidChange: OrderRecorder["onDidChange"];
  /** Fires with the error of a read whose path the exchange no longer has. */
  readonly onDidLosePath = this.#pathLost.add;

  constructor(options: OrderTrackerOptions) {
    super();
    this.#options = options;
    const { orders, venue, timers, isMine, log } = options;
    this.#tracked = new TrackedOrders(orders, timers.now);
    this.#recorder = new OrderRecorder(orders, timers.now);
    this.onDidChange = this.#recorder.onDidChange;
    const runner = (this.#runner = this.register(
      new ReadRunner({
        timers,
        isMine,
        log,
        orders: () => this.#followed(),
        sources: () => this.#sources(),
        ask: (read) => this.#read(read),
        onGone: (error) => this.#pathLost.fire(error),
      }),
    ));
    const restart = (): void => {
      this.#missingSince.clear();
      runner.readNow();
    };
    this.register(
      orders.onDidChange(() => runner.plan()),
      venue.onDidChange(restart),
      venue.onDidChangeKey(restart),
    );
    runner.plan();
  }

  /** Makes all reads of a pair due, or those of every pair: events since the last reading are not replayed. */
  readNow(named?: NamedPair): void {
    this.#runner.readNow(named);
  }

  /** Records pushed reports. All their fills are news, even those of an order that was not known before. */
  async record(venue: Venue, reports: readonly OrderReport[]): Promise<void> {
    await this.#record(venue, reports, true);
  }

  /** Reads the info of one order, or else its matches in the history. */
  async readOrder(venue: Venue, order: NamedOrder): Promise<void> {
    const { log } = this.#options;
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order)).catch((error: unknown) =>
      log(`An order could not be read: ${String(error)}`),
    );
    if (info) return await this.#record(venue, [info]);
    const history = await this.#ask(venue, (reads) => readHistory(reads, order, 0));
    if (history) await this.#record(venue, history.orders);
  }

  #sources(): Omit<Sources, "attempts"> {
    const { orders, venue: current, timers, watched, isStreamed, reads } = this.#options;
    const { venue } = current;
    const { openOrders, orderInfo, orderHistory } = venue ? reads(venue) : {};
    return {
      offered: {
        list: openOrders !== undefined,
        info: orderInfo !== undefined,
        history: orderHistory !== undefined,
      },
      watched: watched(),
      searched: venue ? pairsToSearch(orders.own, venue, timers.now()) : [],
      isStreamed: isStreamed?.() === true,
    };
  }

  #followed(): readonly FollowedOrder[] {
    const { venue } = this.#options.venue;
    return venue ? this.#tracked.of(venue).map((order) => this.#follow(order)) : [];
  }

  #follow(order: PlacedOrder): FollowedOrder {
    const { known } = order;
    const missingSince = this.#missingSince.get(order.id) ?? (isUnlisted(known) ? known.goneAt : undefined);
    const followed = { order: namedOrder(order), isOwn: isOwn(order), lacksFills: !hasAllFills(known) };
    if (hasEnded(known)) return { ...followed, needs: "incomplete", since: order.lastAt ?? order.at };
    if (known.status === "open" && missingSince === undefined)
      return { ...followed, needs: "resting", since: known.openAt ?? order.at };
    return { ...followed, needs: "missing", since: missingSince ?? order.at };
  }

  async #read(read: Read): Promise<void> {
    const { venue } = this.#options.venue;
    if (!venue) return;
    switch (read.source) {
      case "list":
        return await this.#readList(venue, read.named);
      case "info":
        return await this.#readInfo(venue, read.order);
      case "history":
        return await this.#readHistory(venue, read.named);
    }
  }

  async #readList(venue: Venue, named: NamedPair): Promise<void> {
    const askedAt = this.#options.timers.now();
    const listed = await this.#ask(venue, (reads) => reads.openOrders?.(named));
    if (!listed) return;
    await this.#record(venue, listed.orders);
    // A row that could not be read may be any order.
    if (listed.unreadable.length > 0) return;
    const ids = new Set(listed.orders.flatMap(({ orderId, otherIds = [] }) => [orderId, ...otherIds]));
    for (const order of this.#trackedOf(venue, named)) {
      const ageMs = askedAt - (order.known.placedAt ?? 0);
      const isSettled = ageMs < 0 || ageMs >= SETTLE_MS;
      if (isSettled && !order.ids.some((id) => ids.has(id))) await this.#noteMissing(venue, order, askedAt);
    }
  }

  async #readInfo(venue: Venue, order: NamedOrder): Promise<void> {
    const askedAt = this.#options.timers.now();
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order));
    if (info) return await this.#record(venue, [info]);
    const known = this.#trackedOf(venue, order).find(({ ids }) => ids.includes(order.orderId));
    if (known) await this.#noteMissing(venue, known, askedAt);
  }

  /** Reads the matches of the pair's orders that have not ended or lack fills, and of orders without an id. */
  async #readHistory(venue: Venue, named: NamedPair): Promise<void> {
    const { timers, orders } = this.#options;
    const now = timers.now();
    const isSearched = pairsToSearch(orders.own, venue, now).some(
      ({ pair }) => pairKey(pair) === pairKey(named.pair),
    );
    const wanting = this.#trackedOf(venue, named).filter((order) => {
      const { isOwn, needs, lacksFills } = this.#follow(order);
      return isOwn || needs !== "resting" || lacksFills;
    });
    const times = wanting.map(({ known }) => known.placedAt ?? now);
    const earliest = Math.min(now, ...times, ...(isSearched ? [now - SEARCH_MS] : []));
    const from = historyFrom(earliest, venue.client.clock, now);
    const history = await this.#ask(venue, (reads) => readHistory(reads, named, from));
    if (history) await this.#record(venue, history.orders);
  }

  #trackedOf(venue: Venue, { pair }: NamedPair): readonly PlacedOrder[] {
    const key = pairKey(pair);
    return this.#tracked.of(venue).filter(({ name }) => pairKey(name) === key);
  }

  /** Notes that a response asked for at `askedAt` lacks the order. After a minute it is recorded as not listed. */
  async #noteMissing(venue: Venue, order: PlacedOrder, askedAt: number): Promise<void> {
    const { known, id, cancel } = order;
    if (hasEnded(known)) return;
    // If the clock was set back, the time counts from now.
    const since = Math.min(askedAt, this.#missingSince.get(id) ?? askedAt);
    this.#missingSince.set(id, since);
    if (askedAt - since < MISSING_MS) return;
    const isTaken = cancel?.step === "taken" || cancel?.step === "notOpen";
    // From then on it counts as ended, so a list from before the exchange's cancellation must not decide.
    if (isTaken ? askedAt - cancel.at < CANCELLING_MS : isUnlisted(known)) return;
    await this.#recorder.record(venue, [
      { source: "list", ...namedOrder(order), fills: [], goneAt: this.#options.timers.now(), askedAt },
    ]);
  }

  async #record(venue: Venue, reports: readonly OrderReport[], areNews = false): Promise<void> {
    await this.#recorder.record(venue, reports, areNews);
    for (const report of reports) {
      if (report.status !== "open") continue;
      const order = this.#options.orders.get(nameIn(report, venue));
      if (!order) continue;
      this.#missingSince.delete(order.id);
      if (!areNews && isPlaced(order)) await this.#noteStillOpen(order, report.askedAt);
    }
  }

  /** Records that a cancelled order is still open long after the request. */
  async #noteStillOpen({ name, cancel, known }: PlacedOrder, askedAt: number): Promise<void> {
    if (!cancel || hasEnded(known)) return;
    // If the clock was set back, the time counts from now.
    const at = Math.min(cancel.at, this.#cancelSeen.get(cancel) ?? askedAt, askedAt);
    this.#cancelSeen.set(cancel, at);
    if (isNotCancelled({ step: cancel.step, at }, askedAt))
      await this.#options.orders.recordCancel({ ...name, symbol: known.symbol, step: "stillOpen" });
  }

  async #ask<T>(venue: Venue, task: (reads: OrderReads) => Promise<T> | undefined): Promise<T | undefined> {
    const { venue: current, reads } = this.#options;
    return await current.read(venue, async (client) => await task(reads({ ...venue, client })));
  }
}
