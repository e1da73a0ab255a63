import type { Balance } from "../../market/balance.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { BidAccepted, LedgerEvent } from "./events.ts";

/**
 * Double entry: `opening` is the source of the start balance, `market` stands for all trading partners. `available`
 * and `reserved` belong to the user, and never fall below zero.
 */
export type Account = "opening" | "available" | "reserved" | "market" | "fees";

interface Posting {
  readonly account: Account;
  readonly asset: string;
  readonly amount: Decimal;
}

const ZERO = new Decimal("0");
const USERS: ReadonlySet<Account> = new Set(["available", "reserved"]);

/** The practice account: events in, balances out, exact to the last digit. No clock, no file. */
export class Ledger {
  readonly #totals = new Map<string, Map<Account, Decimal>>();
  readonly #resting = new Map<number, BidAccepted>();
  #lastId = 0;

  /** The highest id of a bid so far. A reset does not set it back, so no id is used twice. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Accepted orders that wait for the market, by id. */
  get resting(): ReadonlyMap<number, BidAccepted> {
    return this.#resting;
  }

  /** Applies a whole event, or throws and applies nothing. A fill of an order that is not open changes nothing. */
  apply(event: LedgerEvent): void {
    switch (event.kind) {
      case "opened":
        this.#post(move(event.asset, event.amount, "opening", "available"));
        break;
      case "bid":
        this.#post(event.fill ? bought(event, event.fill.quantity, "available") : reserved(event));
        this.#lastId = Math.max(this.#lastId, event.id);
        if (!event.fill) this.#resting.set(event.id, event);
        break;
      case "filled": {
        const bid = this.#resting.get(event.id);
        if (!bid) return;
        this.#post(bought(bid, event.fill.quantity, "reserved"));
        this.#resting.delete(event.id);
        break;
      }
      case "reset":
        this.#totals.clear();
        this.#resting.clear();
        this.#post(move(event.asset, event.amount, "opening", "available"));
    }
  }

  total(asset: string, account: Account): Decimal {
    return this.#totals.get(asset)?.get(account) ?? ZERO;
  }

  available(asset: string): Decimal {
    return this.total(asset, "available");
  }

  /** The user's balances by asset, without assets that were never held. */
  wallet(): Map<string, Balance> {
    const wallet = new Map<string, Balance>();
    for (const asset of this.#totals.keys()) {
      wallet.set(asset, { available: this.available(asset), reserved: this.total(asset, "reserved") });
    }
    return wallet;
  }

  #post(postings: readonly Posting[]): void {
    const after = new Map<string, Map<Account, Decimal>>();
    for (const { asset, account, amount } of postings) {
      let accounts = after.get(asset);
      if (!accounts) after.set(asset, (accounts = new Map(this.#totals.get(asset))));
      accounts.set(account, (accounts.get(account) ?? ZERO).plus(amount));
    }
    for (const [asset, accounts] of after) {
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

function move(asset: string, amount: Decimal, from: Account, to: Account): Posting[] {
  return [
    { asset, account: from, amount: amount.times("-1") },
    { asset, account: to, amount },
  ];
}

function reserved(bid: BidAccepted): Posting[] {
  return move(bid.quote, bid.amount, "available", "reserved");
}

function bought(bid: BidAccepted, quantity: Decimal, paidFrom: Account): Posting[] {
  return [
    ...move(bid.quote, bid.amount.minus(bid.fee), paidFrom, "market"),
    ...move(bid.quote, bid.fee, paidFrom, "fees"),
    ...move(bid.base, quantity, "market", "available"),
  ];
}
