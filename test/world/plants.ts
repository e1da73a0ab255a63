import { TickerFeed } from "../../src/desk/feeds/tickerFeed.ts";
import { Desk } from "../../src/desk/desk.ts";
import { Orders } from "../../src/desk/orders/orders.ts";
import { Reconciler } from "../../src/desk/orders/reconciler.ts";
import { createClient } from "../../src/exchange/client.ts";
import { NoAnswerError, RefusedError } from "../../src/exchange/errors.ts";
import { specPaths } from "../../src/exchange/profile.ts";
import { NumberedLock } from "../../src/files/numberedLock.ts";
import { Hub } from "../../src/hub/hub.ts";
import { AlertFiles } from "../../src/storage/alertFiles.ts";
import { OrderJournal } from "../../src/storage/orders/orderJournal.ts";
import type { BidRecord } from "../../src/storage/orders/replay.ts";
import { Disk } from "./disk.ts";
import { Person } from "./person.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

/** A method of a class: the object first, then its arguments. */
type Method = (self: object, ...args: readonly unknown[]) => unknown;

/** A fault in the product: a method or getter of a class, and what it does instead. */
export interface Plant {
  readonly name: string;
  readonly of: object;
  readonly method: string;
  readonly instead: (real: Method) => Method;
}

/** Plants a fault; the returned function takes it out again. Throws if there is no such method any more. */
function plant({ of, method, instead }: Plant): () => void {
  const before = Object.getOwnPropertyDescriptor(of, method);
  if (!before) throw new Error(`There is no ${method}.`);
  const real = (before.get ?? before.value) as () => unknown;
  const other = instead((self, ...args) => Reflect.apply(real, self, args));
  function planted(this: object, ...args: readonly unknown[]): unknown {
    return other(this, ...args);
  }
  Object.defineProperty(of, method, {
    ...before,
    ...(before.get ? { get: planted } : { value: planted }),
  });
  return () => void Object.defineProperty(of, method, before);
}

/** The first of so many seeds that finds the fault, and the check that it breaks; undefined if none does. */
export async function findingOf(
  fault: Plant,
  seeds: number,
): Promise<{ readonly seed: number; readonly check: string } | undefined> {
  const takeOut = plant(fault);
  try {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const [violation] = (await run(planOf(seed))).violations;
      if (violation) return { seed, check: violation.check };
    }
    return undefined;
  } finally {
    takeOut();
  }
}

const profile = {
  baseUrl: new URL("https://exchange.example"),
  headerPrefix: "X-SVC-",
  paths: specPaths,
  walletMethod: "GET",
  symbolOrder: "quoteFirst",
  historyPath: undefined,
} as const;
const client = createClient({ profile, credentials: () => Promise.resolve(undefined), now: () => 0 });

const yes = () => Promise.resolve(true);
const firstVenues = new WeakMap<object, object>();

export const plants: readonly Plant[] = [
  {
    name: "a request goes before its intent is flushed",
    of: Disk.prototype,
    method: "callsOf",
    instead:
      (real) =>
      (...args) => ({ ...(real(...args) as object), fsyncSync: () => undefined }),
  },
  {
    name: "an intent is not written",
    of: OrderJournal.prototype,
    method: "recordIntent",
    instead: () => () => undefined,
  },
  {
    name: "a bid without an answer is sent again",
    of: Object.getPrototypeOf(client) as object,
    method: "placeBid",
    instead:
      (real) =>
      async (self, ...args) => {
        try {
          return await real(self, ...args);
        } catch (error) {
          if (error instanceof NoAnswerError) return await real(self, ...args);
          throw error;
        }
      },
  },
  {
    name: "a draft can be claimed twice",
    of: OrderJournal.prototype,
    method: "claimDraft",
    instead: () => () => true,
  },
  {
    name: "nobody is asked before an order",
    of: Person.prototype,
    method: "questionsOf",
    instead: () => () => ({ confirm: yes, confirmAbove: yes }),
  },
  {
    name: "a leader does not look at the lease",
    of: Hub.prototype,
    method: "checkLead",
    instead: () => (self) => (self as Hub).role === "leader",
  },
  {
    name: "the numbers of the lease begin again",
    of: NumberedLock.prototype,
    method: "newest",
    instead: (real) => (self) => ((real(self) as number | undefined) ?? 0) % 3 || undefined,
  },
  {
    name: "a settled order is opened again",
    of: OrderJournal.prototype,
    method: "bids",
    instead: (real) => (self) =>
      (real(self) as BidRecord[]).map((bid, index) =>
        bid.state === "accepted" && index > 2 ? { ...bid, state: "unknown" } : bid,
      ),
  },
  {
    name: "an answer that contradicts itself refuses",
    of: RefusedError.prototype,
    method: "provesNothingHappened",
    instead: () => () => true,
  },
  {
    name: "a check that found nothing accepts",
    of: Orders.prototype,
    method: "settle",
    instead: (real) => (self, id, settlement) =>
      real(self, id, { ...(settlement as object), as: "accepted" }),
  },
  {
    name: "unknown orders are not checked",
    of: Reconciler.prototype,
    method: "runDueChecks",
    instead: () => () => Promise.resolve(),
  },
  {
    name: "an alert is claimed and not told",
    of: AlertFiles.prototype,
    method: "claimTelling",
    instead:
      (real) =>
      (...args) => {
        const claim = real(...args);
        return claim === "mine" ? "told" : claim;
      },
  },
  {
    name: "every window claims an alert",
    of: AlertFiles.prototype,
    method: "claimTelling",
    instead: () => () => "mine",
  },
  {
    name: "a guard takes prices of any age for fresh",
    of: TickerFeed.prototype,
    method: "ageMs",
    instead: () => (self) => ((self as TickerFeed).state.readAt === undefined ? undefined : 0),
  },
  {
    name: "a key goes to the exchange that was opened next",
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
    name: "an older reading is adopted",
    of: TickerFeed.prototype,
    method: "adopt",
    instead:
      (real) =>
      (self, state, ...rest) => {
        const shown = (self as TickerFeed).state;
        real(self, state, ...rest);
        if (shown.readAt !== undefined && shown.problem === undefined && shown.tickers.size > 0) {
          (self as TickerFeed).clear();
          real(self, shown, ...rest);
        }
      },
  },
  {
    name: "a failed reading is thrown to nobody",
    of: TickerFeed.prototype,
    method: "adopt",
    instead:
      (real) =>
      (self, state, ...rest) => {
        if ((state as TickerFeed["state"]).problem !== undefined) throw new Error("planted");
        return real(self, state, ...rest);
      },
  },
];
