import type { FormDraft } from "./ticket.ts";

/** Whether a draft contains entered figures. The last price, preset as the rate of a new pair, does not count. */
export function hasFigures({ amount, quantity, rate, rateIsTyped }: FormDraft): boolean {
  return amount !== "" || quantity !== "" || (rate !== "" && rateIsTyped);
}

/** Whether the ticket was filled in without the user: such figures take no focus and are removed after a while. */
export function isUnattended(preparedBy: FormDraft["preparedBy"]): boolean {
  return preparedBy === "assistant" || preparedBy === "link";
}
