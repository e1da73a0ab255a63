import { join } from "node:path";
import { endpointsAt } from "../support/builders/client.ts";
import type { Alerts } from "../../src/desk/alerts/alerts.ts";
import { Desk } from "../../src/desk/desk.ts";
import type { ServiceProfile } from "../../src/exchange/profile.ts";
import type { DeskPorts } from "../../src/desk/deskPorts.ts";
import type { VenueOpening } from "../../src/desk/venue.ts";
import { type Account, practiceAccount } from "../../src/market/account.ts";
import { createClient } from "../../src/exchange/client.ts";
import type { Features } from "../../src/exchange/features.ts";
import type { OpenSocket } from "../../src/exchange/stream/socket.ts";
import { type Credentials, Secret } from "../../src/exchange/signing/credentials.ts";
import type { OperatingSystem } from "../../src/files/operatingSystem.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import { Hub } from "../../src/hub/hub.ts";
import type { Alert } from "../../src/market/alertRule.ts";
import { defaultLimits } from "../../src/market/order.ts";
import { alertChannel } from "../support/fakes/alertChannel.ts";
import { memoryOf } from "../support/fakes/watchLists.ts";
import { createWire, openConnection, type WireEnds } from "./wire.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

export const STORAGE = "/storage";
/** The accounts of the person. Both live ones are at one exchange. */
export const worldAccounts: readonly [practice: Account, live: Account, other: Account] = [
  { ...practiceAccount, label: "practice" },
  { id: "1".repeat(16), label: "live", kind: "live" },
  { id: "2".repeat(16), label: "live-other", kind: "live" },
];
/** The folder of the order journal. */
export const ORDERS = `${STORAGE}/orders`;

/** The parts of the world that a window needs. */
export interface WindowPorts {
  readonly scheduler: Scheduler;
  readonly process: Process;
  readonly os: OperatingSystem;
  readonly wire: WireEnds;
  /** Opens the connections of streams. */
  readonly openSocket: OpenSocket;
  /** The computer's clock, ms since the epoch. */
  readonly now: () => number;
  readonly addressOf: (kind: Account["kind"]) => string;
  readonly featuresOf: (kind: Account["kind"]) => Features;
  /** Undefined while the keyring is locked, so that the caller waits. */
  readonly credentials: (account: Account) => Promise<Credentials | undefined>;
  readonly isInFront: () => boolean;
  readonly ask: DeskPorts["ask"];
  readonly confirmCancel: DeskPorts["confirmCancel"];
  readonly announce: (alert: Alert) => void;
  readonly log: (level: "debug" | "info" | "warn" | "error", text: string) => void;
}

/** A window of the editor: a process with the shipped desk. */
export class WorldWindow {
  readonly process: Process;
  readonly desk: Desk;
  alerts: Alerts | undefined;
  isClosed = false;
  /** Requests of clients that this window has replaced, because its exchange or their address changed. */
  readonly #replaced = new WeakSet<HttpRequest>();
  /** The newest client of each account. */
  readonly #clients = new Map<string, object>();
  #hide: (() => void) | undefined;
  #book: string | undefined;

  constructor(ports: WindowPorts, account: Account) {
    const { scheduler, process, os, wire, now, openSocket } = ports;
    this.process = process;
    const transport = createWire(process, scheduler, wire);
    const accounts = new WeakMap<ServiceProfile, string>();
    const open = async (opened: Account): Promise<VenueOpening> => {
      const profile: ServiceProfile = {
        baseUrl: new URL(ports.addressOf(opened.kind)),
        headerPrefix: "X-SVC-",
        endpoints: endpointsAt(),
        walletMethod: "GET",
        symbolOrder: "quoteFirst",
        historyPath: undefined,
        features: ports.featuresOf(opened.kind),
      };
      accounts.set(profile, opened.id);
      return {
        name: opened.label,
        profile,
        credentials: () => ports.credentials(opened),
        addressMayChange: opened.kind === "practice",
      };
    };
    const log = (level: "debug" | "info" | "warn" | "error") => (text: string) => ports.log(level, text);
    this.desk = new Desk({
      timers: process.timers(now),
      monotonicNow: () => scheduler.now,
      random: scheduler.random,
      newId: () => newId(scheduler),
      storage: STORAGE,
      watchLists: memoryOf(),
      os,
      openVenue: open,
      createClient: (options) => {
        const account = accounts.get(options.profile) ?? "";
        this.#clients.set(account, options);
        return createClient({
          ...options,
          transport: (request) => {
            const isCurrent =
              this.desk.venue.account.id === account && this.#clients.get(account) === options;
            if (!isCurrent) this.#replaced.add(request);
            return transport(request);
          },
          openSocket,
          after: (ms, task) => process.after(ms, task),
          connect: (target) => openConnection(process, target, wire.latency()),
        });
      },
      stream: { open: openSocket, isOn: () => true },
      openWindows: async (demand, events, id = "") =>
        new Hub({
          directory: join(STORAGE, "windows", id),
          demand,
          timers: process.timers(() => scheduler.now),
          os,
          events,
        }),
      window: { focused: ports.isInFront(), active: ports.isInFront() },
      isInFront: ports.isInFront,
      settings: {
        limits: () => defaultLimits,
        refreshInterval: () => 5000,
        valuesIn: () => "",
        historyMaximumBytes: () => 100_000,
      },
      ask: ports.ask,
      confirmCancel: ports.confirmCancel,
      channels: [alertChannel(ports.announce)],
      log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
    });
    this.show();
    void this.desk.venue.select(account);
    this.desk.alerts().then(
      (alerts) => (this.alerts = alerts),
      () => undefined,
    );
  }

  /** Whether a client that this window has replaced sends the request. */
  isOfReplacedClient(request: HttpRequest): boolean {
    return this.#replaced.has(request);
  }

  /** Whether the window leads the windows of an account. */
  isLeaderOf(account: string): boolean {
    return this.desk.venue.account.id === account && this.desk.windows.role === "leader";
  }

  /** Prices are visible in the window. */
  get isShown(): boolean {
    return this.#hide !== undefined;
  }

  /** The ticket shows a ladder. */
  get isBookShown(): boolean {
    return this.#book !== undefined;
  }

  /** The ticket shows the ladder of this pair; undefined: of none. */
  showBook(symbol: string | undefined): void {
    this.#book = symbol;
    this.desk.book.show(symbol);
  }

  /** Prices become visible in the window. */
  show(): void {
    this.#hide ??= this.desk.tickers.demand.add(["THB_BTC", "THB_ETH"]);
  }

  hide(): void {
    this.#hide?.();
    this.#hide = undefined;
  }

  /** The person closes the window: first its desk is disposed of, and then its process ends. */
  close(): void {
    this.desk.dispose();
    this.process.after(0, () => this.process.kill());
  }
}

/** A UUID of version 4. */
export function newId(scheduler: Scheduler): string {
  const bytes = scheduler.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export function credentialsOf({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }): Credentials {
  return { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
}
