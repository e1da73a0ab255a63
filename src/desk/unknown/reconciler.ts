import type { OrderIntent } from "../../storage/orders/records.ts";
import { backoffMs } from "../../exchange/backoff.ts";
import type { Timers } from "../../time/timers.ts";
import type { Evidence } from "./evidence.ts";

/** An order that was sent and whose outcome is unknown. */
export type UnknownOrder = OrderIntent;

export interface ReconcilerOptions<Snapshot> {
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /**
   * Reads the wallet of the account that the orders were sent from, and the order lists that may contain them. Settles
   * within a limited time.
   */
  readonly read: (orders: readonly UnknownOrder[]) => Promise<Snapshot>;
  /** Whether this window is the one that reconciles. */
  readonly isMine: () => boolean;
  /** Evaluates a snapshot for one order. */
  readonly weigh: (order: UnknownOrder, snapshot: Snapshot) => Evidence;
  /** Records the result of a check; undefined if the poll failed. Must not throw. */
  readonly record: (id: string, found: Evidence | undefined) => void;
  /**
   * Called with the check that settles an order, or with the last one if none does. The order is then "unresolved" and
   * left to the user, because finding nothing does not prove that nothing was placed. Must not throw.
   */
  readonly settle: (id: string, state: "accepted" | "notPlaced" | "unresolved", found: Evidence) => void;
}

const CHECKS_AFTER_MS = [5_000, 15_000, 45_000, 120_000];
const JITTER = 0.1;
/** First delay before a last check that failed is repeated. It doubles each time. */
const REPEAT_MS = 2_000;
/** Longest timer: timers may stop while the computer sleeps, and the next one to run detects the gap. */
const LONGEST_WAIT_MS = 1_000;

interface Tracked {
  readonly order: UnknownOrder;
  /**
   * When the checks are due, in ms after the order was sent, ascending. The last check is repeated while the wallet
   * cannot be read or a list is rate-limited.
   */
  readonly dueMs: number[];
  /** Time since the order was sent, in ms. It is accumulated, so that setting the clock back delays no check. */
  elapsedMs: number;
  checksDone: number;
  /** How often the last check was repeated. */
  timesRepeated: number;
}

/**
 * Checks the exchange's order lists for orders with an unknown outcome. Checks are due
 * about 5, 15, 45 and 120 s after each order was sent. One immediate check replaces those that were missed because of a
 * restart or a sleeping computer. A failed poll or a rate-limited list is no evidence: the last check is then
 * repeated, at growing intervals of up to a minute, until a poll succeeds. This only reads; it never sends an order
 * again.
 */
export class Reconciler<Snapshot> {
  readonly #options: ReconcilerOptions<Snapshot>;
  readonly #tracked = new Map<string, Tracked>();
  readonly #settled = new Map<string, Tracked>();
  #timePassedAt: number;
  #running: Promise<void> | undefined;
  #isDisposed = false;
  #cancelNext: (() => void) | undefined;

  constructor(options: ReconcilerOptions<Snapshot>) {
    this.#options = options;
    this.#timePassedAt = options.timers.now();
  }

  /**
   * Sets the orders to check from now on. Checks of orders that are already known continue, orders no longer listed are
   * dropped, and settled orders are not checked again.
   */
  watch(orders: readonly UnknownOrder[]): void {
    this.#passTime();
    const listed = new Set(orders.map(({ id }) => id));
    for (const id of this.#tracked.keys()) if (!listed.has(id)) this.#tracked.delete(id);
    for (const order of orders) {
      if (this.#tracked.has(order.id) || this.#settled.has(order.id)) continue;
      const { timers, random } = this.#options;
      this.#tracked.set(order.id, {
        order,
        dueMs: CHECKS_AFTER_MS.map((ms) => Math.round(ms * (1 - JITTER + 2 * JITTER * random()))),
        elapsedMs: Math.max(0, timers.now() - order.at),
        checksDone: 0,
        timesRepeated: 0,
      });
    }
    this.#arm();
  }

  /**
   * Runs the checks that are due, if this window is responsible. Resolves when they, or those already running, are
   * done.
   */
  runDueChecks(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    return this.#running;
  }

