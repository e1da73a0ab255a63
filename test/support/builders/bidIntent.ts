import { randomUUID } from "node:crypto";
import type { OrderIntent } from "../../../src/storage/orders/records.ts";

/** 1 November 2026, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 1, 12);

/** A bid that is about to be sent, by default to the practice venue. */
export function bidIntent(fields: Partial<OrderIntent> = {}): OrderIntent {
  return {
    id: randomUUID(),
    venue: "practice",
    origin: "http://127.0.0.1:40000",
    symbol: "THB_BTC",
    quote: "THB",
    base: "BTC",
    side: "buy",
    amount: "1000",
    rate: "3500000",
    quantity: "0.000285",
    fee: "2.5",
    at: NOON,
    availableBefore: "250000.5",
    ...fields,
  };
}
