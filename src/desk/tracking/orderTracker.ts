import { UnreadableResponseError, type UnreadableReason } from "../../exchange/errors.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import { hasEnded } from "../../market/orders/knownOrder.ts";
import type { NamedOrder } from "../../market/order.ts";
import { type NamedPair, pairKey } from "../../market/pair.ts";
import { isOwn, type PlacedOrder } from "../../storage/orders/order.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, SignedIn } from "../venue.ts";
import { type FollowedOrder, type Read, readKey, type Sources } from "./dueReads.ts";
import { OrderRecorder } from "./orderRecorder.ts";
import { historyFrom, type OrderReads, readHistory, searchFrom } from "./orderReads.ts";
import { pairsToSearch, SEARCH_MS } from "./ordersWithoutId.ts";
import { ReadRunner } from "./readRunner.ts";
import { trackedOrders } from "./trackedOrders.ts";

export interface OrderTrackerOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  /** The order queries that the exchange offers. */
  readonly reads: (venue: SignedIn) => OrderReads;
  /** Whether this window currently polls for all windows. */
  readonly isMine: () => boolean;
  /** The pairs whose orders are visible: those of the watch list, and the pair in front. Undefined while no orders are visible. */
  readonly visiblePairs: () => readonly NamedPair[] | undefined;
  readonly log: (message: string) => void;
  /** Whether the exchange pushes order updates: polls are then less frequent. */
  readonly isStreamed?: () => boolean;
}

/** A list read less than this long after an order was placed may not contain the order yet. */
const SETTLE_MS = 2_000;

/** Why a response of the exchange about orders has nothing that can be used. */
const UNREADABLE: ReadonlySet<UnreadableReason> = new Set<UnreadableReason>([
  "shape",
  "contradictory",
  "tooLarge",
]);

/**
 * Follows orders by reading what `dueReads` plans, and records the responses. It never sends or changes an order.
 */
export class OrderTracker extends Disposable {
  readonly #options: OrderTrackerOptions;
  readonly #recorder: OrderRecorder;
  readonly #runner: ReadRunner;
  readonly #pathLost = new Event<unknown>();
  /** Since when the newest responses lack an order, by its id, ms. */
  readonly #missingSince = new Map<string, number>();

  /** Reads whose newest response had orders or matches that could not be read. */
  readonly #unreadable = new Set<string>();
  readonly #unreadableChanged = new Event<void>();

  readonly onDidChangeUnreadable = this.#unreadableChanged.add;
  /** Fires once per change, in the window that read it. */
  readonly onDidChange: OrderRecorder["onDidChange"];
  /** Fires with the error of a read whose path the exchange no longer has. */
  readonly onDidLosePath = this.#pathLost.add;

