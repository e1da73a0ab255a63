import { type CancelOutcome, type CancelTarget, Canceller } from "../../src/desk/tracking/canceller.ts";
import { Desk } from "../../src/desk/desk.ts";
import type { SubmittedDraft } from "../../src/desk/orders/orderPlacer.ts";
import { ReadRunner } from "../../src/desk/tracking/readRunner.ts";
import { Orders } from "../../src/desk/orders/orders.ts";
import type { SignedIn } from "../../src/desk/venue.ts";
import type { OrderReport } from "../../src/market/orderReport.ts";
import { hasEnded, type KnownOrder } from "../../src/market/orders/knownOrder.ts";
import type { NamedOrder, OrderName } from "../../src/market/order.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { Settlement } from "../../src/storage/orders/records.ts";
import type { CancelRecord } from "../../src/storage/orders/placedOrderRecords.ts";
import { worldAccounts } from "./window.ts";
import { Person } from "./person.ts";
import type { Plant } from "./planting.ts";

type Cancel = Omit<CancelRecord, "at" | "kind">;

const firstKnown = new Map<string, KnownOrder>();
const firstDigests = new WeakMap<object, string>();

/** Faults in the lifecycle of accepted orders. */
export const orderPlants: readonly Plant[] = [
  {
    name: "a cancellation is sent without a confirmation",
    finder: "onlyConfirmedCancellations",
    of: Person.prototype,
    method: "confirmCancel",
    instead: () => () => Promise.resolve(true),
  },
  {
    name: "an answered cancellation counts as the end of its order",
    finder: "shownEndsAreTheServices",
    of: Orders.prototype,
    method: "recordCancel",
    instead:
      (real) =>
      async (self, ...args) => {
        const isKept = await real(self, ...args);
        const [record] = args as [Cancel];
        if (record.step !== "requested")
          await (self as Orders).recordReports([cancelled(record)], venueOf(record));
        return isKept;
      },
  },
  {
    name: "an earlier report of an order is shown again",
    finder: "reportsMoveForward",
    of: Orders.prototype,
    method: "own",
    instead: (real) => (self) =>
      (real(self) as readonly OwnOrder[]).map((order) => {
        if (!order.known) return order;
        const first = firstKnown.get(order.intent.id) ?? order.known;
        firstKnown.set(order.intent.id, first);
        return order.known.fills.length > 1 ? { ...order, known: first } : order;
      }),
  },
  {
    name: "a failed cancellation is not recorded",
    finder: "cancellationsEnd",
    of: Orders.prototype,
    method: "recordCancel",
    instead: (real) => (self, record) =>
      (record as Cancel).step === "requested" ? real(self, record) : Promise.resolve(true),
  },
  {
    name: "an order that no list has counts as ended",
    finder: "openOrdersAreNeverShownAsEnded",
    of: Orders.prototype,
    method: "recordAbsences",
    instead: (real) => async (self, missing, askedAt, venue) => {
      const ended = (missing as NamedOrder[]).map(({ orderId, symbol, pair, side }): OrderReport => ({
        source: "history",
        orderId,
        symbol,
        pair,
        side,
        fills: [],
        closedAt: Number(askedAt),
        askedAt: Number(askedAt),
      }));
      await (self as Orders).recordReports(ended, venue as SignedIn);
      return await real(self, missing, askedAt, venue);
    },
  },
  {
    name: "lists take back no end",
    finder: "openOrdersAreNeverShownAsEnded",
    of: Orders.prototype,
    method: "recordReports",
    instead: (real) => (self, reports, venue) => {
      const hasEnd = (report: OrderReport): boolean =>
        (self as Orders).ordersOf(report, venue as SignedIn).some(({ known }) => known && hasEnded(known));
      const others = (reports as OrderReport[]).filter(
        (report) => report.source !== "list" || !hasEnd(report),
      );
      return real(self, others, venue);
    },
  },
  {
    name: "a fill is counted under two ids",
    finder: "fillsOnceAndExact",
    of: Orders.prototype,
    method: "recordReports",
    instead: (real) => (self, reports, venue) => {
      const twice = (reports as OrderReport[]).map((report) => ({
        ...report,
        fills: report.fills.flatMap((fill) => [fill, { ...fill, id: `${fill.id}-again` }]),
      }));
      return real(self, twice, venue);
    },
  },
  {
    name: "an order of the same figures counts as the own one",
    finder: "ordersOfOthersStayTheirs",
    of: Orders.prototype,
    method: "recordReports",
    instead:
      (real) =>
      async (self, ...args) => {
        const isNew = await real(self, ...args);
        const orders = self as Orders;
        for (const report of args[0] as OrderReport[]) {
          const own = orders.own.find((order) => order.orderId === undefined && isAlike(order, report));
          if (own) await orders.recordFound(own.intent.id, report.orderId);
        }
        return isNew;
      },
  },
  {
    name: "an order that no check finds counts as not placed",
    finder: "neverBetterThanTheEvidence",
    of: Orders.prototype,
    method: "settle",
    instead: (real) => (self, id, settlement) => {
      const { as } = settlement as Settlement;
      return real(self, id, { ...(settlement as Settlement), as: as === "unresolved" ? "notPlaced" : as });
    },
  },
  {
    name: "a row with the own client id proves nothing",
    finder: "placedOrdersAreFound",
    of: Orders.prototype,
    method: "recordFound",
    instead: () => (self, id) =>
      (self as Orders).settle(String(id), {
        by: "check",
        as: "unresolved",
        evidence: "open orders: 1 order; order history: 0 orders",
      }),
  },
  {
    name: "every key counts as the first one",
    finder: "accountsStayApart",
    of: OrderJournal.prototype,
    method: "digestOf",
    instead: (real) => (self, apiKey) => {
      const digest = firstDigests.get(self) ?? String(real(self, apiKey));
      firstDigests.set(self, digest);
      return digest;
    },
  },
  {
    name: "an order is cancelled with the key of the window instead of its account's",
    finder: "accountsStayApart",
    of: Canceller.prototype,
    method: "cancel",
    instead: (real) => async (self, targets) => {
      for (const { id, kind } of worldAccounts) {
        const account = kind === "live" ? id : undefined;
        const named = (targets as CancelTarget[]).map((each) => ({
          ...each,
          name: firstSeenAs(each.name, account),
        }));
        const outcome = (await real(self, named)) as CancelOutcome;
        if (outcome.kind !== "otherAccount") return outcome;
      }
      return { kind: "otherAccount" };
    },
  },
  {
    name: "a draft survives a switch of accounts",
    finder: "accountsStayApart",
    of: Desk.prototype,
    method: "placeOrder",
    instead: (real) => (self, draft) =>
      real(self, { ...(draft as SubmittedDraft), account: (self as Desk).venue.account.id }),
  },
  {
    name: "accepted orders are not tracked",
    finder: "everyEndIsShown",
    of: ReadRunner.prototype,
    method: "plan",
    instead: () => () => undefined,
  },
];

function cancelled({ orderId, symbol, quote, base, side }: Cancel): OrderReport {
  return {
    source: "info",
    orderId,
    symbol,
    pair: { quote, base },
    side,
    status: "cancelled",
    fills: [],
    askedAt: 0,
  };
}

/** An order that passes the canceller's only comparison of accounts. */
function firstSeenAs(name: OrderName, account: string | undefined): OrderName {
  let isSeen = false;
  return {
    ...name,
    get account() {
      const seen = isSeen ? name.account : account;
      isSeen = true;
      return seen;
    },
  };
}

function isAlike({ intent, state }: OwnOrder, report: OrderReport): boolean {
  const leaves = report.side === "buy" ? report.amount : report.quantity;
  return state === "unknown" && intent.side === report.side && leaves?.toFixed() === intent.amount;
}

/** As much of the venue as a record names. */
function venueOf({ venue, origin, account }: Cancel): SignedIn {
  return { ref: { venue, origin, account } } as SignedIn;
}
