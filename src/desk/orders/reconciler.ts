import type { OrderIntent } from "../../storage/orders/records.ts";
import { backoffMs } from "../../exchange/backoff.ts";
import type { Timers } from "../time/timers.ts";
import type { Evidence } from "./balanceEvidence.ts";
import type { SearchedOrder } from "./idEvidence.ts";

/** An order that was sent and got no response. */
export type UnknownOrder = SearchedOrder & Pick<OrderIntent, "id" | "symbol">;

export interface ReconcilerOptions<Reading> {
  readonly timers: Timers;
  /** 0 (inclusive) to 1, for the jitter. */
  readonly random: () => number;
  /**
   * Reads the wallet of the venue and the account that the orders went to, and whatever else tells of these orders.
   * Settles within a limited time.
   */
  readonly read: (orders: readonly UnknownOrder[]) => Promise<Reading>;
  /** Whether this window is the one that reconciles. */
  readonly isMine: () => boolean;
  /** Evaluates a reading for one order. */
  readonly weigh: (order: UnknownOrder, reading: Reading) => Evidence;
  /** Records the result of a check; undefined if the reading failed. Must not throw. */
  readonly record: (id: string, found: Evidence | undefined) => void;
  /**
   * Called once for each order, with the result of its last check. The user decides about "unresolved": finding nothing
   * does not prove that nothing was placed. Must not throw.
   */
  readonly settle: (id: string, state: "accepted" | "notPlaced" | "unresolved", found: Evidence) => void;
}

const CHECKS_AFTER_MS = [5_000, 15_000, 45_000, 120_000];
const JITTER = 0.1;
/** First wait between repeats of a last check that could not read the wallet. It doubles. */
const REPEAT_MS = 2_000;
/** Timers may stop while the computer sleeps. Checking the clock this often finds the gap soon after. */
const LONGEST_WAIT_MS = 1_000;

interface Tracked {
  readonly order: UnknownOrder;
  /**
   * When the checks are due, in ms after the order was sent, in order. The last one is repeated while the wallet
   * cannot be read, or a list is behind a rate limit.
   */
  readonly dueMs: number[];
  /** Time since the order was sent. It is counted up, not subtracted, so that a clock set back delays no check. */
  elapsedMs: number;
  checksDone: number;
  /** How often the last check was repeated. */
  timesRepeated: number;
}

/**
 * Finds evidence in the balance for orders with an unknown outcome. Checks are due about 5, 15, 45 and 120 s after each
 * order was sent. One immediate check replaces those that were missed (a restart, a sleeping computer). A wallet that
 * cannot be read is no evidence, and neither is a list behind a rate limit: the last check is then repeated, at growing
 * intervals up to a minute, until one reading succeeds. This only reads and never sends.
 */
export class Reconciler<Reading> {
  readonly #options: ReconcilerOptions<Reading>;
  readonly #tracked = new Map<string, Tracked>();
  readonly #settled = new Map<string, Tracked>();
  #timePassedAt: number;
  #running: Promise<void> | undefined;
  #isDisposed = false;
  #cancelNext: (() => void) | undefined;

  constructor(options: ReconcilerOptions<Reading>) {
    this.#options = options;
    this.#timePassedAt = options.timers.now();
  }

  /**
   * Sets the orders to check from now on. Known orders continue, unlisted orders are dropped, and settled orders are not
   * started again.
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
   * Makes the checks that are due, if this window is responsible. Resolves when they, or those already running, are
   * done.
   */
  runDueChecks(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    return this.#running;
  }

  /** The end of an order could not be recorded, so the order is still unknown: its last check is repeated. */
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
   * One reading serves all orders that are due, or whose last check is repeated. It counts for each of their checks that was due when the
   * reading began.
   */
  async #check(): Promise<void> {
    const { read, isMine, weigh } = this.#options;
    this.#passTime();
    const all = [...this.#tracked.values()];
    if (!all.some((each) => waitMs(each) <= 0) || !isMine()) return;
    const madeUpFor = all
      .filter((each) => waitMs(each) <= 0 || each.timesRepeated > 0)
      .map((each) => [each, checksDue(each)] as const);
    const reading = await read(madeUpFor.map(([{ order }]) => order)).catch(() => undefined);
    if (!isMine()) return;
    this.#passTime();
    for (const [each, checksDone] of madeUpFor) {
      if (this.#tracked.get(each.order.id) !== each) continue;
      each.checksDone = checksDone;
      if (reading) this.#conclude(each, weigh(each.order, reading));
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
    record(id, found);
    if (isEnd) settle(id, found.state === "unknown" ? "unresolved" : found.state, found);
  }

  /**
   * A reading failed, or a rate limit hid a part of it. For a last check that is repeated, only the first result is
   * kept: the others add nothing.
   */
  #repeatAfter(tracked: Tracked, found: Evidence | undefined): void {
    this.#repeat(tracked);
    if (tracked.timesRepeated <= 1) this.#options.record(tracked.order.id, found);
  }

  /** Makes a last check due once more, later each time. An earlier check is followed by the next one anyway. */
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

/** Time until the next check; below zero if overdue. */
function waitMs({ dueMs, checksDone, elapsedMs }: Tracked): number {
  return (dueMs[checksDone] ?? Number.POSITIVE_INFINITY) - elapsedMs;
}

/** How many of the order's checks are covered by a reading that begins now. */
function checksDue({ dueMs, elapsedMs, timesRepeated }: Tracked): number {
  return timesRepeated > 0 ? dueMs.length : dueMs.filter((ms) => ms <= elapsedMs).length;
}
