import type { Pair, SymbolForm, SymbolOrder } from "../../market/pair.ts";

/** Only the symbol form of an endpoint. */
export function formOf({ symbolOrder, symbolCase }: SymbolForm): SymbolForm {
  return { symbolOrder, symbolCase };
}

const SEPARATOR = "_";

/**
 * The order of the assets in these symbols. `explicit`: pairs whose quote and base the exchange names; they take
 * precedence. Without them, the quote is the side with fewer different assets. Undefined if both have the same number.
 */
export function orderOf(symbols: readonly string[], explicit: readonly Pair[] = []): SymbolOrder | undefined {
  const split = symbols.flatMap((symbol) => {
    const [first, second, ...rest] = symbol.toUpperCase().split(SEPARATOR);
    return first && second && rest.length === 0 ? [[first, second] as const] : [];
  });
  const quoteFirst = new Set(explicit.map(({ quote, base }) => `${quote}${SEPARATOR}${base}`));
  const baseFirst = new Set(explicit.map(({ quote, base }) => `${base}${SEPARATOR}${quote}`));
  const countIn = (names: ReadonlySet<string>): number =>
    split.filter(([first, second]) => names.has(`${first}${SEPARATOR}${second}`)).length;
  const [quotes, bases] = [countIn(quoteFirst), countIn(baseFirst)];
  if (quotes !== bases) return quotes > bases ? "quoteFirst" : "baseFirst";
  const [firsts, seconds] = [
    new Set(split.map(([first]) => first)).size,
    new Set(split.map(([, second]) => second)).size,
  ];
  if (firsts === seconds) return undefined;
  return firsts < seconds ? "quoteFirst" : "baseFirst";
}

/** The letter case of symbols as the exchange writes them. */
export function caseOf(symbols: readonly string[]): SymbolForm["symbolCase"] {
  return symbols.every((symbol) => symbol === symbol.toLowerCase()) ? "lower" : "upper";
}

/** All forms of a pair's symbol without duplicates, the likely ones first. */
export function formsFrom(likely: readonly SymbolForm[]): readonly SymbolForm[] {
  const all: readonly SymbolForm[] = [
    ...likely,
    { symbolOrder: "baseFirst", symbolCase: "lower" },
    { symbolOrder: "baseFirst", symbolCase: "upper" },
    { symbolOrder: "quoteFirst", symbolCase: "upper" },
    { symbolOrder: "quoteFirst", symbolCase: "lower" },
  ];
  return all
    .map(formOf)
    .filter(
      (form, at) =>
        all.findIndex(
          (each) => each.symbolOrder === form.symbolOrder && each.symbolCase === form.symbolCase,
        ) === at,
    );
}
