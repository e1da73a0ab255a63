import { BalanceFeed } from "../../../src/desk/feeds/balanceFeed.ts";
import { Event } from "../../../src/desk/event.ts";
import type { PolledPorts } from "../../../src/desk/feeds/polledReads.ts";
import { polledBalance, polledTickers } from "../../../src/desk/feeds/polledReads.ts";
import { TickerFeed } from "../../../src/desk/feeds/tickerFeed.ts";
import type { Timers } from "../../../src/time/timers.ts";
import type { CurrentVenue } from "../../../src/desk/venue.ts";
import type { Windows } from "../../../src/desk/windows/windows.ts";
import type { WindowDemand } from "../../../src/hub/protocol.ts";

/** A window without others, which reads for itself. Nothing is visible in it until the test says so. */
export function aloneWindow(demand: Partial<WindowDemand> = {}): Windows {
  const changed = new Event<void>();
  const alone = {
    demand: { focused: true, active: false, visible: false, armed: false, intervalMs: 5000, ...demand },
    onDidChange: changed.add,
    onDidReceive: new Event<never>().add,
    onDidChangeRole: new Event<never>().add,
    role: "leader",
    hasFollowers: false,
    reads: () => true,
    beginRead: () => true,
    mayStillRead: () => true,
    demandsFor: () => [alone.demand],
    publish: () => undefined,
    setDemand: (wanted: Partial<WindowDemand>) => {
      alone.demand = { ...alone.demand, ...wanted };
      changed.fire();
    },
  };
  return alone as unknown as Windows;
}

function portsOf(venue: CurrentVenue, timers: Timers, windows: Windows): PolledPorts {
  return { venue, timers, windows, random: () => 1, checkWake: () => undefined };
}

/** The tickers of a window that is alone, without a desk: they are read when the test refreshes them. */
export function tickerFeed(venue: CurrentVenue, timers: Timers, windows = aloneWindow()): TickerFeed {
  const polled = polledTickers(portsOf(venue, timers, windows));
  return new TickerFeed({ venue, timers, intervalMs: 5000, polled });
}

/** The same for the balance. */
export function balanceFeed(venue: CurrentVenue, timers: Timers, windows = aloneWindow()): BalanceFeed {
  const polled = polledBalance(portsOf(venue, timers, windows));
  return new BalanceFeed({ venue, timers, windows, polled });
}
