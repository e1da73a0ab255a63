import { join } from "node:path";
import type { ExchangeClient } from "../exchange/client.ts";
import { RateLimits } from "../exchange/rateLimits.ts";
import { defaultRules } from "../market/order.ts";
import { AccountFiles } from "../storage/accountFiles.ts";
import { AlertFiles } from "../storage/alertFiles.ts";
import { LineFiles } from "../storage/lineFiles.ts";
import { NotificationClaims } from "../storage/notificationClaims.ts";
import { openOrderJournal } from "../storage/orders/orderJournal.ts";
import { openPriceHistory, type PriceHistory } from "../storage/prices/history.ts";
import { ValueHistory } from "../storage/valueHistory.ts";
import { WatchedTimes } from "../storage/watchedTimes.ts";
import { HeldElsewhereFile } from "../storage/heldElsewhereFile.ts";
import { AccountList } from "./accounts/accountList.ts";
import { Alerts } from "./alerts/alerts.ts";
import { MissedAlerts } from "./alerts/missedAlerts.ts";
import { OtherAccounts } from "./alerts/otherAccounts.ts";
import { WatchedMarket } from "./alerts/watchedMarket.ts";
import { Throttle } from "./time/throttle.ts";
import type { DeskPorts } from "./deskPorts.ts";
import { Disposable } from "./disposable.ts";
import { DrawnLines } from "./drawnLines.ts";
import { errorLine } from "./errorLine.ts";
import { Event } from "./event.ts";
import { PairRules } from "./feeds/pairRules.ts";
import { OrderFollowing } from "./tracking/orderFollowing.ts";
import { HeldElsewhereList } from "./portfolio/heldElsewhereList.ts";
import { portfolioNow } from "./portfolio/portfolioNow.ts";
import { ValueRecorder } from "./portfolio/valueRecorder.ts";
import { knownFeeShare } from "./portfolio/knownTrades.ts";
import { openSymbolsOf } from "./tracking/openOrders.ts";
import { VisibleOrders } from "./tracking/visibleOrders.ts";
import { BalanceFeed } from "./feeds/balanceFeed.ts";
import { DayPrices } from "./feeds/dayPrices.ts";
import { BookFeed } from "./feeds/bookFeed.ts";
import { HistoryRecorder } from "./feeds/historyRecorder.ts";
import { polledBalance, polledBook, polledTickers } from "./feeds/polledReads.ts";
import { RemoteBalance } from "./feeds/remoteBalance.ts";
import { RemoteTickers } from "./feeds/remoteTickers.ts";
import { StreamedBook } from "./feeds/streamedBook.ts";
import { StreamedTickers } from "./feeds/streamedTickers.ts";
import { TickerFeed } from "./feeds/tickerFeed.ts";
import {
  type OrderOutcome,
  OrderPlacer,
  type OrderQuestion,
  type SubmittedDraft,
} from "./orders/orderPlacer.ts";
import { fillsFiring } from "./notifications/firing.ts";
import { Notifications } from "./notifications/notifications.ts";
import { Orders } from "./orders/orders.ts";
import { UnknownOrders } from "./unknown/unknownOrders.ts";
import { resumeAfterSleep } from "./resumeAfterSleep.ts";
import type { Timers } from "../time/timers.ts";
import { WakeDetector } from "./time/wakeDetector.ts";
import { CurrentVenue, type CurrentVenueOptions, type SignedIn, type VenueOpening } from "./venue.ts";
import { Presence } from "./windows/presence.ts";
import { followSending } from "./orders/followSending.ts";
import { shareRecords } from "./windows/recordSync.ts";
import { marketIntervalMs } from "./windows/readIntervals.ts";
import { venueKey } from "./windows/venueKey.ts";
import { WatchListsStore } from "./watchLists/watchListsStore.ts";
import { WindowGroup } from "./windows/windowGroup.ts";
import { Windows } from "./windows/windows.ts";

/** Minimum interval of balance polls after order changes. */
const BALANCE_APART_MS = 1000;
/** Older prices are polled again before an order is checked against them. */
export const ORDER_PRICE_MS = 5000;