  constructor(options: OrderTrackerOptions) {
    super();
    this.#options = options;
    const { orders, venue, timers, isMine, log } = options;
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
      this.#unreadable.clear();
      this.#unreadableChanged.fire();
      runner.readNow();
    };
    this.register(
      orders.onDidChange(() => runner.plan()),
      venue.onDidChange(restart),
      venue.onDidChangeKey(restart),
      venue.onDidSignIn(restart),
    );
    runner.plan();
  }

  /** Makes all reads of a pair due, or those of every pair: events since the last poll are not replayed. */
  readNow(named?: NamedPair): void {
    this.#runner.readNow(named);
  }

  /** Whether the newest responses to this window have orders or matches that could not be read. */
  get hasUnreadable(): boolean {
    return this.#unreadable.size > 0;
  }

  /** Records pushed reports. All their fills are news, even those of an order that was not known before. */
  async record(venue: SignedIn, reports: readonly OrderReport[]): Promise<void> {
    await this.#record(venue, reports, true);
  }

  /** Reads the info of one order, or else its matches in the history. */
  async readOrder(venue: SignedIn, order: NamedOrder): Promise<void> {
    const { log } = this.#options;
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order)).catch((error: unknown) =>
      log(`An order could not be read: ${String(error)}`),
    );
    if (info) return await this.#record(venue, [info]);
    const history = await this.#ask(venue, (reads) => readHistory(reads, order, 0));
    if (history) await this.#record(venue, history.orders);
  }

  #sources(): Omit<Sources, "attempts"> {
    const { orders, venue: current, timers, visiblePairs, isStreamed, reads } = this.#options;
    const { signedIn: venue } = current;
    const { openOrders, orderInfo, orderHistory } = venue ? reads(venue) : {};
    return {
      offered: {
        list: openOrders !== undefined,
        info: orderInfo !== undefined,
        history: orderHistory !== undefined,
      },
      visiblePairs: visiblePairs(),
      searched: venue ? pairsToSearch(orders.own, venue, timers.now()) : [],
      isStreamed: isStreamed?.() === true,
    };
  }

  #followed(): readonly FollowedOrder[] {
    const { signedIn: venue } = this.#options.venue;
    return venue
      ? this.#tracked(venue).flatMap((order) => {
          const followed = this.#follow(order);
          const { continuedAs } = order.known;
          // The new id tells the rest only if it is one of this order.
          const other = { ...followed, order: { ...order.known, orderId: continuedAs ?? "" } };
          return continuedAs === undefined ? [followed] : [followed, other];
        })
      : [];
  }

  #follow(order: PlacedOrder): FollowedOrder {
    const { known } = order;
    const missingSince = this.#missingSince.get(order.id);
    const followed = {
      order: known,
      isOwn: isOwn(order),
      isUnconfirmed: !known.isConfirmed,
      lacksFills: !known.hasAllFills,
    };
    if (hasEnded(known)) return { ...followed, needs: "incomplete", since: order.lastAt ?? order.at };
    if (known.status === "open" && missingSince === undefined)
      return { ...followed, needs: "resting", since: order.at };
    return { ...followed, needs: "missing", since: missingSince ?? order.at };
  }

  async #read(read: Read): Promise<void> {
    const { signedIn: venue } = this.#options.venue;
    if (!venue) return;
    try {
      this.#noteUnreadable(read, !(await this.#readWhole(venue, read)));
    } catch (error) {
      if (error instanceof UnreadableResponseError && UNREADABLE.has(error.reason))
        this.#noteUnreadable(read, true);
      throw error;
    }
  }

  #noteUnreadable(read: Read, isUnreadable: boolean): void {
    const before = this.hasUnreadable;
    this.#unreadable[isUnreadable ? "add" : "delete"](readKey(read));
    if (this.hasUnreadable !== before) this.#unreadableChanged.fire();
  }

  /** False if a part of the response could not be read. */
  async #readWhole(venue: SignedIn, read: Read): Promise<boolean> {
    switch (read.source) {
      case "list":
        return await this.#readList(venue, read.named);
      case "info":
        return await this.#readInfo(venue, read.order);
      case "history":
        return await this.#readHistory(venue, read.named);
    }
  }

  async #readList(venue: SignedIn, named: NamedPair): Promise<boolean> {
    const askedAt = this.#options.timers.now();
    const listed = await this.#ask(venue, (reads) => reads.openOrders?.(named));
    if (!listed) return true;
    await this.#record(venue, listed.orders);
    // A row that could not be read may be any order.
    if (listed.unreadable.length > 0) return false;
    const ids = new Set(listed.orders.flatMap(({ orderId, otherIds = [] }) => [orderId, ...otherIds]));
    const missing = this.#trackedOf(venue, named).filter(({ known }) => {
      const ageMs = askedAt - (known.placedAt ?? 0);
      const isSettled = ageMs < 0 || ageMs >= SETTLE_MS;
      return isSettled && !known.ids.some((id) => ids.has(id));
    });
    await this.#noteMissing(venue, missing, askedAt);
    return true;
  }

  async #readInfo(venue: SignedIn, order: NamedOrder): Promise<boolean> {
    const askedAt = this.#options.timers.now();
    const info = await this.#ask(venue, (reads) => reads.orderInfo?.(order));
    if (info) {
      await this.#record(venue, [info]);
      return true;
    }
    const asked = this.#trackedOf(venue, order).filter(({ known }) => known.ids.includes(order.orderId));
    await this.#noteMissing(venue, asked, askedAt);
    return true;
  }

  /** Reads the matches of the pair's orders that have not ended or lack fills, and of orders without an id. */
  async #readHistory(venue: SignedIn, named: NamedPair): Promise<boolean> {
    const { timers, orders } = this.#options;
    const now = timers.now();
    const isSearched = pairsToSearch(orders.own, venue, now).some(
      ({ pair }) => pairKey(pair) === pairKey(named.pair),
    );
    const wanting = this.#trackedOf(venue, named).filter((order) => {
      const { needs, lacksFills } = this.#follow(order);
      return isOwn(order) || needs !== "resting" || lacksFills;
    });
    const { clock } = venue.client;
    const starts = wanting.map((order) =>
      isOwn(order)
        ? searchFrom(order.intent, clock, now)
        : historyFrom(order.known.placedAt ?? now, clock, now),
    );
    const from = Math.min(historyFrom(isSearched ? now - SEARCH_MS : now, clock, now), ...starts);
    const history = await this.#ask(venue, (reads) => readHistory(reads, named, from));
    if (history) await this.#record(venue, history.orders);
    return history?.isWhole ?? true;
  }

  #trackedOf(venue: SignedIn, { pair }: NamedPair): readonly PlacedOrder[] {
    const key = pairKey(pair);
    return this.#tracked(venue).filter(({ name }) => pairKey(name) === key);
  }

  #tracked(venue: SignedIn): readonly PlacedOrder[] {
    const { orders, timers } = this.#options;
    return trackedOrders(orders, venue, timers.now());
  }

  /** Notes that a response asked for at `askedAt` lacks these orders. */
  async #noteMissing(venue: SignedIn, orders: readonly PlacedOrder[], askedAt: number): Promise<void> {
    const missing = orders.filter(({ known }) => !hasEnded(known));
    // If the clock was set back, the time counts from now.
    for (const { id } of missing)
      this.#missingSince.set(id, Math.min(askedAt, this.#missingSince.get(id) ?? askedAt));
    if (missing.length > 0) await this.#recorder.recordAbsences(venue, missing, askedAt);
  }

  async #record(venue: SignedIn, reports: readonly OrderReport[], areNews = false): Promise<void> {
    await this.#recorder.record(venue, reports, areNews);
    if (areNews) return;
    for (const report of reports)
      if (report.status === "open")
        for (const { id } of this.#options.orders.ordersOf(report, venue)) this.#missingSince.delete(id);
  }

  async #ask<T>(
    venue: SignedIn,
    task: (reads: OrderReads) => Promise<T> | undefined,
  ): Promise<T | undefined> {
    const { venue: current, reads } = this.#options;
    return await current.read(venue, async (client) => await task(reads({ ...venue, client })));
  }
}
