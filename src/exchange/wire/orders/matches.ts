import { Decimal } from "../../../market/numbers/decimal.ts";
import type { Fill } from "../../../market/orderReport.ts";
import { amountOf, fieldsOf, flagOf, positiveOf, signedOf, timeOf } from "../fields.ts";
import { decodeId } from "../orderId.ts";
import { figuresOfOrders, type MatchedOrder, type MatchFigures, type UnitHints } from "./fillFigures.ts";

/** A match of an order's details or of the order history, before its figures are known. */
interface Match extends MatchFigures {
  readonly id: string;
  readonly at: number;
  readonly isMaker: boolean | undefined;
}

/** The readable matches of one order, each once, and the number of the others. */
export interface Matches {
  readonly matches: readonly Match[];
  readonly unclear: number;
}

const NOTHING = new Decimal("0");

/** Decodes the matches of one order. Different matches with the same id count as one unclear match. */
export function decodeMatches(entries: readonly unknown[]): Matches {
  const matches = new Map<string, Match>();
  const unclearIds = new Set<string>();
  let unnamed = 0;
  for (const entry of entries) {
    const id = decodeId(fieldsOf(entry)["txn_id"]);
    if (id === undefined) {
      unnamed += 1;
      continue;
    }
    const match = decodeMatch(id, entry);
    const before = matches.get(id);
    if (!match || (before && !isSame(before, match))) unclearIds.add(id);
    else matches.set(id, match);
  }
  for (const id of unclearIds) matches.delete(id);
  return { matches: [...matches.values()], unclear: unnamed + unclearIds.size };
}

function decodeMatch(id: string, entry: unknown): Match | undefined {
  const row = fieldsOf(entry);
  const [amount, rate] = [positiveOf(row["amount"]), positiveOf(row["rate"])];
  const fee = signedOf(row["fee"]);
  const at = timeOf(row["timestamp"] ?? row["ts"]);
  if (!amount || !rate || !fee || at === undefined) return undefined;
  const credit = amountOf(row["credit"]) ?? NOTHING;
  return { id, at, amount, rate, fee, credit, isMaker: flagOf(row["is_maker"]) };
}

function isSame(one: Match, other: Match): boolean {
  const figures = ["amount", "rate", "fee", "credit"] as const;
  return one.at === other.at && figures.every((figure) => one[figure].eq(other[figure]));
}

/** The fills of the orders in one response. A match whose figures stay unclear is counted, not summed. */
export function fillsOfOrders(
  orders: readonly (Omit<MatchedOrder<Match>, "matches"> & Matches)[],
  hints: UnitHints,
): readonly { readonly fills: readonly Fill[]; readonly unclearFills?: number }[] {
  const figures = figuresOfOrders(orders, hints);
  return orders.map(({ matches, unclear }, order) => {
    const fills = matches.flatMap(({ id, at, rate, isMaker }, index): Fill[] => {
      const found = figures[order]?.[index];
      return found ? [{ id, at, rate, ...found, isMaker }] : [];
    });
    const unclearFills = unclear + matches.length - fills.length;
    return { fills, ...(unclearFills > 0 && { unclearFills }) };
  });
}
