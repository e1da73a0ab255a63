import type { ExchangeClient } from "../../exchange/client.ts";
import { retryTime } from "../../exchange/errors.ts";
import type { Wallet } from "../../market/balance.ts";
import { pairKey } from "../../market/pair.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, SignedIn } from "../venue.ts";
import { readHistory, searchFrom } from "../tracking/orderReads.ts";
import type { Evidence, OrderListing } from "./evidence.ts";
import { type ServiceTime, weighById } from "./idEvidence.ts";
import { weighByLikeness } from "./likeEvidence.ts";
import { isOfAccount, type Orders } from "../orders/orders.ts";
import { Reconciler, type UnknownOrder } from "./reconciler.ts";

export interface UnknownOrdersOptions {
  readonly orders: Orders;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly random: () => number;
  /** Whether this window currently checks the orders and has their account's key. At most one window does. */
  readonly isMine: () => boolean;
}

/** The data read from the exchange to check unknown orders. */
interface Snapshot {
  readonly venue: SignedIn;
  readonly wallet: Wallet;
  /** By pair key: the lists in which orders are searched. Undefined if the exchange offers none. */
  readonly listings: ReadonlyMap<string, OrderListing | undefined>;
  readonly time: ServiceTime;
}

/** Checks the orders of the current venue with an unknown outcome, and records the results. */
export class UnknownOrders extends Disposable {
  readonly #options: UnknownOrdersOptions;
  readonly #reconciler: Reconciler<Snapshot>;

  constructor(options: UnknownOrdersOptions) {
    super();
    this.#options = options;
    const { orders, venue, timers, random, isMine } = options;
    this.#reconciler = new Reconciler({
      timers,
      random,
      isMine,
      read: (unknown) => this.#read(unknown),
      weigh: (order, snapshot) => this.#weigh(order, snapshot),
      record: (id, found) => this.#record(id, found),
      settle: async (id, as, found) => {
        const isRecorded = await this.#end(id, as, found);
        if (!isRecorded) this.#reconciler.checkAgain(id);
      },
    });
    const watch = (): void => this.#watch();
    this.register(
      orders.onDidChange(watch),
      venue.onDidChange(watch),
      venue.onDidChangeKey(watch),
      venue.onDidSignIn(watch),
      this.#reconciler,
    );
    watch();
  }

  /**
   * Checks one order now, at the user's request. Rejects if the wallet cannot be read, if the order belongs to another
   * venue or account, or if the practice account was reset since.
   */
  async check(record: OwnOrder): Promise<void> {
    const venue = await this.#options.venue.signIn("wallet");
    if (!isOfAccount(record, venue))
      throw new Error("The order was sent to another exchange or account than the open one.");
    const order = record.intent;
    const snapshot = await this.#read([order]);
    // A reset is recorded before the new account can be read, and the journal was reread after the wallet. So if the
    // wallet is the new account's, the reset is known here.
    const resets = this.#options.orders.own.filter(({ accountResetAt }) => accountResetAt !== undefined);
    if (resets.some(({ intent }) => intent.id === order.id))
      throw new Error("The account was reset after the order.");
    const found = this.#weigh(order, snapshot);
    if (found.state !== "accepted") this.#record(order.id, found);
    if (found.state !== "unknown") await this.#end(order.id, found.state, found);
  }

  /** Checks all orders whose next check is due. Resolves after the attempt. */
  runDueChecks(): Promise<void> {
    return this.#reconciler.runDueChecks();
  }

  #watch(): void {
    const { orders, venue } = this.#options;
    const current = venue.signedIn;
    const unknown = orders.own.filter(({ state }) => state === "unknown");
    this.#reconciler.watch(
      unknown.filter((order) => current && isOfAccount(order, current)).map(({ intent }) => intent),
    );
  }

  #weigh(order: UnknownOrder, { wallet, listings, time, venue }: Snapshot): Evidence {
    const listing = listings.get(pairKey(order));
    if (order.clientId !== undefined && listing) return weighById(order, listing, wallet, time);
    return weighByLikeness(order, listing, wallet, this.#options.orders, venue);
  }

  /** Settles an unknown order. False if that could not be recorded. */
  async #end(id: string, as: "accepted" | "notPlaced" | "unresolved", found: Evidence): Promise<boolean> {
    const { orders } = this.#options;
    return found.orderId === undefined
      ? await orders.settle(id, { by: "check", as, evidence: found.text })
      : await orders.recordFound(id, found.orderId);
  }

  /** Reads the lists, then the wallet, so that an order that reaches the exchange in between has changed the balance. */
  async #read(unknown: readonly UnknownOrder[]): Promise<Snapshot> {
    const { venue: current } = this.#options;
    const venue = current.signedIn;
    if (!venue) throw new Error("No account is signed in.");
    const listings = new Map<string, OrderListing | undefined>();
    for (const [key, ofPair] of Map.groupBy(unknown, pairKey)) {
      listings.set(key, await current.read(venue, (client) => this.#list(client, ofPair)));
    }
    const wallet = await this.#readWallet(venue);
    const { balances, clientOrderId } = venue.profile.features;
    const time = {
      // Without a reserved balance, nothing proves that no order reserved its amount.
      windowMs: balances && clientOrderId?.windowMs,
      offsetMs: venue.client.clock?.offset ?? 0,
    };
    return { venue, wallet, listings, time };
  }

  /**
   * Reads the open orders and the history of one pair. Undefined if the exchange offers neither. A list that could not
   * be read is undefined, which proves nothing.
   */
  async #list(client: ExchangeClient, orders: readonly UnknownOrder[]): Promise<OrderListing | undefined> {
    const reads = client.capabilities;
    const [first] = orders;
    const { now } = this.#options.timers;
    if (!first || !(reads.openOrders ?? reads.orderHistory)) return undefined;
    const { symbol, quote, base } = first;
    const named = { symbol, pair: { quote, base } };
    const openAskedAt = now();
    let isRateLimited = false;
    const withoutList = (error: unknown): undefined => {
      isRateLimited ||= retryTime(error) !== undefined;
    };
    const open = await reads.openOrders?.(named).catch(withoutList);
    const from = Math.min(...orders.map((order) => searchFrom(order, client.clock, now())));
    const askedAt = now();
    const history = await readHistory(reads, named, from).catch(withoutList);
    const isWhole = open?.unreadable.length === 0;
    return {
      isRateLimited,
      isComplete: (!reads.openOrders || isWhole) && (!reads.orderHistory || history?.isWhole === true),
      open: open && { orders: open.orders, isWhole, askedAt: openAskedAt },
      history: history && { ...history, askedAt },
    };
  }

  /** Reads the wallet, then the records of other windows, which may have reset the account. */
  async #readWallet(account: SignedIn): Promise<Wallet> {
    const { venue, orders } = this.#options;
    const wallet = await venue.read(account, (client) => client.wallet());
    const { signedIn } = venue;
    if (!signedIn || account.account.id !== signedIn.account.id)
      throw new Error("The account changed while its wallet was read.");
    await orders.reread();
    return wallet;
  }

  #record(id: string, found: Evidence | undefined): void {
    void this.#options.orders.recordCheck(
      id,
      found
        ? { available: found.now, text: found.text }
        : { text: "the lists, the balance or the journal could not be read" },
    );
  }
}
