import { assetsWithoutValue, type Portfolio } from "../../market/holdings/portfolio.ts";
import { type DailyValue, dailyValues } from "../../market/holdings/dailyValues.ts";
import {
  pricedAmounts,
  snapshotIn,
  tradedAmounts,
  type TradedAmount,
  type ValueSnapshot,
} from "../../market/holdings/valueSnapshot.ts";
import type { ValueHistory } from "../../storage/valueHistory.ts";
import { startOfDay } from "../../time/localDay.ts";
import type { Timers } from "../../time/timers.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { BalanceFeed } from "../feeds/balanceFeed.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { Orders } from "../orders/orders.ts";
import type { CurrentVenue } from "../venue.ts";
import type { Windows } from "../windows/windows.ts";
import type { HeldElsewhereList } from "./heldElsewhereList.ts";
import { knownTrades } from "./knownTrades.ts";

export interface ValueRecorderOptions {
  readonly desk: {
    readonly venue: CurrentVenue;
    readonly windows: Windows;
    readonly tickers: TickerFeed;
    readonly balances: BalanceFeed;
    readonly orders: Orders;
    readonly elsewhere: HeldElsewhereList;
  };
  readonly portfolio: () => Portfolio | undefined;
  readonly history: Pick<ValueHistory, "add" | "read" | "parts" | "latest">;
  readonly timers: Timers;
  /** Whether the user wants values to be recorded. Evaluated at every update. */
  readonly isOn: () => boolean;
  /** Called if values could not be read or written: once, and again only after a success. */
  readonly onError: (error: unknown) => void;
}

/** The result since the value nearest to the start of the day. */
export interface TodaysResult extends Pick<DailyValue, "result" | "from" | "since"> {
  readonly quote: string;
  /** The assets without a value, which it leaves out. */
  readonly leftOut: readonly string[];
}

const HOUR_MS = 3_600_000;
/** How often a window that is not looked at checks whether a value is due. */
const CHECK_MS = 300_000;
/** Older prices or balances are polled again before their value is recorded. */
const MAX_AGE_MS = 120_000;
/** Two days, because today's result begins with the last value of yesterday. */
const KEPT_MS = 48 * HOUR_MS;
/** An asset without a price for this long has left the market, and its value with it. */
const LOST_MS = 24 * HOUR_MS;
/** Older values of another account say too little about what it is worth. */
const LATEST_MS = 30 * 24 * HOUR_MS;

/**
 * Records what the account and the holdings elsewhere are worth, once an hour (UTC) for each account and quote asset,
 * in the window that polls for it. A value of which a part is unknown is not recorded.
 */
export class ValueRecorder extends Disposable {
  readonly #options: ValueRecorderOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  /** The newest snapshots of an account. */
  #newest: { readonly account: string; readonly all: readonly ValueSnapshot[] } | undefined;
  #latest: ReadonlyMap<string, ValueSnapshot> | undefined;
  #hasFailed = false;
  #cancelCheck: () => void;

  readonly onDidChange = this.#changed.add;
  /** Fires when this window recorded a value, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: ValueRecorderOptions) {
    super();
    this.#options = options;
    const { tickers, balances, elsewhere } = options.desk;
    const record = (): void => this.#recordIfDue();
    this.#cancelCheck = this.#checkLater();
    this.register(
      tickers.onDidChangePaced(record),
      balances.onDidChange(record),
      elsewhere.onDidChange(record),
      () => this.#cancelCheck(),
    );
  }

  /** The recorded values of the window's account from `from` (ms) on, by time. Throws if they cannot be read. */
  read(from = 0): readonly ValueSnapshot[] {
    return this.#options.history.read(this.#account, from);
  }

  /** The same in parts, each of which is read in a few ms, and not quite by time. */
  parts(from: number): Iterable<readonly ValueSnapshot[]> {
    return this.#options.history.parts(this.#account, from);
  }

  /** The last recorded value of each account of this computer in the last 30 days, by id. */
  latest(): ReadonlyMap<string, ValueSnapshot> {
    if (this.#latest) return this.#latest;
    let latest: ReadonlyMap<string, ValueSnapshot> = new Map();
    this.#guard(() => {
      latest = this.#options.history.latest(this.#options.timers.now() - LATEST_MS);
    });
    return (this.#latest = latest);
  }

  /** The value now; undefined while a part of it is unknown. */
  now(): ValueSnapshot | undefined {
    return this.#snapshotOf(this.#options.portfolio());
  }

  #snapshotOf(now: Portfolio | undefined): ValueSnapshot | undefined {
    const { desk, timers } = this.#options;
    const isUnknown = !now || now.quote === "" || now.unreadable.length > 0 || desk.elsewhere.problem;
    if (isUnknown || this.#hasLostPrice(now)) return undefined;
    return {
      at: timers.now(),
      account: this.#account,
      quote: now.quote,
      balances: pricedAmounts(now.holdings),
      elsewhere: pricedAmounts(now.elsewhere),
    };
  }

