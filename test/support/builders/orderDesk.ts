import { Orders } from "../../../src/desk/orders/orders.ts";
import type { CurrentVenue, SignedIn } from "../../../src/desk/venue.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { OperatingSystem } from "../../../src/files/operatingSystem.ts";
import type { LimitOrder, Side } from "../../../src/market/order.ts";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import { unsyncedSystem } from "../fakes/operatingSystem.ts";
import type { FakeTimers } from "../fakes/timers.ts";
import { currentVenue, type FakeClient, liveAccount, openingOf } from "../fakes/venue.ts";
import { pairOf } from "./client.ts";

/**
 * The orders of one window, whose journal is in `directory`. A record that cannot be written fails the test, unless its
 * disk is given.
 */
export function openOrders(
  directory: string,
  timers: FakeTimers,
  newId: () => string,
  os?: OperatingSystem,
): Orders {
  return new Orders({
    open: () => Promise.resolve(openOrderJournal({ directory, now: timers.now, os: os ?? unsyncedSystem })),
    newId,
    now: timers.now,
    onError: (error) => {
      if (!os) throw error;
    },
  });
}

/** An order that the exchange accepted under this id: 10 BTC at 100 THB. Returns the id of its record. */
export async function acceptedOrder(
  orders: Orders,
  venue: SignedIn,
  orderId: string,
  side: Side = "sell",
): Promise<string> {
  const order: LimitOrder = limitOrder(side);
  const id = await orders.recordIntent(order, venue, undefined);
  await orders.recordOutcome(id, { kind: "accepted", venue, order, receipt: { orderId } });
  return id;
}

/** An order of 10 BTC at 100 THB. */
export function limitOrder(side: Side): LimitOrder {
  const [base, quote] = [new Decimal("10"), new Decimal("1000")];
  const [amount, quantity] = side === "sell" ? [base, quote] : [quote, base];
  const fee = new Decimal("2.5");
  return {
    side,
    symbol: "THB_BTC",
    pair: { quote: "THB", base: "BTC" },
    amount,
    rate: new Decimal("100"),
    quantity,
    fee,
  };
}

/** The live exchange, with the key that `stored` returns; undefined: none. The journal of `orders` says whose it is. */
export async function openKeyedVenue(
  client: FakeClient,
  timers: FakeTimers,
  orders: Orders,
  stored: () => string | undefined,
): Promise<CurrentVenue> {
  const credentials = async (): Promise<Credentials | undefined> => {
    const key = stored();
    return key === undefined ? undefined : pairOf(key, "secret");
  };
  const venue = currentVenue({
    open: async () => openingOf("https://api.example.com", { credentials }),
    createClient: () => client,
    digestOf: (apiKey) => orders.digestOf(apiKey),
    admits: (account, digest) => orders.admitsKey(account, digest),
    timers,
  });
  await venue.select(liveAccount);
  await venue.signIn("wallet");
  return venue;
}

/** The signed-in account. */
export function venueOf({ signedIn }: CurrentVenue): SignedIn {
  if (!signedIn) throw new Error("No account is signed in.");
  return signedIn;
}
