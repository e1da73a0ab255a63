import { randomUUID } from "node:crypto";
import type { OrderDraft } from "../../../src/market/order.ts";
import type { FormDraft } from "../../../src/protocol/ticket.ts";

/** Names used in texts about a bid for BTC. */
export const BID = { side: "buy", quote: "THB", base: "BTC" } as const;

/** The practice exchange with the four endpoints, as sent to the ticket's page. */
export const PRACTICE = {
  key: "practice",
  name: "Practice",
  live: false,
  offersAsks: false,
  offersPostOnly: false,
  offersBook: false,
};

/** Figures of a draft: a bid unless the side is given. */
export type TypedDraft = Omit<OrderDraft, "side"> & Partial<Pick<OrderDraft, "side">>;

/** A draft as the ticket's page submits it, with a typed amount. */
export function formDraft(
  { side = "buy", postOnly = false, ...typed }: TypedDraft & { readonly id?: string },
  account: string,
): FormDraft {
  const figures = { id: randomUUID(), ...typed, account, side, postOnly };
  return { ...figures, rateIsTyped: true, quantity: "", sizedBy: "amount", share: "" };
}