/** The whole extension without an editor: Bidside's data and actions, without their display. */
export class Desk extends Disposable {
  /**
   * The clock and timers of the whole desk. A sleep of the computer is detected before the first response after it is
   * used.
   */
  readonly timers: Timers;
  readonly presence: Presence;
  /** The accounts of this computer. */
  readonly accounts: AccountList;
  readonly venue: CurrentVenue;
  /** The windows that show the same account as this one. */
  readonly windows: Windows;
  /** All windows of the computer, which share records. */
  readonly allWindows: WindowGroup;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  /** Names, rules and fees of the pairs. */
  readonly rules: PairRules;
  /** Streamed prices; undefined without a port to streams. */
  readonly stream: StreamedTickers | undefined;
  /** The prices of the last day that this window has seen or Bidside has recorded. */
  readonly dayPrices: DayPrices;
  /** The order book and trades of the visible pair of this window. */
  readonly book: BookFeed;
  /** Streamed order books and trades; undefined without a port to streams. */
  readonly bookStream: StreamedBook | undefined;
  readonly orders: Orders;
  readonly placer: OrderPlacer;
  /** Checks orders with an unknown outcome, in one window of this computer for all. */
  readonly unknownOrders: UnknownOrders;
  /** Tracks and cancels placed orders, as far as the exchange supports it. */
  readonly following: OrderFollowing;
  /** The pairs whose open orders are polled because they are visible, including orders placed elsewhere. */
  readonly visibleOrders: VisibleOrders;
  readonly watchLists: WatchListsStore;
  /** The lines that the user drew in charts. */
  readonly lines: DrawnLines;
  /** What the user holds elsewhere, as entered. */
  readonly elsewhere: HeldElsewhereList;
  /** What the account was worth, once an hour. */
  readonly values: ValueRecorder;
  /** Makes a new UUID. */
  readonly newId: () => string;
  /** Hands firings of alerts and fills to the channels. */
  readonly notifications: Notifications;
  /** The recorded prices of this computer. */
  readonly history: PriceHistory;
  /** This window's log. It contains no key, secret or signature. */
  readonly log: DeskPorts["log"];
  readonly #ports: DeskPorts;
  readonly #wakes: WakeDetector;
  readonly #openings: CurrentVenueOptions;
  readonly #rateLimits = new RateLimits();
  readonly #asked = new Event<SignedIn>();
  readonly #confirmed = new Event<SignedIn>();
  #stopOrderPrices: (() => void) | undefined;
  #alerts: Promise<Alerts> | undefined;

  /** Fires when a question about an order is shown: its checks are done, which may take seconds. */
  readonly onDidAsk = this.#asked.add;
  /** Fires when the user confirmed an order, which is now being sent. */
  readonly onDidConfirm = this.#confirmed.add;

