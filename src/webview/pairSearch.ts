import { pairName } from "../market/pair.ts";
import type { PairRow } from "../panels/bidForm.ts";

const NOT_MEANT = 4;

/**
 * The pairs that a search text means, best first: those whose base asset is the text, begins with it, or has it inside;
 * then those whose symbol, name or quote asset begins with it. All of them, in their order, for an empty text.
 */
export function searchPairs(pairs: readonly PairRow[], typed: string): readonly PairRow[] {
  const text = typed.trim().toUpperCase();
  if (text === "") return pairs;
  const rank = (pair: PairRow): number => {
    const base = pair.base.toUpperCase();
    if (base === text) return 0;
    if (base.startsWith(text)) return 1;
    if (base.includes(text)) return 2;
    const names = [pair.symbol, pairName(pair), pair.quote];
    return names.some((name) => name.toUpperCase().startsWith(text)) ? 3 : NOT_MEANT;
  };
  return pairs
    .map((pair) => ({ pair, rank: rank(pair) }))
    .filter((found) => found.rank < NOT_MEANT)
    .sort((a, b) => a.rank - b.rank)
    .map(({ pair }) => pair);
}
