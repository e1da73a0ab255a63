import { randomUUID } from "node:crypto";
import type { OrderDraft } from "../../../src/market/order.ts";
import type { FormDraft } from "../../../src/protocol/ticket.ts";

/** What texts about a bid for BTC name. */
export const BID = { side: "buy", quote: "THB", base: "BTC" } as const;

/** The practice exchange of the four endpoints, as the ticket's page is told of it. */
export const PRACTICE = {
  key: "practice",
  name: "Practice",
  live: false,
  offersAsks: false,
  offersPostOnly: false,
  offersBook: false,
};

/** The figures of a draft: of a bid, unless they name the other side. */
export type TypedDraft = Omit<OrderDraft, "side"> & Partial<Pick<OrderDraft, "side">>;

/** A draft as the ticket's page submits it, with a typed amount. */
export function formDraft(
  { side = "buy", postOnly = false, ...typed }: TypedDraft & { readonly id?: string },
  exchange: string,
): FormDraft {
  const figures = { id: randomUUID(), ...typed, exchange, side, postOnly };
  return { ...figures, rateIsTyped: true, quantity: "", leads: "amount", share: "" };
}