  constructor(ports: DeskPorts) {
    super();
    this.#ports = ports;
    const { random, settings } = ports;
    const log = (this.log = ports.log);
    this.newId = ports.newId;
    const timers = (this.timers = this.#wakes = new WakeDetector(ports.timers, ports.monotonicNow));
    const { now, checkWake } = timers;
    const accounts = (this.accounts = new AccountList(
      new AccountFiles(join(ports.storage, "accounts"), ports.os),
      () => ports.os.randomBytes(8).toString("hex"),
      (error) => log.error(`Accounts: ${errorLine(error)}`),
    ));
    this.#openings = {
      open: ports.openVenue,
      createClient: (opening) => this.createClient(opening),
      digestOf: (apiKey) => this.orders.digestOf(apiKey),
      admits: (account, digest) => this.orders.admitsKey(account, digest),
      timers,
      checkWake,
    };
    const venue = (this.venue = new CurrentVenue(this.#openings));
    const { openWindows } = ports;
    const joining = {
      demand: { ...ports.window, visible: false, armed: false, intervalMs: settings.refreshInterval() },
      checkWake,
      warn: (what: string) => log.warn(what),
    };
    const windows = (this.windows = new Windows({ ...joining, open: openWindows, now }));
    const allWindows = (this.allWindows = new WindowGroup({
      ...joining,
      open: (demand, events) => openWindows(demand, events, undefined),
    }));
    this.watchLists = this.register(
      new WatchListsStore({ port: ports.watchLists, timers, newId: ports.newId }),
    );
    this.presence = new Presence(timers, ports.window.active);
    const polling = { windows, venue, timers, random, checkWake };
    // The exchange's own list of pairs, for the rules of orders and the addresses of books.
    const rules = (this.rules = new PairRules({
      venue,
      usual: ports.rules ?? defaultRules,
      feeShareOf: (pair) => knownFeeShare(this.orders, venue.signedIn, pair),
      now,
      onError: (error) => log.warn(`Pairs and their limits: ${errorLine(error)}`),
    }));
    // Registered before the feeds, so that the other windows know this window's exchange before any feed restarts for
    // it.
    venue.onDidChange((state) => {
      windows.setDemand({ venue: venueKey(state), account: undefined });
      windows.select(venue.account.id);
      allWindows.setDemand({ ...joining.demand, shows: venue.account.id });
    });
    const { stream: port } = ports;
    const listed = (symbol: string) => this.tickers.readTicker(symbol);
    this.stream = port && new StreamedTickers({ ...polling, port, listed, log });
    const remoteTickers = new RemoteTickers(polling);
    const tickers = (this.tickers = new TickerFeed({
      venue,
      timers,
      log,
      intervalMs: settings.refreshInterval(),
      polled: polledTickers(polling),
      remote: remoteTickers,
      streamed: this.stream,
    }));
    this.dayPrices = this.register(
      new DayPrices({
        tickers,
        venue,
        history: () => this.history,
        now,
        onError: (error) => log.error(`Price history: ${errorLine(error)}`),
      }),
    );
    tickers.setPriceSteps((pair) => rules.stepOf(pair));
    remoteTickers.share(tickers);
    const remoteBalance = new RemoteBalance(polling);
    const balances = (this.balances = new BalanceFeed({
      venue,
      timers,
      windows,
      polled: polledBalance(polling),
      remote: remoteBalance,
    }));
    remoteBalance.share(balances);
    const polledDepth = polledBook(polling);
    const streamed = port && new StreamedBook({ ...polling, port, tickers, rules, log });
    this.bookStream = streamed;
    this.book = new BookFeed({ venue, tickers, polled: polledDepth, streamed, timers, log });
    this.visibleOrders = new VisibleOrders({ windows, tickers });
    const balanceReads = new Throttle<"balance">({
      timers,
      everyMs: () => BALANCE_APART_MS,
      deliver: () => balances.refreshEverywhere(),
    });
    const orders = (this.orders = new Orders({
      open: async () => openOrderJournal({ directory: this.ordersFolder, now, os: ports.os }),
      newId: ports.newId,
      now,
      reserved: (asset) => balances.reserved(asset),
      onClientIdIgnored: ports.sayClientIdsIgnored,
      onReportsOmitted: ports.sayOrdersLeftOut,
      onError: (error) => log.error(`Orders: ${errorLine(error)}`),
    }));
    this.placer = this.register(this.#createPlacer(rules));
    this.unknownOrders = this.register(
      new UnknownOrders({ orders, venue, timers, random, isMine: () => windows.actsForAccount() }),
    );
    this.following = this.register(this.#createFollowing());
    const folder = join(ports.storage, "notifications");
    const notifications = (this.notifications = new Notifications({
      channels: ports.channels,
      folder,
      os: ports.os,
      claims: new NotificationClaims(folder, ports.os),
      timers,
      random,
      isInFront: ports.isInFront,
      onError: (error) => log.error(`Notifications: ${errorLine(error)}`),
    }));
    const lines = (this.lines = new DrawnLines({
      open: () => new LineFiles(join(ports.storage, "lines"), ports.os),
      venue,
      newId: ports.newId,
      onError: (error) => log.error(`Lines in charts: ${errorLine(error)}`),
    }));
    const elsewhere = (this.elsewhere = new HeldElsewhereList({
      file: new HeldElsewhereFile(join(ports.storage, "holdings.json"), ports.os),
      venue,
      onError: (error) => log.error(`Holdings elsewhere: ${errorLine(error)}`),
    }));
    const history = (this.history = openPriceHistory({
      directory: join(ports.storage, "history"),
      maximumBytes: settings.historyMaximumBytes,
      files: ports.os.files,
      onNewer: (path) =>
        log.warn(`Price history: a newer version of Bidside wrote ${path}, so charts lack its prices`),
    }));
    const values = (this.values = new ValueRecorder({
      desk: this,
      portfolio: () => portfolioNow(this, settings.valuesIn()),
      history: new ValueHistory(join(ports.storage, "values"), ports.os),
      timers,
      isOn: () => settings.historyMaximumBytes() > 0,
      onError: (error) => log.error(`Recorded values: ${errorLine(error)}`),
    }));
    const recorder = new HistoryRecorder({
      tickers,
      venue,
      history,
      // Only the window that polls the market for all windows with the same market.
      isMine: () => windows.reads("market") && settings.historyMaximumBytes() > 0,
      onError: (error) => log.error(`Price history: ${errorLine(error)}`),
    });
    this.register(
      this.presence.onDidChange((active) => windows.setDemand({ active })),
      windows.onDidChange(() =>
        tickers.freshness.expectEvery(marketIntervalMs([windows.demand]) ?? windows.demand.intervalMs),
      ),
      tickers.onDidChange(({ change }) => change?.rowsChanged && this.stream?.update()),
      orders.onDidReplaceKey(() => venue.recheckKey()),
      orders.onDidMoveMoney(() => balanceReads.add(["balance"])),
      balanceReads,
      orders.onDidChange(() => this.#watchOpenOrders()),
      venue.onDidSignIn(() => this.#watchOpenOrders()),
      shareRecords(allWindows, "accountsChanged", {
        onDidWrite: accounts.onDidWrite,
        reread: () => accounts.reread(),
      }),
      shareRecords(allWindows, "watchListsChanged", {
        onDidWrite: this.watchLists.onDidWrite,
        reread: () => this.watchLists.rereadUntilArrived(),
      }),
      shareRecords(allWindows, "ordersChanged", {
        onDidWrite: orders.onDidWrite,
        reread: () => void this.#reread(),
      }),
      shareRecords(allWindows, "channelsChanged", {
        onDidWrite: notifications.onDidWrite,
        reread: () => notifications.reread(),
      }),
      shareRecords(allWindows, "linesChanged", {
        onDidWrite: lines.onDidWrite,
        reread: () => lines.reread(),
      }),
      shareRecords(allWindows, "holdingsChanged", {
        onDidWrite: elsewhere.onDidWrite,
        reread: () => elsewhere.reread(),
      }),
      shareRecords(allWindows, "valuesChanged", {
        onDidWrite: values.onDidWrite,
        reread: () => values.reread(),
      }),
      values,
      followSending(orders, timers, () => void this.#reread()),
      timers.onDidWake(() => void this.#wake()),
      this.following.tracker.onDidChange((change) => notifications.notify(fillsFiring(change, now()))),
      notifications,
      recorder,
      this.book,
      tickers,
      balances,
      ...(this.stream ? [this.stream] : []),
      ...(streamed ? [streamed] : []),
      polledDepth,
      remoteTickers,
      remoteBalance,
      windows,
      allWindows,
      this.presence,
      timers,
      () => orders.close(),
    );
    void this.#rereadForAll();
  }

  get recordsFolder(): string {
    return this.#ports.storage;
  }

  get ordersFolder(): string {
    return join(this.recordsFolder, "orders");
  }

  /** Creates a client for a venue. All clients of this window share their rate limits. */
  createClient({ profile, ...opening }: VenueOpening): ExchangeClient {
    const { log, timers } = this;
    const { random } = this.#ports;
    // Right before each signature: the secret storage may have waited for the user while the computer slept.
    const credentials = () => opening.credentials().finally(this.#wakes.checkWake);
    return this.#ports.createClient({
      profile,
      credentials,
      now: timers.now,
      random,
      log,
      rateLimits: this.#rateLimits,
    });
  }

  /**
   * Checks, confirms and sends a draft once. Prices older than 5 s are polled again first, and from then on at least
   * every 5 s until the order was sent. `draft.account` is the id of the account that the draft belongs to: if another one
   * is in use, the outcome is `venueChanged`.
   */
  async placeOrder(draft: SubmittedDraft & { readonly account: string }): Promise<OrderOutcome> {
    this.#wakes.checkWake();
    if (!this.venue.venue) return { kind: "noVenue" };
    this.windows.setDemand({ ordering: true });
    try {
      if ((this.tickers.ageMs ?? Number.POSITIVE_INFINITY) > ORDER_PRICE_MS) await this.tickers.refresh();
      return await this.placer.place(draft);
    } finally {
      this.windows.setDemand({ ordering: undefined });
    }
  }

  /** The alerts of this computer. Rejects if their folder cannot be created. */
  alerts(): Promise<Alerts> {
    return (this.#alerts ??= this.#openAlerts());
  }

  /** Polls market and balance now, for all windows. Opens the venue again if none is ready. */
  async refresh(): Promise<void> {
    const { venue, balances, tickers } = this;
    if (!venue.venue) return await venue.select(venue.account);
    void balances.refresh();
    await tickers.refresh();
  }

  /** Call when the editor's window gained or lost focus, or the user became active or inactive. */
  windowChanged({ focused, active }: DeskPorts["window"]): void {
    this.windows.setDemand({ focused });
    this.presence.setActive(active);
    if (!focused) return;
    this.watchLists.reread();
    this.accounts.reread();
    this.elsewhere.reread();
    void this.#rereadForAll();
  }

  /** Streams the prices of pairs with open orders, even while they are not visible. */
  #watchOpenOrders(): void {
    const stop = this.#stopOrderPrices;
    const { signedIn } = this.venue;
    this.#stopOrderPrices = this.tickers.demand.add(
      signedIn ? openSymbolsOf(signedIn, this.orders) : [],
      "order",
    );
    stop?.();
  }

  async #reread(): Promise<boolean> {
    try {
      return await this.orders.reread();
    } catch (error) {
      this.log.error(`Orders: ${errorLine(error)}`);
      return false;
    }
  }

  /**
   * Rereads the orders, and notifies the other windows if there is anything new: a window that was killed after
   * recording it sent no message.
   */
  async #rereadForAll(): Promise<void> {
    if (await this.#reread()) this.allWindows.publish({ type: "ordersChanged" });
  }

  /**
   * Restarts streams after the computer slept or its clock was set, and checks unknown orders before anything is
   * polled.
   */
  async #wake(): Promise<void> {
    this.stream?.restart();
    this.bookStream?.restart();
    this.book.restart();
    this.#rateLimits.endAheadOf(this.timers.now());
    this.orders.expireFutureRateLimits();
    const checkUnknownOrders = async (): Promise<void> => {
      await this.windows.settled();
      await this.unknownOrders.runDueChecks();
    };
    await resumeAfterSleep({ ...this, checkUnknownOrders });
  }

  #createPlacer(pairRules: PairRules): OrderPlacer {
    const { venue, tickers, balances, orders, timers } = this;
    const { settings, ask, rules = defaultRules } = this.#ports;
    const placesOf = ({ ticker }: OrderQuestion): number | undefined => ticker && tickers.placesOf(ticker);
    return new OrderPlacer({
      rules,
      pairRules,
      now: timers.now,
      checkWake: this.#wakes.checkWake,
      limits: settings.limits,
      prices: tickers,
      orders,
      venue,
      ticker: (symbol) => tickers.readTicker(symbol),
      book: (symbol) => this.book.fresh(symbol, settings.limits().maximumPriceAgeMs),
      available: (asset) => balances.available(asset),
      confirmBeyond: (question) => {
        this.#asked.fire(question.venue);
        return ask.confirmBeyond(question, placesOf(question));
      },
      confirm: async (question) => {
        this.#asked.fire(question.venue);
        const isConfirmed = await ask.confirm(question, placesOf(question));
        if (isConfirmed) this.#confirmed.fire(question.venue);
        return isConfirmed;
      },
      afterSending: () => balances.refreshEverywhere(),
    });
  }

  #createFollowing(): OrderFollowing {
    const { orders, venue, windows, tickers, log } = this;
    const parts = { orders, venue, timers: this.#wakes, windows, tickers, random: this.#ports.random };
    return new OrderFollowing({
      ...parts,
      checkWake: this.#wakes.checkWake,
      isMine: () => windows.actsForAccount(),
      visiblePairs: () => this.visibleOrders.pairs(),
      confirmCancel: this.#ports.confirmCancel,
      isCancelFrozen: (pair) => this.placer.rulesOf(pair).isCancelFrozen === true,
      log: (message) => log.warn(message),
    });
  }

  async #openAlerts(): Promise<Alerts> {
    const { storage, os, newId, settings } = this.#ports;
    const { tickers, venue, timers, windows, allWindows, log } = this;
    const alerts = new Alerts({
      store: new AlertFiles(join(storage, "alerts"), os),
      tickers,
      venue,
      timers,
      newId,
      notifications: this.notifications,
      onError: (error) => log.error(`Alerts: ${errorLine(error)}`),
    });
    const missed = {
      alerts,
      watched: new WatchedTimes(join(storage, "alerts", "watched.json"), os),
      intervalMs: settings.refreshInterval,
      onError: (error: unknown) => log.warn(`Missed alerts: ${errorLine(error)}`),
    };
    this.register(
      new MissedAlerts({ ...missed, tickers, venue, isMine: () => windows.reads("market") }),
      new OtherAccounts({
        alerts,
        accounts: this.accounts,
        allWindows,
        venue,
        watch: (account) =>
          new WatchedMarket(account, {
            ...missed,
            allWindows,
            openings: this.#openings,
            timers,
            random: this.#ports.random,
            checkWake: this.#wakes.checkWake,
            log,
          }),
      }),
    );
    shareRecords(allWindows, "alertsChanged", {
      onDidWrite: alerts.onDidWrite,
      reread: () => alerts.reread(),
    });
    // While an alert is waiting for a price, one window must poll the market.
    let stopWatching: (() => void) | undefined;
    const watch = (): void => {
      windows.setDemand({ armed: alerts.isArmed });
      stopWatching?.();
      stopWatching = tickers.demand.add(alerts.armedSymbols, "alert");
    };
    alerts.onDidChange(watch);
    watch();
    return this.register(alerts);
  }
}
