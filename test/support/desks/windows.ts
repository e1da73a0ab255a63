import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { Desk, type DeskPorts } from "../../../src/desk/desk.ts";
import type { MarketChange } from "../../../src/desk/feeds/tickerFeed.ts";
import { monotonicTimers, type Timers } from "../../../src/desk/time/timers.ts";
import type { VenueOpening } from "../../../src/desk/venue.ts";
import type { ExchangeClient } from "../../../src/exchange/client.ts";
import { type Credentials, Secret } from "../../../src/exchange/signing/credentials.ts";
import { Hub } from "../../../src/hub/hub.ts";
import { usualLimits } from "../../../src/market/order.ts";
import type { Disk } from "../../../src/storage/appendLog.ts";
import { openingOf } from "../fakes/venue.ts";
import { waitFor } from "../waitFor.ts";
import { Hubs } from "./hubs.ts";

/** A key pair of the test's own. */
export function pairOf(name: string): Credentials {
  return { apiKey: new Secret(`${name}-key`), apiSecret: new Secret(`${name}-secret`) };
}

/** Real files that no fsync waits for: for tests that kill nothing. */
export const unsyncedDisk: Disk = {
  writeSync: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  fsyncSync: () => undefined,
};

/** A window: the shipped desk, and what it told the test. */
export type DeskWindow = Desk & {
  /** What the rows were told. */
  readonly events: MarketChange[];
  /** The log's warnings. */
  readonly troubles: string[];
};

export interface DeskOptions extends Partial<Omit<DeskPorts, "log">> {
  readonly log?: Partial<DeskPorts["log"]>;
  /** In the place of `createClient`. */
  readonly client?: ExchangeClient;
  readonly timers: Timers;
  readonly credentials?: Credentials | undefined;
  /** In the place of `credentials`. */
  readonly readCredentials?: () => Promise<Credentials>;
  /** Live at this address, instead of practice. */
  readonly live?: string;
  /** Whether prices are visible in it; true if not given. */
  readonly isVisible?: boolean;
  /** How often a person wants the market read, in ms; 5000 if not given. */
  readonly intervalMs?: number;
}

/**
 * Opens the shipped desk in a folder that the windows of one machine share. The window is in front of a person, who
 * would answer each question with yes. An error in the log fails the test.
 */
export function openDesk(storage: string, options: DeskOptions): DeskWindow {
  const {
    client,
    live,
    credentials,
    readCredentials,
    isVisible = true,
    intervalMs = 5000,
    log,
    ...ports
  } = options;
  const troubles: string[] = [];
  const opening: VenueOpening = {
    ...openingOf(live ?? "http://127.0.0.1:1", { mayMove: live === undefined }),
    credentials: readCredentials ?? (() => Promise.resolve(credentials)),
  };
  const open = () => Promise.resolve(opening);
  const yes = () => Promise.resolve(true);
  const desk = new Desk({
    random: () => 1,
    newId: randomUUID,
    storage,
    openVenue: { practice: open, live: open },
    createClient: () => client ?? assert.fail("The test gave no client."),
    openWindows: (demand, events) =>
      Promise.resolve(new Hub({ directory: storage, demand, timers: monotonicTimers, events })),
    window: { focused: true, active: true },
    isInFront: () => true,
    settings: { limits: () => usualLimits, refreshInterval: () => intervalMs, historyMaximumBytes: () => 0 },
    ask: { confirmAbove: yes, confirm: yes },
    loadAnnounce: () => Promise.resolve(() => undefined),
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (what) => troubles.push(what),
      error: (what) => assert.fail(what),
      ...log,
    },
    ...ports,
  });
  const events: MarketChange[] = [];
  desk.tickers.onDidChange(({ change }) => change && events.push(change));
  if (isVisible) desk.tickers.watch();
  void desk.venue.select(live === undefined ? "practice" : "live");
  return Object.assign(desk, { events, troubles });
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
    for (const window of this.#opened) window.dispose();
    this.hubs.close();
  }
}
