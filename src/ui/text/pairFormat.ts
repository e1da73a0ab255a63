/** What a pair shows in the status bar if the user chose nothing else. */
export const usualPairFormat = "${base} ${last} ${arrow}${change}";

/** The names that a format may contain, each as `${name}`. */
export const pairFields = [
  "pair",
  "base",
  "quote",
  "last",
  "change",
  "arrow",
  "bestBid",
  "bestAsk",
  "high",
  "low",
  "volume",
] as const;
export type PairField = (typeof pairFields)[number];

export const MAX_FORMAT_LENGTH = 100;
/** Longer texts would push everything else out of the status bar. */
const MAX_TEXT_LENGTH = 60;

/** Why a format cannot be used. */
export type FormatProblem =
  | { readonly kind: "tooLong" | "noField" | "unclosed" }
  | { readonly kind: "unknownField"; readonly field: string };

/** What is wrong with a format; undefined if it can be used. */
export function formatProblem(format: string): FormatProblem | undefined {
  if (format.length > MAX_FORMAT_LENGTH) return { kind: "tooLong" };
  const names = [...format.matchAll(/\$\{([^{}]*)\}/g)].map(([, name = ""]) => name);
  if (format.split("${").length - 1 > names.length) return { kind: "unclosed" };
  const field = names.find((name) => !pairFields.some((known) => known === name));
  if (field !== undefined) return { kind: "unknownField", field };
  return names.length === 0 ? { kind: "noField" } : undefined;
}

/** The text of a pair in a usable format, on one line. Values that are not known are empty. */
export function formatPair(format: string, values: Readonly<Record<PairField, string>>): string {
  const text = format
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values[name as PairField])
    .replaceAll(/\s+/g, " ")
    .trim();
  const letters = [...(text === "" ? values.pair : text)];
  return letters.length <= MAX_TEXT_LENGTH
    ? letters.join("")
    : `${letters.slice(0, MAX_TEXT_LENGTH - 1).join("")}…`;
}
