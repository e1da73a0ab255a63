import type { Account } from "../../market/account.ts";
import type { WatchedTimes } from "../../storage/watchedTimes.ts";
import { Disposable } from "../disposable.ts";
import { type PolledPorts, polledTickers } from "../feeds/polledReads.ts";
import { TickerFeed, type TickerFeedOptions } from "../feeds/tickerFeed.ts";
import { CurrentVenue, type CurrentVenueOptions } from "../venue.ts";
import { venueKey } from "../windows/venueKey.ts";
import type { WindowGroup } from "../windows/windowGroup.ts";
import { Windows } from "../windows/windows.ts";
import type { Alerts } from "./alerts.ts";
import { MissedAlerts } from "./missedAlerts.ts";

export interface WatchedMarketOptions extends Pick<PolledPorts, "timers" | "random" | "checkWake"> {
  readonly alerts: Alerts;
  readonly allWindows: WindowGroup;
  readonly openings: CurrentVenueOptions;
  readonly watched: WatchedTimes;
  /** Poll interval of the market, ms. */
  readonly intervalMs: () => number;
  readonly log: NonNullable<TickerFeedOptions["log"]>;
  readonly onError: (error: unknown) => void;
}

/** The market of an account that no window shows, polled for its alerts alone. Its key is never read. */
export class WatchedMarket extends Disposable {
  constructor(account: Account, options: WatchedMarketOptions) {
    super();
    const { alerts, allWindows, openings, watched, timers, random, checkWake, log, onError } = options;
    const intervalMs = options.intervalMs();
    const venue = new CurrentVenue({
      ...openings,
      open: async (of) => ({ ...(await openings.open(of)), credentials: async () => undefined }),
    });
    const windows = new Windows({
      // Only the leader of all windows polls this market, so there is nobody to share it with.
      open: async () => ({
        role: "leader",
        followers: [],
        leader: undefined,
        checkLead: () => allWindows.checkLead(),
        setDemand() {},
        publish() {},
        ask() {},
        dispose() {},
      }),
      demand: { focused: false, active: false, visible: false, armed: true, intervalMs },
      now: timers.now,
      checkWake,
      warn: (what) => onError(new Error(what)),
    });
    venue.onDidChange((state) => {
      windows.setDemand({ venue: venueKey(state) });
      windows.select(account.id);
    });
    const polled = polledTickers({ windows, venue, timers, random, checkWake });
    const tickers = new TickerFeed({ venue, timers, log, intervalMs, polled });
    const missed = { watched, intervalMs: options.intervalMs, isMine: () => true, onError };
    this.register(
      new MissedAlerts({ alerts, tickers, venue, ...missed }),
      alerts.watch({ tickers, venue }),
      tickers,
      windows,
    );
    void venue.select(account);
  }
}