  /** Whether an asset has no price that had one in the last day: it is delisted only after that. */
  #hasLostPrice({ quote, holdings, elsewhere }: Portfolio): boolean {
    const since = this.#options.timers.now() - LOST_MS;
    const before = this.#known().findLast((each) => each.quote === quote && each.at >= since);
    if (!before) return false;
    const priced = new Set([...before.balances, ...before.elsewhere].map(({ asset }) => asset));
    return [...holdings, ...elsewhere].some(
      ({ asset, amount, price }) => !price && !amount.eq("0") && priced.has(asset),
    );
  }

  /** Undefined before a value was recorded today, and while a part of the portfolio is unknown. */
  today(): TodaysResult | undefined {
    const portfolio = this.#options.portfolio();
    const now = this.#snapshotOf(portfolio);
    if (!portfolio || !now) return undefined;
    // What was recorded in another asset counts by its own price of the shown one, as on the Portfolio page.
    const recorded = this.#known().flatMap((each) =>
      each.at <= now.at ? (snapshotIn(each, now.quote) ?? []) : [],
    );
    const day = startOfDay(now.at);
    if (!recorded.some(({ at }) => at >= day - HOUR_MS)) return undefined;
    const found = [...dailyValues([...recorded, now], this.trades(day - HOUR_MS), startOfDay)].at(-1);
    return found && { ...found, quote: now.quote, leftOut: assetsWithoutValue(portfolio) };
  }

  /** What the trades of the window's account after `from` (ms) added and took. */
  trades(from: number): readonly TradedAmount[] {
    const { orders, venue } = this.#options.desk;
    return knownTrades(orders, venue.signedIn).all.flatMap(({ pair, trades }) =>
      tradedAmounts(pair, trades, from),
    );
  }

  /** Reads what other windows recorded. */
  reread(): void {
    this.#newest = this.#latest = undefined;
    this.#changed.fire();
  }

  get #account(): string {
    return this.#options.desk.venue.account.id;
  }

  /** Whether this window polls the account, or without a key the market. */
  get #isMine(): boolean {
    const { windows, balances } = this.#options.desk;
    return windows.reads(balances.needsCredentials ? "market" : "balance");
  }

  #checkLater(): () => void {
    return this.#options.timers.after(CHECK_MS, () => {
      this.#cancelCheck = this.#checkLater();
      void this.#pollIfDue();
    });
  }

  /** Polls what is too old to be recorded, because nobody looks at it. */
  async #pollIfDue(): Promise<void> {
    const { desk, isOn } = this.#options;
    if (!isOn() || !this.#isMine || !desk.venue.venue) return;
    const quote = this.#options.portfolio()?.quote;
    if (quote !== undefined && !this.#isDue(quote)) return;
    await Promise.all([
      ...(this.#arePricesFresh() ? [] : [desk.tickers.refresh()]),
      ...(this.#isBalanceFresh() ? [] : [desk.balances.refresh()]),
    ]);
    this.#recordIfDue();
  }

  #recordIfDue(): void {
    const { isOn, history } = this.#options;
    if (!isOn() || !this.#isMine || !this.#arePricesFresh() || !this.#isBalanceFresh()) return;
    const { portfolio } = this.#options;
    const quote = portfolio()?.quote;
    if (quote === undefined || !this.#isDue(quote)) return;
    const now = this.now();
    if (!now) return;
    this.#guard(() => {
      // Another window may have recorded this hour before this one took over.
      this.#newest = undefined;
      if (!this.#isDue(now.quote)) return;
      history.add(now);
      this.#newest = this.#latest = undefined;
      this.#written.fire();
      this.#changed.fire();
    });
  }

  #isDue(quote: string): boolean {
    const hour = hourOf(this.#options.timers.now());
    return !this.#known().some((each) => each.quote === quote && hourOf(each.at) === hour);
  }

  #arePricesFresh(): boolean {
    const { tickers } = this.#options.desk;
    return !tickers.isStale && (tickers.ageMs ?? Number.POSITIVE_INFINITY) <= MAX_AGE_MS;
  }

  #isBalanceFresh(): boolean {
    const { balances } = this.#options.desk;
    if (balances.needsCredentials) return true;
    const { readAt = Number.NEGATIVE_INFINITY, problem } = balances.state;
    return problem === undefined && this.#options.timers.now() - readAt <= MAX_AGE_MS;
  }

  #known(): readonly ValueSnapshot[] {
    const account = this.#account;
    if (this.#newest?.account === account) return this.#newest.all;
    let all: readonly ValueSnapshot[] = [];
    this.#guard(() => {
      all = this.#options.history.read(account, this.#options.timers.now() - KEPT_MS);
    });
    this.#newest = { account, all };
    return all;
  }

  #guard(action: () => void): void {
    try {
      action();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
  }
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}