  /** Repeats the last check of an order that is still unknown because its result could not be recorded. */
  checkAgain(id: string): void {
    const tracked = this.#settled.get(id);
    if (!tracked) return;
    this.#settled.delete(id);
    this.#tracked.set(id, tracked);
    this.#repeat(tracked);
    this.#arm();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#tracked.clear();
    this.#arm();
  }

  /**
   * Reads once for all orders that are due or whose last check is being repeated. The poll counts for every check
   * that was due when it began.
   */
  async #check(): Promise<void> {
    const { read, isMine, weigh } = this.#options;
    this.#passTime();
    const all = [...this.#tracked.values()];
    if (!all.some((each) => waitMs(each) <= 0) || !isMine()) return;
    const madeUpFor = all
      .filter((each) => waitMs(each) <= 0 || each.timesRepeated > 0)
      .map((each) => [each, checksDue(each)] as const);
    const snapshot = await read(madeUpFor.map(([{ order }]) => order)).catch(() => undefined);
    if (!isMine()) return;
    this.#passTime();
    for (const [each, checksDone] of madeUpFor) {
      if (this.#tracked.get(each.order.id) !== each) continue;
      each.checksDone = checksDone;
      if (snapshot) this.#conclude(each, weigh(each.order, snapshot));
      else this.#repeatAfter(each, undefined);
    }
  }

  #conclude(tracked: Tracked, found: Evidence): void {
    const { record, settle } = this.#options;
    const { id } = tracked.order;
    if (found.isRateLimited === true) return this.#repeatAfter(tracked, found);
    const isEnd = found.state !== "unknown" || tracked.checksDone === tracked.dueMs.length;
    if (isEnd) {
      this.#tracked.delete(id);
      this.#settled.set(id, tracked);
    }
    // An order that was found has its id recorded instead.
    if (found.state !== "accepted") record(id, found);
    if (isEnd) settle(id, found.state === "unknown" ? "unresolved" : found.state, found);
  }

  /**
   * Handles a failed or rate-limited poll. While a last check is being repeated, only its first result is recorded,
   * because the others add nothing.
   */
  #repeatAfter(tracked: Tracked, found: Evidence | undefined): void {
    this.#repeat(tracked);
    if (tracked.timesRepeated <= 1) this.#options.record(tracked.order.id, found);
  }

  /**
   * Schedules a last check once more, with a growing delay. Earlier checks are not repeated, because the next one
   * follows anyway.
   */
  #repeat(tracked: Tracked): void {
    if (tracked.checksDone < tracked.dueMs.length) return;
    tracked.timesRepeated += 1;
    const pause = backoffMs(tracked.timesRepeated, REPEAT_MS, this.#options.random);
    tracked.dueMs.push(tracked.elapsedMs + pause);
  }

  #passTime(): void {
    const now = this.#options.timers.now();
    const passed = Math.max(0, now - this.#timePassedAt);
    this.#timePassedAt = now;
    for (const each of this.#tracked.values()) each.elapsedMs += passed;
  }

  #arm(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
    if (this.#isDisposed || this.#tracked.size === 0) return;
    const wait = Math.min(...[...this.#tracked.values()].map(waitMs));
    const isOthers = wait <= 0 && !this.#options.isMine();
    const ms = isOthers ? LONGEST_WAIT_MS : Math.max(0, Math.min(wait, LONGEST_WAIT_MS));
    this.#cancelNext = this.#options.timers.after(ms, () => void this.runDueChecks());
  }
}

/** Time until the next check in ms; below zero if overdue. */
function waitMs({ dueMs, checksDone, elapsedMs }: Tracked): number {
  return (dueMs[checksDone] ?? Number.POSITIVE_INFINITY) - elapsedMs;
}

/** How many of the order's checks are covered by a poll that begins now. */
function checksDue({ dueMs, elapsedMs, timesRepeated }: Tracked): number {
  return timesRepeated > 0 ? dueMs.length : dueMs.filter((ms) => ms <= elapsedMs).length;
}
