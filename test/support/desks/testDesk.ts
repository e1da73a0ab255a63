import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Desk } from "../../../src/desk/desk.ts";
import type { DeskPorts } from "../../../src/desk/deskPorts.ts";
import type { OrderOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { systemTimers } from "../../../src/time/timers.ts";
import type { VenueOpening } from "../../../src/desk/venue.ts";
import { createClient, type ExchangeClient } from "../../../src/exchange/client.ts";
import type { ServiceProfile } from "../../../src/exchange/profile.ts";
import { thisSystem } from "../../../src/files/operatingSystem.ts";
import { priceText } from "../../../src/market/numbers/decimal.ts";
import { type TypedDraft } from "../builders/formDraft.ts";
import type { Account } from "../../../src/market/account.ts";
import { defaultLimits } from "../../../src/market/order.ts";
import { testCredentials, testProfile } from "../builders/client.ts";
import { accountOfKind, byKind, openingOf } from "../fakes/venue.ts";
import { memoryOf } from "../fakes/watchLists.ts";
import { waitFor } from "../waitFor.ts";

export interface TestDeskOptions extends Partial<DeskPorts> {
  /** Replaces the product's own client. */
  readonly client?: ExchangeClient;
  /** The kind of the initially open account; default: practice. */
  readonly venue?: Account["kind"];
  /** The initially open account, instead of one of that kind. */
  readonly account?: Account;
}

/** No user is at the window: its desk polls only when the test requests it. */
export const unattended: DeskPorts["window"] = { focused: false, active: false };

export const testSettings: DeskPorts["settings"] = {
  limits: () => defaultLimits,
  refreshInterval: () => 5000,
  valuesIn: () => "",
  historyMaximumBytes: () => 0,
};

const ignore = () => undefined;

/** Logs nothing, and fails the test on an error. */
export const testLog: DeskPorts["log"] = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (line) => assert.fail(line),
};

/**
 * The shipped desk of a single window, which opens a venue. By default both venues are at addresses that nobody serves, the
 * user confirms every dialog, and the folder is created when something is recorded.
 */
export function newTestDesk(options: TestDeskOptions): Desk {
  const { client, venue = "practice", account = accountOfKind[venue], ...ports } = options;
  const { storage = join(tmpdir(), `no-desk-${randomUUID()}`) } = ports;
  const yes = () => Promise.resolve(true);
  const desk = new Desk({
    timers: systemTimers,
    monotonicNow: (ports.timers ?? systemTimers).now,
    random: () => 0,
    newId: randomUUID,
    watchLists: memoryOf(),
    os: thisSystem,
    openVenue: byKind({
      practice: () =>
        Promise.resolve(openingOf("http://127.0.0.1:1", { name: "Practice", addressMayChange: true })),
      live: () => Promise.resolve(openingOf("https://api.example.com")),
    }),
    createClient: (given) => client ?? createClient(given),
    openWindows: () => Promise.reject(new Error("There is no other window.")),
    window: { focused: true, active: true },
    isInFront: () => true,
    settings: testSettings,
    ask: { confirmBeyond: yes, confirm: yes },
    confirmCancel: yes,
    channels: [],
    log: testLog,
    ...ports,
    storage,
  });
  void desk.venue.select(account);
  return desk;
}

/** The same desk, once its venue is open and the window leads. */
export async function openTestDesk(options: TestDeskOptions): Promise<Desk> {
  const desk = newTestDesk(options);
  const isOpen = (): boolean => desk.venue.state.kind !== "opening" && desk.windows.role === "leader";
  await waitFor("the venue to open and the window to lead", isOpen);
  return desk;
}

/** Options of a desk whose live exchange is a test server. */
export function liveAt(
  baseUrl: string,
  credentials: VenueOpening["credentials"] = () => Promise.resolve(testCredentials),
  changes: Partial<ServiceProfile> = {},
): Pick<TestDeskOptions, "venue" | "openVenue"> {
  const profile = testProfile(baseUrl, { walletMethod: "GET", ...changes });
  const open = () => Promise.resolve(openingOf(baseUrl, { profile, credentials }));
  return { venue: "live", openVenue: byKind({ practice: open, live: open }) };
}

/** Polls market and balance, or waits for a running poll. */
export async function readAll({ windows, tickers, balances }: Desk): Promise<void> {
  await waitFor("the account to be known", () => windows.demand.account !== undefined);
  await Promise.all([tickers.refresh(), balances.refresh()]);
}

/** Submits a new draft of the open exchange, as the ticket does. */
export async function submit(desk: Desk, draft: TypedDraft): Promise<OrderOutcome> {
  return await desk.placeOrder({ id: randomUUID(), account: desk.venue.account.id, side: "buy", ...draft });
}

/** Bids `amount` THB for BTC, 1 % above the last price that the desk shows. */
export function bid(desk: Desk, amount: string): Promise<OrderOutcome> {
  const { last = 0 } = desk.tickers.ticker("THB_BTC") ?? {};
  return submit(desk, { symbol: "THB_BTC", amount, rate: priceText(Math.ceil(last * 1.01)) });
}

/** Closes the desk. Its folder can be removed afterwards. */
export async function close(desk: Desk): Promise<void> {
  desk.dispose();
  await desk.orders.close();
}
