import type { Balance } from "../../market/balance.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { LedgerEvent, OrderAccepted, PartFill } from "./events.ts";
import { openOrder, reservedAsset, restOf, withMatch, type PracticeOrder } from "./order.ts";

/**
 * Double-entry accounts: `opening` is the source of the start balance, `market` stands for all counterparties. `available`
 * and `reserved` belong to the user and never fall below zero.
 */
type LedgerAccount = "opening" | "available" | "reserved" | "market" | "fees";

interface Posting {
  readonly account: LedgerAccount;
  readonly asset: string;
  readonly amount: Decimal;
}

const ZERO = new Decimal("0");
const USERS: ReadonlySet<LedgerAccount> = new Set(["available", "reserved"]);

/** The practice account: events in, balances and orders out, exact to the last digit. No clock, no files. */
export class Ledger {
  readonly #totals = new Map<string, Map<LedgerAccount, Decimal>>();
  readonly #orders = new Map<number, PracticeOrder>();
  readonly #resting = new Map<number, PracticeOrder>();
  #lastId = 0;

  /** The highest order id so far. A reset does not lower it, so ids are unique. */
  get lastId(): number {
    return this.#lastId;
  }

  /** All orders of the account since its last reset, by id. */
  get orders(): ReadonlyMap<number, PracticeOrder> {
    return this.#orders;
  }

  /** Open orders, by id. */
  get resting(): ReadonlyMap<number, PracticeOrder> {
    return this.#resting;
  }

  /**
   * Applies an event completely, or throws and applies nothing. Fills and cancellations of orders that are not open are
   * ignored.
   */
  apply(event: LedgerEvent): void {
    this.#apply(event, false);
  }

  /**
   * Applies a logged event. If a damaged line hides the purchase of what a later line spends, the missing amount is
   * added to the start balance, so that the account opens and all other lines count.
   */
  replay(event: LedgerEvent): void {
    this.#apply(event, true);
  }

  #apply(event: LedgerEvent, mayAdd: boolean): void {
    switch (event.kind) {
      case "opened":
        this.#post(move(event.asset, event.amount, "opening", "available"), mayAdd);
        break;
      case "bid":
      case "ask":
        this.#accept(event, mayAdd);
        break;
      case "partFilled":
      case "filled": {
        const order = this.#resting.get(event.id);
        if (!order) return;
        const part = event.kind === "filled" ? restOf(order, event.fill) : event.fill;
        // An order is matched on acceptance, and later only at the times of the matching grid.
        const matched = withMatch(order, part, event.at, event.at !== order.placed.at);
        this.#post(traded(order.placed, part, "reserved"), mayAdd);
        this.#keep(matched);
        break;
      }
      case "cancelled": {
        const order = this.#resting.get(event.id);
        if (!order) return;
        this.#post(move(reservedAsset(order.placed), order.left, "reserved", "available"), mayAdd);
        this.#keep({ ...order, left: ZERO, closed: { at: event.at, as: "cancelled" } });
        break;
      }
      case "reset":
        this.#totals.clear();
        this.#orders.clear();
        this.#resting.clear();
        this.#post(move(event.asset, event.amount, "opening", "available"), mayAdd);
    }
  }

  total(asset: string, account: LedgerAccount): Decimal {
    return this.#totals.get(asset)?.get(account) ?? ZERO;
  }

  available(asset: string): Decimal {
    return this.total(asset, "available");
  }

  /** Balances by asset, without assets that were never held. */
  wallet(): Map<string, Balance> {
    const wallet = new Map<string, Balance>();
    for (const asset of this.#totals.keys()) {
      wallet.set(asset, { available: this.available(asset), reserved: this.total(asset, "reserved") });
    }
    return wallet;
  }

  #accept(placed: OrderAccepted, mayAdd: boolean): void {
    const order = openOrder(placed);
    if (placed.isCrossed) {
      this.#keep({ ...order, left: ZERO, closed: { at: placed.at, as: "cancelled" } });
    } else if (placed.fill) {
      const part = restOf(order, placed.fill);
      this.#post(traded(placed, part, "available"), mayAdd);
      this.#keep(withMatch(order, part, placed.at, false));
    } else {
      this.#post(move(reservedAsset(placed), placed.amount, "available", "reserved"), mayAdd);
      this.#keep(order);
    }
    this.#lastId = Math.max(this.#lastId, placed.id);
  }

  #keep(order: PracticeOrder): void {
    const { id } = order.placed;
    this.#orders.set(id, order);
    if (order.closed) this.#resting.delete(id);
    else this.#resting.set(id, order);
  }

  #post(postings: readonly Posting[], mayAdd: boolean): void {
    const after = new Map<string, Map<LedgerAccount, Decimal>>();
    const add = ({ asset, account, amount }: Posting): void => {
      let accounts = after.get(asset);
      if (!accounts) after.set(asset, (accounts = new Map(this.#totals.get(asset))));
      accounts.set(account, (accounts.get(account) ?? ZERO).plus(amount));
    };
    postings.forEach(add);
    for (const [asset, accounts] of after) {
      const missing = ZERO.minus(accounts.get("available") ?? ZERO);
      if (mayAdd && missing.gt(ZERO)) move(asset, missing, "opening", "available").forEach(add);
      let sum = ZERO;
      for (const [account, total] of accounts) {
        sum = sum.plus(total);
        if (USERS.has(account) && total.lt(ZERO)) throw new RangeError(`Not enough ${asset} ${account}.`);
      }
      if (!sum.eq(ZERO)) throw new Error(`The ${asset} accounts do not sum to zero.`);
    }
    for (const [asset, accounts] of after) this.#totals.set(asset, accounts);
  }
}

function move(asset: string, amount: Decimal, from: LedgerAccount, to: LedgerAccount): Posting[] {
  return [
    { asset, account: from, amount: amount.times("-1") },
    { asset, account: to, amount },
  ];
}

function traded({ kind, quote, base }: OrderAccepted, part: PartFill, from: LedgerAccount): Posting[] {
  const { amount, quantity, fee } = part;
  return kind === "bid"
    ? [
        ...move(quote, amount.minus(fee), from, "market"),
        ...move(quote, fee, from, "fees"),
        ...move(base, quantity, "market", "available"),
      ]
    : [
        ...move(base, amount, from, "market"),
        ...move(quote, fee, "market", "fees"),
        ...move(quote, quantity, "market", "available"),
      ];
}
