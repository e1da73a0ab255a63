import { parseDecimal } from "../market/decimal.ts";
import type { BidProblem } from "../market/order.ts";
import { canBeMendedByTyping } from "../market/typing.ts";
import type { FieldProblems, FormDraft } from "../panels/bidForm.ts";
import { problemText } from "./bidText.ts";

/** Problems that wait for a submission: nothing typed is wrong, and prices are read anew before an order is asked about. */
const AT_SUBMISSION: ReadonlySet<BidProblem["code"]> = new Set([
  "missing",
  "noPrice",
  "priceTooOld",
  "aboveLastNow",
]);

/** Problems of an amount that a larger quantity only makes worse. */
const TOO_MUCH: ReadonlySet<BidProblem["code"]> = new Set([
  "aboveAvailable",
  "aboveMaximum",
  "maximumUnreadable",
]);

/**
 * What to say beside the fields while a draft is typed, and whether at once. `found` is what stands against it; `quote`
 * names the asset of its amount, "" while its pair is not listed.
 */
export function draftProblems(draft: FormDraft, found: readonly BidProblem[], quote: string): FieldProblems {
  const problems: FieldProblems = {};
  for (const problem of found) {
    const { field, code } = problem;
    const isOfUnknownAsset = quote === "" && problem.limit !== undefined;
    if (AT_SUBMISSION.has(code) || isOfUnknownAsset) continue;
    problems[field] = { text: problemText(problem, quote), isFinal: isFinal(problem, draft) };
  }
  const { leads, quantity } = draft;
  if (leads !== "quantity" || quantity === "" || parseDecimal(quantity)) return problems;
  const problem = { field: "amount", code: "notDecimal" } as const;
  problems.quantity = {
    text: problemText(problem, quote),
    isFinal: !canBeMendedByTyping(problem, quantity),
  };
  return problems;
}

function isFinal(problem: BidProblem, draft: FormDraft): boolean {
  const { field, code } = problem;
  if (field === "amount" && draft.leads === "quantity") return TOO_MUCH.has(code);
  return !canBeMendedByTyping(problem, field === "pair" ? draft.symbol : draft[field]);
}
