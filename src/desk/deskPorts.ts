import type { ClientOptions, ExchangeClient } from "../exchange/client.ts";
import type { OperatingSystem } from "../files/operatingSystem.ts";
import type { Account } from "../market/account.ts";
import type { OrderLimits, OrderRules } from "../market/order.ts";
import type { StreamPort } from "./feeds/streamedTickers.ts";
import type { CancelQuestion } from "./tracking/canceller.ts";
import type { Channel } from "./notifications/channel.ts";
import type { OrderQuestion } from "./orders/orderPlacer.ts";
import type { Timers } from "../time/timers.ts";
import type { SignedIn, VenueOpening } from "./venue.ts";
import type { WatchListsPort } from "./watchLists/watchListsStore.ts";
import type { OpenWindows } from "./windows/windowGroup.ts";

type Ask = (question: OrderQuestion, places: number | undefined) => Promise<boolean>;

/** Everything that a desk needs from outside: the computer, the editor, the settings and the user. */
export interface DeskPorts {
  readonly timers: Timers;
  /** ms on a clock that is never set. */
  readonly monotonicNow: () => number;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
  /** A new UUID. */
  readonly newId: () => string;
  /** The folder in which this computer keeps orders, alerts and prices. */
  readonly storage: string;
  readonly watchLists: WatchListsPort;
  /** Files, processes and random bytes. */
  readonly os: OperatingSystem;
  /** The default order rules. Missing: `defaultRules`. */
  readonly rules?: OrderRules;
  readonly openVenue: (account: Account) => Promise<VenueOpening>;
  readonly createClient: (options: ClientOptions) => ExchangeClient;
  /** Access to streams; missing: prices are only polled. */
  readonly stream?: StreamPort;
  /** Finds the other windows of this computer. */
  readonly openWindows: OpenWindows;
  /** The state of the editor's window when the desk is created. `isInFront` returns the current one. */
  readonly window: { readonly focused: boolean; readonly active: boolean };
  readonly isInFront: () => boolean;
  readonly settings: {
    readonly limits: () => OrderLimits;
    /** ms */
    readonly refreshInterval: () => number;
    /** The asset that values are shown in; "" lets the account decide. */
    readonly valuesIn: () => string;
    /** Maximum size of the recorded prices in bytes; 0 disables recording, also of values. */
    readonly historyMaximumBytes: () => number;
  };
  /**
   * Confirmations by the user, shown with the decimals of the pair's prices if it is listed. An order is sent only if
   * they resolve to true.
   */
  readonly ask: Readonly<Record<"confirmBeyond" | "confirm", Ask>>;
  /** The confirmation of a cancellation, which is sent only if this resolves to true. */
  readonly confirmCancel: (question: CancelQuestion) => Promise<boolean>;
  /** Warns once that an exchange does not keep client order ids. */
  readonly sayClientIdsIgnored?: ((venue: SignedIn) => void) | undefined;
  /** Warns once that an exchange reports more orders than Bidside stores. */
  readonly sayOrdersLeftOut?: ((venue: SignedIn) => void) | undefined;
  /** The ways to notify the user. */
  readonly channels: readonly Channel[];
  readonly log: NonNullable<ClientOptions["log"]> & {
    info(message: string): void;
    error(message: string): void;
  };
}
