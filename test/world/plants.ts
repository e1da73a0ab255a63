import { endpointsAt } from "../support/builders/client.ts";
import type { Socket } from "node:net";
import { Freshness } from "../../src/desk/feeds/freshness.ts";
import { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import { Desk } from "../../src/desk/desk.ts";
import { Orders } from "../../src/desk/orders/orders.ts";
import { Reconciler } from "../../src/desk/unknown/reconciler.ts";
import { Windows } from "../../src/desk/windows/windows.ts";
import { createClient, type ExchangeClient } from "../../src/exchange/client.ts";
import { NoResponseError, NotSentError, RefusedError } from "../../src/exchange/errors.ts";
import type { Files } from "../../src/files/operatingSystem.ts";
import { NumberedLock } from "../../src/files/numberedLock.ts";
import { Hub } from "../../src/hub/hub.ts";
import type { LimitOrder, SentOrderState } from "../../src/market/order.ts";
import type { LedgerEvent } from "../../src/practice/account/events.ts";
import { Ledger } from "../../src/practice/account/ledger.ts";
import { NotificationClaims } from "../../src/storage/notificationClaims.ts";
import { OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { Disk } from "./disk.ts";
import { Person } from "./person.ts";
import { orderPlants } from "./orderPlants.ts";
import { planOf } from "./plan.ts";
import { type Method, type Plant, type Replacement, replace } from "./planting.ts";
import { run } from "./run.ts";
import { streamPlants } from "./streamPlants.ts";
import { Sockets } from "./sockets.ts";

/** The first of these seeds in which the plant's own check finds the fault; undefined without such a seed. */
export async function findingSeed(fault: Plant, seeds: number): Promise<number | undefined> {
  const takeBack = [fault, ...(fault.and ? [fault.and] : [])].map(replace);
  try {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { violations } = await run(planOf(seed));
      if (violations.some(({ check }) => check === fault.finder)) return seed;
    }
    return undefined;
  } finally {
    for (const each of takeBack) each();
  }
}

const profile = {
  baseUrl: new URL("https://exchange.example"),
  headerPrefix: "X-SVC-",
  endpoints: endpointsAt(),
  walletMethod: "GET",
  symbolOrder: "quoteFirst",
  historyPath: undefined,
  features: {},
} as const;
const client = createClient({ profile, credentials: () => Promise.resolve(undefined), now: () => 0 });

/** A request that does something else if no answer came. */
function withoutAnswer(real: Method, act: Method): Method {
  return async (self, ...args) => {
    try {
      return await real(self, ...args);
    } catch (error) {
      if (error instanceof NoResponseError) return await act(self, ...args);
      throw error;
    }
  };
}

const yes = () => Promise.resolve(true);
const firstVenues = new WeakMap<object, object>();
const firstStates = new WeakMap<object, ReadonlyMap<string, SentOrderState>>();

const blindLeader: Replacement = {
  of: Hub.prototype,
  method: "checkLead",
  instead: () => (self) => (self as Hub).role === "leader",
};

export const plants: readonly Plant[] = [
  {
    name: "a request is sent before its intent is flushed",
    finder: "neverBeforeItsIntent",
    of: Disk.prototype,
    method: "callsOf",
    instead:
      (real) =>
      (...args) => ({ ...(real(...args) as object), fsyncSync: () => undefined }),
  },
  {
    name: "an intent is not written",
    finder: "neverBeforeItsIntent",
    of: OrderJournal.prototype,
    method: "recordIntent",
    instead: () => () => undefined,
  },
  {
    name: "a bid without an answer is sent again",
    finder: "onceForEachOrder",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "placeOrder",
    instead: (real) => withoutAnswer(real, real),
  },
  {
    name: "a draft can be claimed twice",
    finder: "onceForEachOrder",
    of: OrderJournal.prototype,
    method: "claimDraft",
    instead: () => () => true,
  },
  {
    name: "an order is sent without a confirmation",
    finder: "onceForEachOrder",
    of: Person.prototype,
    method: "questionsOf",
    instead: () => () => ({ confirm: yes, confirmBeyond: yes }),
  },
  {
    name: "an order leaves however long ago it was confirmed",
    finder: "confirmationsAreFresh",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "placeOrder",
    instead: (real) => (self, order, _, prepared) => real(self, order, () => true, prepared),
  },
  {
    name: "an order is sent with another rate than the guards compared",
    finder: "ordersStayWithinGuards",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "placeOrder",
    instead:
      (real) =>
      (self, order, ...rest) => {
        const { rate, side } = order as LimitOrder;
        const worse = rate.times(side === "buy" ? "1.03" : "0.97").round(2);
        return real(self, { ...(order as LimitOrder), rate: worse }, ...rest);
      },
  },
  {
    name: "the clock of the exchange counts for longer than a sleep",
    finder: "sleepsAreNoticed",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "forgetClock",
    instead: () => () => undefined,
  },
  {
    name: "the mark of a prepared order is lost",
    finder: "preparedOrdersAreRead",
    of: Desk.prototype,
    method: "placeOrder",
    instead:
      (real) =>
      (self, draft, ...rest) =>
        real(self, { ...(draft as object), preparedBy: undefined }, ...rest),
  },
  { name: "a leader does not check the lease", finder: "oneWindowLeads", ...blindLeader },
  {
    name: "the numbers of the lease begin again",
    finder: "leasesOnlyRise",
    of: NumberedLock.prototype,
    method: "newest",
    instead: (real) => (self) => ((real(self) as number | undefined) ?? 0) % 3 || undefined,
  },
  {
    name: "a settled order is opened again",
    finder: "onlyLegalPaths",
    of: OrderJournal.prototype,
    method: "orders",
    instead: (real) => (self) =>
      (real(self) as OwnOrder[]).map((bid, index) =>
        bid.state === "accepted" && index > 2 ? { ...bid, state: "unknown" } : bid,
      ),
  },
  {
    name: "the rate of an ask is rounded when the ask is sent",
    finder: "theBooksHoldWhatIsShown",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "placeOrder",
    instead:
      (real) =>
      (self, order, ...rest) => {
        const { side, rate } = order as LimitOrder;
        const sent = side === "sell" ? { ...(order as LimitOrder), rate: rate.round(0) } : order;
        return real(self, sent, ...rest);
      },
  },
  {
    name: "a contradictory answer counts as a refusal",
    finder: "neverBetterThanTheEvidence",
    of: RefusedError.prototype,
    method: "provesNothingHappened",
    instead: () => () => true,
  },
  {
    name: "a bid without an answer is called not sent",
    finder: "unknownUntilProven",
    of: Object.getPrototypeOf(client) as ExchangeClient,
    method: "placeOrder",
    instead: (real) =>
      withoutAnswer(real, () => {
        throw new NotSentError("placeBid", "unreachable", "planted");
      }),
  },
  {
    name: "a check without a result counts as accepted",
    finder: "neverBetterThanTheEvidence",
    of: Orders.prototype,
    method: "settle",
    instead: (real) => (self, id, settlement) =>
      real(self, id, { ...(settlement as object), as: "accepted" }),
  },
  {
    name: "unknown orders are not checked",
    finder: "everyOrderIsSettled",
    of: Reconciler.prototype,
    method: "runDueChecks",
    instead: () => () => Promise.resolve(),
  },
  {
    name: "an alert is claimed and not announced",
    finder: "everyAlertWasShown",
    of: NotificationClaims.prototype,
    method: "claim",
    instead:
      (real) =>
      (...args) => {
        real(...args);
        return { kind: "delivered" };
      },
  },
  {
    name: "every window claims an alert",
    finder: "alertsRepeatOnlyAfterKills",
    of: NotificationClaims.prototype,
    method: "claim",
    instead:
      (real) =>
      (...args) => {
        real(...args);
        return { kind: "claimed", path: `/storage/notifications/test-${String(args[2])}.1`, attempt: 1 };
      },
  },
  {
    name: "a guard treats prices of any age as fresh",
    finder: "noOrderOnOldPrices",
    of: Freshness.prototype,
    method: "ageMs",
    instead: (real) => (self) => (real(self) === undefined ? undefined : 0),
  },
  {
    name: "a key is sent to the exchange that was opened next",
    finder: "keysStayHome",
    of: Desk.prototype,
    method: "createClient",
    instead: (real) => (self, opening) => {
      const first = firstVenues.get(self) ?? (opening as object);
      firstVenues.set(self, first);
      const { credentials } = first as { readonly credentials: unknown };
      return real(self, { ...(opening as object), credentials });
    },
  },
  {
    name: "an older poll replaces a newer poll",
    finder: "noOlderPrices",
    of: TickerFeed.prototype,
    method: "adopt",
    instead:
      (real) =>
      (self, state, ...rest) => {
        const feed = self as TickerFeed;
        const before = feed.newestPoll;
        real(self, state, ...rest);
        const { readAt, problem } = feed.newestPoll;
        if (before.tickers.size > 0 && problem === undefined) real(self, { ...before, readAt, problem });
      },
  },
  {
    name: "nobody handles the error of a failed poll",
    finder: "noStrayError",
    of: TickerFeed.prototype,
    method: "adopt",
    instead:
      (real) =>
      (self, state, ...rest) => {
        if ((state as TickerFeed["state"]).problem !== undefined) throw new Error("planted");
        return real(self, state, ...rest);
      },
  },
  {
    name: "the next window reads a different end than the proven end",
    finder: "provenEndsStay",
    of: OrderJournal.prototype,
    method: "orders",
    instead: (real) => (self) => {
      const bids = real(self) as OwnOrder[];
      // Only in a journal that already had the end when it was opened.
      const first = firstStates.get(self) ?? new Map(bids.map(({ intent, state }) => [intent.id, state]));
      firstStates.set(self, first);
      const isMoved = ({ intent, state, settledBy }: OwnOrder): boolean =>
        state === "accepted" && settledBy === undefined && first.get(intent.id) === state;
      return bids.map((bid) => (isMoved(bid) ? { ...bid, state: "notSent" } : bid));
    },
  },
  {
    name: "a replaced leader continues, and its messages are still accepted",
    finder: "nothingOfAnOlderLeader",
    and: blindLeader,
    of: Sockets.prototype,
    method: "connect",
    instead: (real) => (self, process, address) => {
      const socket = real(self, process, address) as Socket;
      const ended = { destroy: () => socket.emit("close") };
      return Object.assign(socket, ended);
    },
  },
  {
    name: "the leader does not read for the other windows",
    finder: "shownPricesAreFresh",
    of: Windows.prototype,
    method: "reads",
    instead: (real) => (self, subject) => real(self, subject) === true && !(self as Windows).hasFollowers,
  },
  {
    name: "a window that lost its leader stays alone",
    finder: "oneWindowLeads",
    of: NumberedLock.prototype,
    method: "take",
    instead: (real) => (self, number, text) => (number as number) < 3 && real(self, number, text),
  },
  {
    name: "a fill costs no money",
    finder: "theLedgerConserves",
    of: Ledger.prototype,
    method: "apply",
    instead: (real) => (self, event) => {
      const { kind } = event as LedgerEvent;
      if (kind !== "filled") real(self, event);
    },
  },
  {
    name: "an alert is not flushed before it replaces the older alert",
    finder: "everyAlertIsKept",
    of: Disk.prototype,
    method: "callsOf",
    instead:
      (real) =>
      (...args) => {
        const files = real(...args) as Files;
        const writeFileSync: Files["writeFileSync"] = (path, text, { mode, flag }) =>
          files.writeFileSync(path, text, flag === undefined ? { mode } : { mode, flag });
        return { ...files, writeFileSync };
      },
  },
  ...orderPlants,
  ...streamPlants,
];
