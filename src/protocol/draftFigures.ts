import type { FormDraft } from "./ticket.ts";

/** Whether a draft has figures that somebody entered: the last price, which is the first rate of a pair, is none. */
export function hasFigures({ amount, quantity, rate, rateIsTyped }: FormDraft): boolean {
  return amount !== "" || quantity !== "" || (rate !== "" && rateIsTyped);
}

/** Whether the ticket was filled in without the person: such figures take no focus, and are removed after a while. */
export function isUnattended(preparedBy: FormDraft["preparedBy"]): boolean {
  return preparedBy === "assistant" || preparedBy === "link";
}
