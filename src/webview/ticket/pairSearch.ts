import { compactName, nameContains, pairName, typedName } from "../../market/pair.ts";
import type { PairRow } from "../../protocol/ticket.ts";

const NO_MATCH = 5;

/**
 * Pairs that match a search text, best first: base asset equal to the text, starting with it, or containing it; then
 * symbol, name or quote asset starting with it, in any width, with or without a separator; then the coin's name containing it. For an
 * empty text all pairs, in their order.
 */
export function searchPairs(pairs: readonly PairRow[], typed: string): readonly PairRow[] {
  const text = typedName(typed);
  const compact = compactName(typed);
  if (text === "") return pairs;
  const rank = (pair: PairRow): number => {
    const base = pair.base.toUpperCase();
    if (base === text) return 0;
    if (base.startsWith(text)) return 1;
    if (base.includes(text)) return 2;
    const names = [pair.symbol, pairName(pair), pair.quote];
    if (names.some((name) => name.toUpperCase().startsWith(text))) return 3;
    const wholes = [pair.base + pair.quote, pair.quote + pair.base];
    if (compact !== "" && wholes.some((name) => compactName(name).startsWith(compact))) return 3;
    return nameContains(pair.name, typed) ? 4 : NO_MATCH;
  };
  return pairs
    .map((pair) => ({ pair, rank: rank(pair) }))
    .filter((found) => found.rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ pair }) => pair);
}
