import type { Balance } from "../../market/balance.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { QUOTE } from "../market/listings.ts";
import { depthAt, MAX_PRACTICE_LEVELS, type Resting } from "../market/book.ts";
import type { Market } from "../market/market.ts";
import { eventRecord, readEvent, type LedgerEvent, type OrderAccepted } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { MATCH_STEP_MS, fillsOf, takeFrom, type Trading } from "./matching.ts";
import { matchedUntil, type PracticeOrder } from "./order.ts";
import { fillAt, readOrder, type OrderKind, type PracticeRefusal } from "./rules.ts";

/** Storage of events. `append` returns once the record survives the end of the process, or throws. */
export interface EventLog {
  /** Events stored earlier. */
  readonly records: readonly unknown[];
  append(record: unknown): void;
}

/** An accepted order, and what it received or is expected to receive: base of a bid, quote of an ask. */
export interface Placed {
  readonly order: OrderAccepted;
  readonly received: Decimal;
}

/** Called after each recorded event with the resulting state of the order it changed. */
type AccountListener = (event: LedgerEvent, order: PracticeOrder | undefined) => void;

const START_BALANCE = new Decimal("1000000");

/** Combines market and account. Every change is logged before it becomes visible. */
export class Exchange {
  readonly market: Market;
  readonly #log: EventLog | undefined;
  readonly #ledger = new Ledger();
  readonly #listeners = new Set<AccountListener>();
  /** Time (ms) up to which open orders have been matched. */
  #matchedUntil = 0;

  /** Replays the log; throws if a record cannot be read. */
  constructor(market: Market, log?: EventLog) {
    this.market = market;
    this.#log = log;
    const events = (log?.records ?? []).map(readEvent);
    // The start balance comes first, so that orders that spent it apply even if its record is damaged.
    const opened = events.filter((event) => event.kind === "opened");
    if (opened.length === 0) this.record({ kind: "opened", asset: QUOTE, amount: START_BALANCE });
    for (const event of opened) this.#ledger.replay(event);
    for (const event of events) if (event.kind !== "opened") this.#ledger.replay(event);
  }

  /**
   * Fills the orders that the market has crossed since the last call. The result does not depend on when it is called,
   * as long as that is at least once a day.
   */
  match(now: number): void {
    if (Math.floor(now / MATCH_STEP_MS) <= Math.floor(this.#matchedUntil / MATCH_STEP_MS)) return;
    const open = Map.groupBy(this.#ledger.resting.values(), ({ placed }) => placed.symbol);
    for (const [symbol, orders] of open) {
      const oldest = orders.reduce((oldest, order) => Math.min(oldest, matchedUntil(order)), now);
      const fills = fillsOf(orders, this.#tradingOf(symbol), Math.max(oldest, this.#matchedUntil), now);
      for (const fill of fills) this.record(fill);
    }
    this.#matchedUntil = now;
  }

  /**
   * Places an order, or returns why it was rejected. A post-only order that would be filled immediately is cancelled
   * instead, as on exchanges of this family. Throws if the order cannot be recorded, in which case nothing has changed,
   * or if its partial immediate fill cannot be, in which case the order is open.
   */
  place(kind: OrderKind, body: Readonly<Record<string, unknown>>, now: number): Placed | PracticeRefusal {
    const order = readOrder(kind, body, this.market, now, (asset) => this.#ledger.available(asset));
    if ("code" in order) return order;
    const immediate = takeFrom(depthAt(this.market, order.symbol, now, MAX_PRACTICE_LEVELS), order);
    const isCrossed = order.postOnly && immediate !== undefined;
    const fill = !isCrossed && immediate?.isAll ? fillAt(kind, order.amount, immediate.rate) : undefined;
    const { rate, quantity, fee } = fill ?? fillAt(kind, order.amount, order.rate);
    const accepted: OrderAccepted = {
      ...order,
      id: this.#ledger.lastId + 1,
      at: now,
      quote: QUOTE,
      fee,
      ...(fill && { fill: { rate, quantity } }),
      ...(isCrossed && { isCrossed }),
    };
    this.record(accepted);
    if (immediate && !immediate.isAll && !isCrossed) {
      const part = { amount: immediate.amount, ...fillAt(kind, immediate.amount, immediate.rate) };
      this.record({ kind: "partFilled", id: accepted.id, at: now, fill: part });
    }
    return { order: accepted, received: quantity };
  }

  /** Cancels an open order and releases its unfilled amount. Returns false if no such order is open. */
  cancel(id: number, now: number): boolean {
    if (!this.#ledger.resting.has(id)) return false;
    this.record({ kind: "cancelled", id, at: now });
    return true;
  }

  /** Resets the account. Recorded twice, so that a single damaged log line cannot undo it. */
  reset(now: number): void {
    for (let copy = 0; copy < 2; copy++) {
      this.record({ kind: "reset", at: now, asset: QUOTE, amount: START_BALANCE });
    }
  }

  /** Logs an event and applies it. Throws, and applies nothing, if it cannot be logged. */
  record(event: LedgerEvent): void {
    this.#log?.append(eventRecord(event));
    this.#ledger.apply(event);
    const order = "id" in event ? this.#ledger.orders.get(event.id) : undefined;
    for (const listener of this.#listeners) listener(event, order);
  }

  /** Calls `listener` after each event; the returned function unsubscribes. */
  listen(listener: AccountListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  wallet(): Map<string, Balance> {
    return this.#ledger.wallet();
  }

  /** All orders of the account since its last reset, by id, oldest first. */
  get orders(): ReadonlyMap<number, PracticeOrder> {
    return this.#ledger.orders;
  }

  /** The account's resting orders of a pair, for its book. */
  restingOf(symbol: string): Resting[] {
    return [...this.#ledger.orders.values()].flatMap(({ placed, left, closed }) => {
      if (closed || placed.symbol !== symbol) return [];
      const { kind, rate } = placed;
      const base = kind === "bid" ? fillAt(kind, left, rate).quantity : left;
      return base.gt("0") ? [{ kind, rate: Number(rate.toFixed()), size: Number(base.toFixed()) }] : [];
    });
  }

  #tradingOf(symbol: string): Trading {
    const market = this.market;
    return {
      quoteAt: (at) => market.quoteAt(symbol, at),
      baseAt: (at) => new Decimal(String(market.candle(symbol, at - MATCH_STEP_MS, at).volume)),
    };
  }
}
