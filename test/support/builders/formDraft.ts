import { randomUUID } from "node:crypto";
import type { OrderDraft } from "../../../src/market/order.ts";
import type { FormDraft } from "../../../src/protocol/ticket.ts";

/** A draft as the ticket's page submits it, with a typed amount. */
export function formDraft(typed: OrderDraft & { readonly id?: string }, exchange: string): FormDraft {
  return { id: randomUUID(), ...typed, exchange, quantity: "", leads: "amount", share: "" };
}
