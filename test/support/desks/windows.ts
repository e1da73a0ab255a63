import type { Desk } from "../../../src/desk/desk.ts";
import type { DeskPorts } from "../../../src/desk/deskPorts.ts";
import type { MarketChange } from "../../../src/desk/feeds/marketState.ts";
import type { Timers } from "../../../src/time/timers.ts";
import type { VenueOpening } from "../../../src/desk/venue.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import { openingOf, byKind } from "../fakes/venue.ts";
import { waitFor } from "../waitFor.ts";
import { Hubs, hubsIn } from "./hubs.ts";
import { newTestDesk, type TestDeskOptions, testLog, testSettings } from "./testDesk.ts";

/** A window: the shipped desk, with its output. */
export type DeskWindow = Desk & {
  /** Changes of the rows. */
  readonly events: MarketChange[];
  /** The log's warnings. */
  readonly troubles: string[];
};

export interface DeskOptions extends Omit<Partial<TestDeskOptions>, "log"> {
  readonly timers: Timers;
  readonly log?: Partial<DeskPorts["log"]>;
  readonly credentials?: Credentials | undefined;
  /** Replaces `credentials`. */
  readonly readCredentials?: () => Promise<Credentials>;
  /** Whether prices are visible in the window; default: true. */
  readonly isVisible?: boolean;
  /** The user's refresh interval in ms; default: 5000. */
  readonly intervalMs?: number;
}

/**
 * Opens the shipped desk in a folder shared by the windows of one computer. By default the window is in front, on the
 * practice venue, or with `credentials` on a live one.
 */
export function openDesk(storage: string, options: DeskOptions): DeskWindow {
  const { credentials, readCredentials, isVisible = true, intervalMs = 5000, log, ...ports } = options;
  const troubles: string[] = [];
  const hasKey = "credentials" in options || readCredentials !== undefined;
  const opening: VenueOpening = {
    ...openingOf("http://127.0.0.1:1", { addressMayChange: !hasKey }),
    credentials: readCredentials ?? (() => Promise.resolve(credentials)),
  };
  const open = () => Promise.resolve(opening);
  const desk = newTestDesk({
    random: () => 1,
    storage,
    venue: hasKey ? "live" : "practice",
    openVenue: byKind({ practice: open, live: open }),
    openWindows: hubsIn(storage),
    settings: { ...testSettings, refreshInterval: () => intervalMs },
    log: { ...testLog, warn: (what) => troubles.push(what), ...log },
    ...ports,
  });
  const events: MarketChange[] = [];
  desk.tickers.onDidChange(({ change }) => change && events.push(change));
  if (isVisible) desk.tickers.demand.add(["THB_BTC", "THB_ETH"]);
  return Object.assign(desk, { events, troubles });
}

/** Windows of one computer in this process, over real sockets. */
export class DeskWindows {
  readonly hubs = new Hubs();
  readonly #opened: DeskWindow[] = [];

  /** Opens a window and waits until it leads or follows and knows its account. */
  async open(options: DeskOptions): Promise<DeskWindow> {
    const window = openDesk(this.hubs.directory, options);
    this.#opened.push(window);
    await waitFor(
      "the window to lead or follow",
      () =>
        [window.windows, window.allWindows].every(({ role }) => role !== "joining") &&
        window.windows.demand.account !== undefined,
    );
    return window;
  }

  close(): void {
    for (const window of this.#opened) window.dispose();
    this.hubs.close();
  }
}
