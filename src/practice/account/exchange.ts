import type { Balance } from "../../market/balance.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import { QUOTE } from "../market/listings.ts";
import type { Market } from "../market/market.ts";
import { eventRecord, readEvent, type BidAccepted, type Fill, type LedgerEvent } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { MATCH_STEP_MS, crossings, fillAt, fillAtOnce, readOrder, type Refusal } from "./matching.ts";

/** Where events are kept. `append` returns when the record survives the end of the process, or throws. */
export interface EventLog {
  /** The events from before. */
  readonly records: readonly unknown[];
  append(record: unknown): void;
}

/** An accepted bid, and its base quantity, received or expected. */
export interface Placed {
  readonly bid: BidAccepted;
  readonly received: Decimal;
}

const START_BALANCE = new Decimal("1000000");

/** The market and the account together. Every change is in the log before it becomes visible. */
export class Exchange {
  readonly #market: Market;
  readonly #log: EventLog | undefined;
  readonly #ledger = new Ledger();
  /** Open orders are matched up to this time (ms). */
  #matchedUntil = 0;

  /** Replays the log; throws when a record cannot be read. */
  constructor(market: Market, log: EventLog | undefined) {
    this.#market = market;
    this.#log = log;
    const events = (log?.records ?? []).map(readEvent);
    // The start balance first: if its record is damaged, the bids that spent it must still be applied.
    const opened = events.filter((event) => event.kind === "opened");
    if (opened.length === 0) this.#record({ kind: "opened", asset: QUOTE, amount: START_BALANCE });
    for (const event of opened) this.#ledger.apply(event);
    for (const event of events) if (event.kind !== "opened") this.#ledger.apply(event);
  }

  /**
   * Fills the orders that the market has crossed since the last call. The result does not depend on the time of the
   * call.
   */
  match(now: number): void {
    if (Math.floor(now / MATCH_STEP_MS) <= Math.floor(this.#matchedUntil / MATCH_STEP_MS)) return;
    for (const [symbol, bids] of Map.groupBy(this.#ledger.resting.values(), (bid) => bid.symbol)) {
      const oldest = bids.reduce((oldest, bid) => Math.min(oldest, bid.at), now);
      const askAt = (at: number): number => this.#market.quoteAt(symbol, at).ask;
      for (const { bid, at } of crossings(bids, askAt, Math.max(oldest, this.#matchedUntil), now)) {
        this.#record({ kind: "filled", id: bid.id, at, fill: fillAt(bid, bid.rate) });
      }
    }
    this.#matchedUntil = now;
  }

  /** Accepts a bid or returns the reason why not. Throws if it could not be recorded; then nothing has changed. */
  placeBid(body: Readonly<Record<string, unknown>>, now: number): Placed | Refusal {
    const order = readOrder(body, this.#market, now, (asset) => this.#ledger.available(asset));
    if ("code" in order) return order;
    const fill: Fill | undefined = fillAtOnce(order, this.#market, now);
    const received = (fill ?? fillAt(order, order.rate)).quantity;
    const bid: BidAccepted = {
      kind: "bid",
      id: this.#ledger.lastId + 1,
      at: now,
      quote: QUOTE,
      ...order,
      ...(fill && { fill }),
    };
    this.#record(bid);
    return { bid, received };
  }

  /** Resets the account. Recorded twice, so that no single damaged line of the log undoes it. */
  reset(now: number): void {
    for (let copy = 0; copy < 2; copy++) {
      this.#record({ kind: "reset", at: now, asset: QUOTE, amount: START_BALANCE });
    }
  }

  wallet(): Map<string, Balance> {
    return this.#ledger.wallet();
  }

  #record(event: LedgerEvent): void {
    this.#log?.append(eventRecord(event));
    this.#ledger.apply(event);
  }
}
