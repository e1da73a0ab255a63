import { BalanceFeed } from "../../../src/desk/feeds/balanceFeed.ts";
import { TickerFeed, type MarketChange } from "../../../src/desk/feeds/tickerFeed.ts";
import { monotonicTimers, type Timers } from "../../../src/desk/time/timers.ts";
import { CurrentVenue, type VenueOpening } from "../../../src/desk/venue.ts";
import { SharedDesk } from "../../../src/desk/windows/sharedDesk.ts";
import { Windows, type WindowsOptions } from "../../../src/desk/windows/windows.ts";
import type { ExchangeClient } from "../../../src/exchange/client.ts";
import { type Credentials, Secret } from "../../../src/exchange/signing/credentials.ts";
import { Hub } from "../../../src/hub/hub.ts";
import type { WindowDemand } from "../../../src/hub/protocol.ts";
import { openingOf } from "../fakes/venue.ts";
import { waitFor } from "../waitFor.ts";
import { Hubs, demandOf } from "./hubs.ts";

/** A key pair of the test's own. */
export function pairOf(name: string): Credentials {
  return { apiKey: new Secret(`${name}-key`), apiSecret: new Secret(`${name}-secret`) };
}

export interface DeskWindow {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly shared: SharedDesk;
  /** What the rows were told. */
  readonly events: MarketChange[];
  readonly troubles: string[];
}

export interface DeskOptions {
  readonly client: ExchangeClient;
  readonly timers: Timers;
  readonly demand?: Partial<WindowDemand>;
  readonly credentials?: Credentials | undefined;
  /** In the place of `credentials`. */
  readonly readCredentials?: () => Promise<Credentials>;
  /** Live at this address, instead of practice. */
  readonly live?: string;
  readonly open?: WindowsOptions["open"];
  /** Called when this window told the others that it asks for the market, with the time just before. */
  readonly asked?: (at: number) => void;
}

/** All that a window has below its views, in a folder that the windows of one machine share. */
export function openDesk(directory: string, options: DeskOptions): DeskWindow {
  const { client, timers, credentials, live } = options;
  const opening: VenueOpening = {
    ...openingOf(live ?? "http://127.0.0.1:1", { mayMove: live === undefined }),
    credentials: options.readCredentials ?? (() => Promise.resolve(credentials)),
  };
  const venue = new CurrentVenue({
    open: { practice: () => Promise.resolve(opening), live: () => Promise.resolve(opening) },
    createClient: () => client,
  });
  const troubles: string[] = [];
  const windows = new Windows({
    open:
      options.open ??
      ((demand, events) => Promise.resolve(new Hub({ directory, demand, timers: monotonicTimers, events }))),
    demand: demandOf({ focused: true, active: true, visible: true, ...options.demand }),
    now: timers.now,
    trouble: (what) => troubles.push(what),
  });
  const reading = { venue, timers, random: () => 1 };
  const tickers = new TickerFeed({
    ...reading,
    intervalMs: 5000,
    begin: () => {
      // The others count from the announcement. A machine may stop this process right after it.
      const at = timers.now();
      const mayRead = windows.beginRead("market");
      if (mayRead) options.asked?.(at);
      return mayRead;
    },
  });
  const balances = new BalanceFeed({
    ...reading,
    intervalMs: 30_000,
    begin: () => windows.beginRead("balance"),
  });
  const shared = new SharedDesk({ windows, venue, tickers, balances, timers });
  const events: MarketChange[] = [];
  tickers.onDidChange(({ change }) => change && events.push(change));
  void venue.select(live === undefined ? "practice" : "live");
  return { windows, venue, tickers, balances, shared, events, troubles };
}

/** Windows of one machine within this process, over real sockets. */
export class DeskWindows {
  readonly hubs = new Hubs();
  readonly #opened: DeskWindow[] = [];

  /** Opens a window and waits until it leads or follows, and knows its account. */
  async open(options: DeskOptions): Promise<DeskWindow> {
    const window = openDesk(this.hubs.directory, options);
    this.#opened.push(window);
    await waitFor(
      "the window to find its place",
      () => window.windows.role !== "joining" && window.windows.demand.account !== undefined,
    );
    return window;
  }

  close(): void {
    for (const { shared, tickers, balances } of this.#opened) {
      shared.dispose();
      tickers.dispose();
      balances.poll.dispose();
    }
    this.hubs.close();
  }
}
