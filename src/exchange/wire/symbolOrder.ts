import { pairKey, parseSymbol, type Pair, type SymbolOrder } from "../../market/pair.ts";

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const ORDERS = ["quoteFirst", "baseFirst"] as const;
/** Fewer pairs that share an asset say nothing: an asset may be traded in several currencies. */
const LEAST_PAIRS = 5;

/**
 * The order that the symbols of a market have, as far as they show it. `listed`, pair keys that the exchange states by the
 * names of their assets, decides; then the side of the currencies of countries (ISO 4217) in at least half of the pairs; then
 * the asset that more than half of the pairs share. Undefined if nothing shows it: the profile's order is right.
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
    larger(shares, (most, least) => most >= LEAST_PAIRS && most >= 2 * least && 2 * most > pairs.length)
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
