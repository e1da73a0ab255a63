import { randomUUID } from "node:crypto";
import { BalanceFeed } from "../../../src/desk/feeds/balanceFeed.ts";
import { TickerFeed } from "../../../src/desk/feeds/tickerFeed.ts";
import { OrderPlacer, type BidOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { Orders } from "../../../src/desk/orders/orders.ts";
import { systemTimers, type Timers } from "../../../src/desk/time/timers.ts";
import { CurrentVenue } from "../../../src/desk/venue.ts";
import { createClient, type ClientOptions, type ExchangeClient } from "../../../src/exchange/client.ts";
import type { ServiceProfile } from "../../../src/exchange/profile.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import { priceText } from "../../../src/market/numbers/decimal.ts";
import { usualLimits, usualRules } from "../../../src/market/order.ts";
import type { Disk } from "../../../src/storage/appendLog.ts";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import { testProfile } from "../builders/client.ts";

export interface HeadlessOptions {
  readonly baseUrl: string;
  readonly credentials: () => Promise<Credentials | undefined>;
  /** Of the order journal. */
  readonly directory: string;
  readonly disk?: Disk;
  /** Time and chance, if they are to be driven. */
  readonly timers?: Timers;
  readonly checkWake?: () => void;
  readonly random?: () => number;
  /** Of the clients it makes; what is not given is the product's own. */
  readonly client?: Pick<ClientOptions, "transport" | "readRetry" | "log">;
  /** What the person answers; yes where it is not given. */
  readonly confirm?: () => Promise<boolean>;
  /** Comes between the desk and the client that it sends with. */
  readonly watch?: (client: ExchangeClient) => ExchangeClient;
  /** Told of an outcome that could not be recorded. */
  readonly trouble?: (error: unknown) => void;
  readonly profile?: Partial<ServiceProfile>;
}

const INTERVAL_MS = 30_000;
const SYMBOL = "THB_BTC";
/** A price of this age is read again before a bid rests on it, as the form does. */
const FRESH_MS = 5000;

/**
 * A window's desk without the editor around it: venue, feeds, journal, client and HTTP are the product's own. The
 * venue is live, at a test server's address; every question is answered with yes.
 */
export class HeadlessDesk {
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly orders: Orders;
  readonly #desk: OrderPlacer;
  #reading: Promise<void> | undefined;

  constructor(options: HeadlessOptions) {
    const { baseUrl, directory, checkWake = () => undefined, disk, watch = (client) => client } = options;
    const { trouble = (error) => Promise.reject(error) } = options;
    const { timers = systemTimers, random = Math.random, confirm = () => Promise.resolve(true) } = options;
    const { now } = timers;
    const credentials = () => options.credentials().finally(checkWake);
    this.venue = new CurrentVenue({
      open: {
        practice: () => Promise.reject(new Error("There is none.")),
        live: async () => {
          const profile = testProfile(baseUrl, { walletMethod: "GET", ...options.profile });
          return { name: profile.baseUrl.host, profile, credentials, mayMove: false };
        },
      },
      createClient: ({ profile }) => watch(createClient({ profile, credentials, now, ...options.client })),
      checkWake,
    });
    const feed = { venue: this.venue, timers, random, intervalMs: INTERVAL_MS };
    this.tickers = new TickerFeed(feed);
    this.balances = new BalanceFeed(feed);
    this.orders = new Orders({
      open: async () => openOrderJournal({ directory, now, ...(disk && { disk }) }),
      newId: randomUUID,
      now,
      onError: trouble,
    });
    this.#desk = new OrderPlacer({
      rules: usualRules,
      now,
      checkWake,
      limits: () => usualLimits,
      prices: this.tickers,
      orders: this.orders,
      venue: this.venue,
      ticker: (symbol) => this.tickers.ticker(symbol),
      available: (asset) => this.balances.available(asset),
      confirm,
      confirmAbove: () => Promise.resolve(true),
      afterSending: () => (this.#reading = this.balances.poll.restart()),
    });
  }

  /** Opens the venue and reads market and balance, as a window does when it starts. */
  async open(): Promise<void> {
    await this.venue.select("live");
    await Promise.all([this.tickers.poll.refresh(), this.balances.poll.refresh()]);
  }

  /** Goes on reading market and balance, as a window does while a person looks. */
  watch(): void {
    for (const { poll } of [this.tickers, this.balances]) poll.setInterval(INTERVAL_MS);
  }

  /** Bids `amount` of quote, 1 % above the last price. */
  async place(amount: string): Promise<BidOutcome> {
    if ((this.tickers.ageMs ?? Number.POSITIVE_INFINITY) > FRESH_MS) await this.tickers.poll.refresh();
    const last = this.tickers.ticker(SYMBOL)?.last ?? 0;
    return await this.#desk.place({
      id: randomUUID(),
      symbol: SYMBOL,
      amount,
      rate: priceText(Math.ceil(last * 1.01)),
    });
  }

  /** Settles when the balance was read anew after the last bid that was sent. */
  async balanceRead(): Promise<void> {
    await this.#reading;
  }

  async close(): Promise<void> {
    this.tickers.dispose();
    this.balances.poll.dispose();
    await this.#reading;
    await this.orders.close();
  }
}
