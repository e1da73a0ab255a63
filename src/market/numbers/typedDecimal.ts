import { parseDecimal, plainText } from "./decimal.ts";

/** Spaces that group digits: typed ones, and those in numbers of the editor's languages. */
const SPACE = "[ \\u00A0\\u2007\\u2009\\u202F]";

/** Group separator and decimal point of each notation. */
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
/** Thousands and millions, as in `10k` and `1.5m`. */
const SCALES = { k: "1000", m: "1000000" } as const;
const SCALED = /^(.*\d)([km])$/i;

/** Valid beginnings of a number in these notations. */
const BEGINNINGS = STYLES.map(
  ([group, point]) =>
    new RegExp(
      `^(?:|(?:${WHOLE})(?:${point}\\d*)?|[1-9]\\d{0,2}(?:${group}\\d{3})*(?:${group}\\d{0,3}|${point}\\d*))$`,
    ),
);

/**
 * All plain decimals that typed or pasted text can mean: one if clear, several if ambiguous, none if it is not a
 * number. `5,000.50` and `5 000,50` are 5000.50, but `5,000` is 5000 or 5.000. Groups have three digits. Digits with at
 * most one point are taken literally, so `5.000` is five. `10k` is ten thousand, `1.5m` one and a half million.
 */
export function meaningsOf(text: string): readonly string[] {
  const typed = text.trim();
  if (parseDecimal(typed)) return [typed];
  const [, figure, letter] = SCALED.exec(typed) ?? [];
  if (figure === undefined) return figuresOf(typed);
  const scale = SCALES[letter?.toLowerCase() as keyof typeof SCALES];
  const scaled = meaningsOf(figure).flatMap((plain) => {
    const value = parseDecimal(plain);
    return value ? [plainText(value.times(scale))] : [];
  });
  return [...new Set(scaled)].filter((plain) => parseDecimal(plain));
}

/** The meanings of digits with separators. */
function figuresOf(typed: string): readonly string[] {
  const meanings = FIGURES.flatMap((figure) => {
    const [, whole, decimals] = figure.exec(typed) ?? [];
    if (whole === undefined) return [];
    const digits = whole.replaceAll(/\D/g, "");
    const plain = decimals === undefined ? digits : `${digits}.${decimals}`;
    return parseDecimal(plain) ? [plain] : [];
  });
  return [...new Set(meanings)];
}

/** The plain decimal that typed or pasted text means; the trimmed text itself unless there is exactly one. */
export function plainOf(text: string): string {
  const [meaning, ...more] = meaningsOf(text);
  return meaning !== undefined && more.length === 0 ? meaning : text.trim();
}

/** Whether text is the beginning of a number. */
export function mayBecomeFigure(text: string): boolean {
  return BEGINNINGS.some((beginning) => beginning.test(text));
}
