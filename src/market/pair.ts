/** The traded asset (base) and the asset that prices it (quote), both upper case. */
export interface Pair {
  readonly quote: string;
  readonly base: string;
}

/** A pair named by its key. Tickers and orders are assignable. */
export interface NamedPair {
  readonly symbol: string;
  readonly pair: Pair;
}

/** Whether a symbol starts with its quote asset, `THB_BTC` (api.md 2.6), or its base asset, `BTC_THB`. */
export type SymbolOrder = "quoteFirst" | "baseFirst";

/** How an endpoint writes pairs. Responses are read in either case. */
export interface SymbolForm {
  readonly symbolOrder: SymbolOrder;
  readonly symbolCase: "upper" | "lower";
}

/** Letters and digits of any script, so that names contain no markup, icons or invisible characters. */
const ASSET = "[\\p{L}\\p{N}$][\\p{L}\\p{M}\\p{N}._$+-]{0,23}";

/** An asset name: 1 to 24 characters, too short for a key or a secret. */
export const assetPattern = new RegExp(`^${ASSET}$`, "u");
const ODD_CHARACTER = /^[^\p{L}\p{N}$]|[^\p{L}\p{M}\p{N}._$+-]/gu;

/**
 * The asset name that a service wrote, with the code point of each character that a name must not have: `AU+202EB`.
 * Undefined if it has none, or is too long.
 */
export function assetNameOf(text: string): string | undefined {
  const name = text
    .toUpperCase()
    .replace(ODD_CHARACTER, (odd) => `U+${odd.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`);
  return assetPattern.test(name) ? name : undefined;
}

/** Two asset names joined by an underscore. */
export const symbolPattern = new RegExp(`^${ASSET}_${ASSET}$`, "u");

/**
 * Parses a symbol in either case; undefined if it is not two asset names joined by an underscore. A name may itself
 * contain one (`THB_USDT_TRC20`). The symbol is then split where `isQuote` recognizes the quote asset, provided that
 * only one split qualifies.
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

/** All splits of the text at an underscore into two asset names. */
function splitsOf(text: string): (readonly [string, string])[] {
  const parts = text.split("_");
  return parts
    .slice(1)
    .map((_, index) => [parts.slice(0, index + 1).join("_"), parts.slice(index + 1).join("_")] as const)
    .filter((names) => names.every((name) => assetPattern.test(name)));
}

/** Formats a pair as this endpoint writes it. */
export function symbolFor({ quote, base }: Pair, { symbolOrder, symbolCase }: SymbolForm): string {
  const symbol = symbolOrder === "quoteFirst" ? `${quote}_${base}` : `${base}_${quote}`;
  return symbolCase === "lower" ? symbol.toLowerCase() : symbol;
}

/**
 * Whether a symbol names the pair, in either case and order: an exchange may write `THB_BTC` in one endpoint and
 * `btc_thb` in another. No exchange lists a pair and its mirror, so the order does not matter.
 */
export function isNameOf(symbol: string, { quote, base }: Pair): boolean {
  const name = symbol.toUpperCase();
  return name === `${quote}_${base}` || name === `${base}_${quote}`;
}

/**
 * The key that identifies a pair on all venues: the symbol form of the specification (2.6). Used everywhere except in
 * requests, which use the endpoint's form.
 */
export function pairKey({ quote, base }: Pair): string {
  return `${quote}_${base}`;
}

/**
 * Identifies a pair whose key may have been written in the other order by a user or in a file. No exchange lists a pair
 * and its mirror.
 */
export function pairIdentity(key: string): string {
  return key.toUpperCase().split("_").sort().join("_");
}

/** Looks up a pair among entries by pair key. The name may be an exchange's or a user's, in either order and case. */
export function findPair<T>(listed: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = listed.get(name);
  if (exact !== undefined) return exact;
  const text = name.toUpperCase();
  const mirrored = splitsOf(text).map(([first, second]) => `${second}_${first}`);
  return [text, ...mirrored].map((key) => listed.get(key)).find((entry) => entry !== undefined);
}

/** The entries of those names that are listed, as `findPair` finds them. */
export function findPairs<T>(listed: ReadonlyMap<string, T>, names: readonly string[]): readonly T[] {
  return names.flatMap((name) => findPair(listed, name) ?? []);
}

/** A typed or pasted name in upper case and usual width, without invisible marks and outer spaces. */
export function typedName(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .toUpperCase();
}

/** A pair's name or symbol, or a text typed for one, without case, width and separators: `BTCTHB` for `btc / thb`. */
export function compactName(text: string): string {
  return typedName(text).replaceAll(/[\s/_-]/g, "");
}

/** Shorter texts are in too many names. */
const SHORTEST_PART = 3;

/** Whether a coin's name contains a text typed for it: `Bitcoin Cash` for `coin cash`. */
export function nameContains(name: string | undefined, typed: string): boolean {
  const wanted = compactName(typed);
  return wanted.length >= SHORTEST_PART && name !== undefined && compactName(name).includes(wanted);
}

/** Display name of a pair: `BTC/THB`. */
export function pairName({ quote, base }: Pair): string {
  return `${base}/${quote}`;
}
