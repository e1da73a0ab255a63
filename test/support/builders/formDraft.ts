import { randomUUID } from "node:crypto";
import type { BidDraft } from "../../../src/market/order.ts";
import type { FormDraft } from "../../../src/protocol/bidForm.ts";

/** A draft as the ticket's page hands it in, with an amount typed by hand. */
export function formDraft(typed: BidDraft & { readonly id?: string }, exchange: string): FormDraft {
  return { id: randomUUID(), ...typed, exchange, quantity: "", leads: "amount", share: "" };
}
