import { parseDecimal } from "../../market/numbers/decimal.ts";
import type { OrderProblem } from "../../market/order.ts";
import type { Pair } from "../../market/pair.ts";
import { canBeFixedByTyping } from "../../market/typing.ts";
import type { FieldProblems, FormDraft } from "../../protocol/ticket.ts";
import type { AmountText } from "../text/amountText.ts";
import { problemText } from "./outcomeText.ts";

/**
 * Problems reported only on submission, because nothing typed is wrong and prices are polled again before the
 * confirmation.
 */
const AT_SUBMISSION: ReadonlySet<OrderProblem["code"]> = new Set([
  "missing",
  "noPrice",
  "priceTooOld",
  "aboveLastNow",
  "belowLastNow",
  "bookThinnedNow",
]);

/** Problems with an amount that a larger quantity cannot fix. */
const AMOUNT_TOO_LARGE: ReadonlySet<OrderProblem["code"]> = new Set([
  "aboveAvailable",
  "aboveMaximum",
  "maximumUnreadable",
]);

/**
 * Errors to show beside the fields while the user types, and whether to show them at once. `found`: the draft's
 * problems. `pair`: undefined if not listed.
 */
export function draftProblems(
  draft: FormDraft,
  found: readonly OrderProblem[],
  pair: Pair | undefined,
  amounts: AmountText,
): FieldProblems {
  const problems: FieldProblems = {};
  const { side, amount, rate } = draft;
  const terms = { side, ...(pair ?? { quote: "", base: "" }), typed: { amount, rate } };
  for (const problem of found) {
    const { field, code } = problem;
    const isOfUnknownAsset = !pair && problem.limit !== undefined;
    if (AT_SUBMISSION.has(code) || isOfUnknownAsset) continue;
    problems[field] = { text: problemText(problem, terms, amounts), isFinal: isFinal(problem, draft) };
  }
  const { sizedBy, quantity } = draft;
  if (sizedBy !== "quantity" || quantity === "" || parseDecimal(quantity)) return problems;
  const problem = { field: "amount", code: "notDecimal" } as const;
  problems.quantity = {
    text: problemText(problem, { ...terms, typed: { amount: quantity } }, amounts),
    isFinal: !canBeFixedByTyping(problem, quantity),
  };
  return problems;
}

function isFinal(problem: OrderProblem, draft: FormDraft): boolean {
  const { field, code } = problem;
  if (field === "amount" && draft.sizedBy === "quantity") return AMOUNT_TOO_LARGE.has(code);
  return !canBeFixedByTyping(problem, field === "pair" ? draft.symbol : draft[field]);
}
