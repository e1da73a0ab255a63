import {
  OrderPlacer,
  type OrderPlacerOptions,
  type SubmittedDraft,
} from "../../../src/desk/orders/orderPlacer.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { defaultLimits, defaultRules } from "../../../src/market/order.ts";
import { FakeClient, openVenue, tickerOf } from "./venue.ts";

/** A draft without problems. */
export const draft: SubmittedDraft = {
  id: "4f2c8d1e-0b6a-4c35-9d07-5a1e2f3b4c6d",
  account: "practice",
  side: "buy",
  symbol: "THB_BTC",
  amount: "1000",
  rate: "100.5",
};

export const freshPrices = { ageMs: 0, isStale: false };

/** A journal that accepts everything and stores nothing. */
export const noOrders: OrderPlacerOptions["orders"] = {
  waitMs: () => 0,
  openLike: () => Promise.resolve([]),
  isClaimed: () => Promise.resolve(false),
  claim: () => Promise.resolve(true),
  recordIntent: () => Promise.resolve("id"),
  clientIdOf: () => undefined,
  recordOutcome: () => Promise.resolve(),
};

/** The order placer on the practice venue, with canned responses as its client. `given` replaces any part. */
export async function placerOf(
  confirm: OrderPlacerOptions["confirm"] = () => Promise.resolve(true),
  given: Partial<OrderPlacerOptions> = {},
) {
  const client = new FakeClient();
  const venue = await openVenue(client);
  const seen = { afterSending: 0 };
  const placer = new OrderPlacer({
    rules: defaultRules,
    checkWake: () => undefined,
    now: Date.now,
    venue,
    ticker: (symbol) => (symbol === "THB_BTC" ? tickerOf(symbol) : undefined),
    available: () => new Decimal("5000"),
    confirm,
    orders: noOrders,
    limits: () => defaultLimits,
    prices: freshPrices,
    confirmBeyond: () => Promise.resolve(false),
    afterSending: () => (seen.afterSending += 1),
    ...given,
  });
  return { placer, client, venue, seen };
}
