/** The asset that is bought (base) and the asset that pays for it (quote), both in upper case. */
export interface Pair {
  readonly quote: string;
  readonly base: string;
}

/** Position of the quote asset: `THB_BTC` (spec 2.6) or `BTC_THB`. */
export type SymbolOrder = "quoteFirst" | "baseFirst";

/** How an endpoint writes a pair. Answers are read in either letter case. */
export interface SymbolForm {
  readonly symbolOrder: SymbolOrder;
  readonly symbolCase: "upper" | "lower";
}

/** Letters and digits of any script, so that no name carries markup, an icon or an invisible character. */
const ASSET = "[\\p{L}\\p{N}$][\\p{L}\\p{M}\\p{N}._$+-]{0,23}";

/** The name of an asset: 1 to 24 characters, too short for a key or a secret. */
export const assetPattern = new RegExp(`^${ASSET}$`, "u");
/** The names of two assets with an underscore between them. */
export const symbolPattern = new RegExp(`^${ASSET}_${ASSET}$`, "u");

/**
 * Reads a wire symbol in either case; undefined if it is not two asset names joined by an underscore. A name may itself
 * have an underscore (`THB_USDT_TRC20`): then the pair is the only one whose quote asset `isQuote` knows.
 */
export function parseSymbol(
  symbol: string,
  order: SymbolOrder,
  isQuote: (asset: string) => boolean = () => false,
): Pair | undefined {
  const pairs = splitsOf(symbol.toUpperCase()).map(([first, second]) =>
    order === "quoteFirst" ? { quote: first, base: second } : { quote: second, base: first },
  );
  if (pairs.length === 1) return pairs[0];
  const known = pairs.filter(({ quote }) => isQuote(quote));
  return known.length === 1 ? known[0] : undefined;
}

/** The text at each underscore that has an asset name on either side. */
function splitsOf(text: string): (readonly [string, string])[] {
  const parts = text.split("_");
  return parts
    .slice(1)
    .map((_, index) => [parts.slice(0, index + 1).join("_"), parts.slice(index + 1).join("_")] as const)
    .filter((names) => names.every((name) => assetPattern.test(name)));
}

/** How an endpoint with this form writes a pair. */
export function symbolFor({ quote, base }: Pair, { symbolOrder, symbolCase }: SymbolForm): string {
  const symbol = symbolOrder === "quoteFirst" ? `${quote}_${base}` : `${base}_${quote}`;
  return symbolCase === "lower" ? symbol.toLowerCase() : symbol;
}

/**
 * Whether a symbol names the pair, in either case and order: one exchange may write `THB_BTC` in one endpoint, and `btc_thb`
 * in another. No exchange lists a pair and its mirror, so the order tells nothing.
 */
export function isNameOf(symbol: string, { quote, base }: Pair): boolean {
  const name = symbol.toUpperCase();
  return name === `${quote}_${base}` || name === `${base}_${quote}`;
}

/**
 * A pair's text in the specification's own form (2.6), whatever symbols an exchange uses, so that a pair is the same
 * on all venues. Bidside names pairs by it everywhere; only requests have the symbol of an endpoint.
 */
export function pairKey({ quote, base }: Pair): string {
  return `${quote}_${base}`;
}

/**
 * The entry of the pair that a text names, among entries by pair key. The text may be older than the key: it has the
 * order and the letter case of an exchange.
 */
export function findPair<T>(listed: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = listed.get(name);
  if (exact !== undefined) return exact;
  const text = name.toUpperCase();
  const mirrored = splitsOf(text).map(([first, second]) => `${second}_${first}`);
  return [text, ...mirrored].map((key) => listed.get(key)).find((entry) => entry !== undefined);
}

/** A pair as a person reads it: `BTC/THB`. */
export function pairName({ quote, base }: Pair): string {
  return `${base}/${quote}`;
}
