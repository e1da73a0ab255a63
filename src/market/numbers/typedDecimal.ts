import { parseDecimal } from "./decimal.ts";

/** Spaces that group digits: of a keyboard, and those in figures of the editor's languages. */
const SPACE = "[ \\u00A0\\u2007\\u2009\\u202F]";

/** What separates groups of three digits, and what comes before the decimals. */
const STYLES = [
  [",", "\\."],
  ["\\.", ","],
  [SPACE, "\\."],
  [SPACE, ","],
] as const;

const WHOLE = "0|[1-9]\\d*";
const FIGURES = STYLES.map(
  ([group, point]) => new RegExp(`^(${WHOLE}|[1-9]\\d{0,2}(?:${group}\\d{3})+)(?:${point}(\\d+))?$`),
);
/** What may become a figure of these styles. */
const BEGINNINGS = STYLES.map(
  ([group, point]) =>
    new RegExp(
      `^(?:|(?:${WHOLE})(?:${point}\\d*)?|[1-9]\\d{0,2}(?:${group}\\d{3})*(?:${group}\\d{0,3}|${point}\\d*))$`,
    ),
);

/**
 * The plain decimals that a typed or pasted figure can mean: one if it is clear, several if it is ambiguous, none if it is
 * no figure. `5,000.50` and `5 000,50` are 5000.50, but `5,000` is 5000 or 5.000. Groups have three digits. A text of
 * digits with at most one point is itself, so `5.000` is five.
 */
export function readingsOf(text: string): readonly string[] {
  const typed = text.trim();
  if (parseDecimal(typed)) return [typed];
  const readings = FIGURES.flatMap((figure) => {
    const [, whole, decimals] = figure.exec(typed) ?? [];
    if (whole === undefined) return [];
    const digits = whole.replaceAll(/\D/g, "");
    const plain = decimals === undefined ? digits : `${digits}.${decimals}`;
    return parseDecimal(plain) ? [plain] : [];
  });
  return [...new Set(readings)];
}

/** The plain decimal that a typed or pasted figure means; the text itself, trimmed, unless it means exactly one. */
export function plainOf(text: string): string {
  const [reading, ...more] = readingsOf(text);
  return reading !== undefined && more.length === 0 ? reading : text.trim();
}

/** Whether a text is the beginning of a figure. */
export function mayBecomeFigure(text: string): boolean {
  return BEGINNINGS.some((beginning) => beginning.test(text));
}
