import type { Pair, SymbolForm, SymbolOrder } from "../../market/pair.ts";

/** The form alone, of an endpoint that has one. */
export function formOf({ symbolOrder, symbolCase }: SymbolForm): SymbolForm {
  return { symbolOrder, symbolCase };
}

const SEPARATOR = "_";

/**
 * The order of the assets in these symbols. `stated` are pairs whose quote and base the exchange names outright: they
 * decide. Otherwise the currency is the asset that most pairs share. Undefined if neither tells.
 */
export function orderOf(symbols: readonly string[], stated: readonly Pair[] = []): SymbolOrder | undefined {
  const split = symbols.flatMap((symbol) => {
    const [first, second, ...rest] = symbol.toUpperCase().split(SEPARATOR);
    return first && second && rest.length === 0 ? [[first, second] as const] : [];
  });
  const quoteFirst = new Set(stated.map(({ quote, base }) => `${quote}${SEPARATOR}${base}`));
  const baseFirst = new Set(stated.map(({ quote, base }) => `${base}${SEPARATOR}${quote}`));
  const agree = (names: ReadonlySet<string>): number =>
    split.filter(([first, second]) => names.has(`${first}${SEPARATOR}${second}`)).length;
  const [quotes, bases] = [agree(quoteFirst), agree(baseFirst)];
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

/** All forms in which a request may name a pair, each once, the likeliest first. */
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
