/** The asset that is bought (base) and the asset that pays for it (quote), both upper case. */
export interface Pair {
  readonly quote: string;
  readonly base: string;
}

/** Position of the quote asset: `THB_BTC` (spec 2.6) or `BTC_THB`. */
export type SymbolOrder = "quoteFirst" | "baseFirst";

const ASSET = "[A-Za-z0-9][A-Za-z0-9.-]{0,23}";
const SYMBOL = new RegExp(`^(${ASSET})_(${ASSET})$`);

/** Reads a wire symbol in either case; undefined when it is not two asset names joined by an underscore. */
export function parseSymbol(symbol: string, order: SymbolOrder): Pair | undefined {
  const match = SYMBOL.exec(symbol);
  if (!match?.[1] || !match[2]) return undefined;
  const [first, second] = [match[1].toUpperCase(), match[2].toUpperCase()];
  return order === "quoteFirst" ? { quote: first, base: second } : { quote: second, base: first };
}

/**
 * Whether a symbol names the pair, in either case and order: one exchange may write `THB_BTC` in one endpoint, and `btc_thb`
 * in another. No exchange lists a pair and its mirror, so the order tells nothing.
 */
export function isNameOf(symbol: string, { quote, base }: Pair): boolean {
  return (["quoteFirst", "baseFirst"] as const).some((order) => {
    const pair = parseSymbol(symbol, order);
    return pair?.quote === quote && pair.base === base;
  });
}

/**
 * A pair's text in the specification's own form (2.6), whatever symbols an exchange uses, so that a pair is the same
 * on all venues. Asset names contain no underscore, so no two pairs share a key.
 */
export function pairKey({ quote, base }: Pair): string {
  return `${quote}_${base}`;
}

/** A symbol as a person reads it: `BTC/THB`; the symbol itself if its order is not known or it has none. */
export function symbolName(symbol: string, order: SymbolOrder | undefined): string {
  const pair = order && parseSymbol(symbol, order);
  return pair ? pairName(pair) : symbol;
}

/** A pair as a person reads it: `BTC/THB`. */
export function pairName({ quote, base }: Pair): string {
  return `${base}/${quote}`;
}
