import { pairKey, parseSymbol, type Pair, type SymbolOrder } from "../../market/pair.ts";

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const ORDERS = ["quoteFirst", "baseFirst"] as const;
/** With fewer pairs a shared asset is no evidence: an asset may be traded in several currencies. */
const MIN_PAIRS = 5;

/**
 * Detects the asset order of a market's symbols. Evidence, in order: `listed`, the pair keys whose assets the exchange
 * names; the side on which ISO 4217 currencies appear in at least half of the pairs; an asset shared by more than half of
 * the pairs. Undefined without evidence: the profile's order applies.
 */
export function evidentOrder(
  symbols: readonly string[],
  listed?: Pick<ReadonlyMap<string, unknown>, "has">,
): SymbolOrder | undefined {
  const pairs = symbols.flatMap((symbol) => parseSymbol(symbol, "quoteFirst") ?? []);
  const count = (test: (pair: Pair) => boolean): Record<SymbolOrder, number> => ({
    quoteFirst: pairs.filter(test).length,
    baseFirst: pairs.filter(({ quote, base }) => test({ quote: base, base: quote })).length,
  });
  const stated = count((pair) => listed?.has(pairKey(pair)) === true);
  const money = count(({ quote, base }) => currencies.has(quote) && !currencies.has(base));
  const shares = {
    quoteFirst: mostShared(pairs.map(({ quote }) => quote)),
    baseFirst: mostShared(pairs.map(({ base }) => base)),
  };
  return (
    larger(stated, () => true) ??
    larger(money, (most) => 2 * most >= pairs.length) ??
    larger(shares, (most, least) => most >= MIN_PAIRS && most >= 2 * least && 2 * most > pairs.length)
  );
}

function larger(
  votes: Readonly<Record<SymbolOrder, number>>,
  isEnough: (most: number, least: number) => boolean,
): SymbolOrder | undefined {
  const [least = 0, most = 0] = Object.values(votes).sort((a, b) => a - b);
  return most > least && isEnough(most, least) ? ORDERS.find((order) => votes[order] === most) : undefined;
}

function mostShared(assets: readonly string[]): number {
  return Math.max(0, ...[...Map.groupBy(assets, (asset) => asset).values()].map(({ length }) => length));
}
