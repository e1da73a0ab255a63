import { decimalsOf, parseDecimal, plainText } from "./decimal.ts";
import type { Figures } from "./figures.ts";

/** Spaces that group digits: typed ones, and those in numbers of the editor's languages. */
const SPACE = "[ \\u00A0\\u2007\\u2009\\u202F]";
const APOSTROPHE = "['\\u2019]";

/** Group separator and decimal point of each notation; the last one is Arabic. */
const STYLES = [
  [",", "\\."],
  ["\\.", ","],
  [SPACE, "\\."],
  [SPACE, ","],
  [APOSTROPHE, "\\."],
  [APOSTROPHE, ","],
  ["\\u066C", "\\u066B"],
] as const;

const WHOLE = "0|[1-9]\\d*";
const FIGURES = [
  ...STYLES.map(
    ([group, point]) => new RegExp(`^(${WHOLE}|[1-9]\\d{0,2}(?:${group}\\d{3})+)?(?:${point}(\\d+))?$`),
  ),
  // Indian groups: 1,00,000.50.
  /^([1-9]\d?(?:,\d{2})+,\d{3})(?:\.(\d+))?$/,
];
/** Thousands and millions, as in `10k` and `1.5m`. */
const SCALES = { k: "1000", m: "1000000" } as const;
const SCALED = /^(.*\d)([km])$/i;

/** Valid beginnings of a number in these notations. */
const BEGINNINGS = [
  ...STYLES.map(
    ([group, point]) =>
      new RegExp(
        `^(?:|(?:${WHOLE})?(?:${point}\\d*)?|[1-9]\\d{0,2}(?:${group}\\d{3})*(?:${group}\\d{0,3}|${point}\\d*))$`,
      ),
  ),
  /^[1-9]\d?(?:,\d{2})*,(?:\d{0,3}|(?<=\d,\d{2},)\d{3}\.\d*)$/,
];

/** Marks without width or meaning, which come along with pasted text. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/gu;
/** Wide forms of printable ASCII, as East Asian keyboards type them, and of the space. */
const WIDE = /[\uFF01-\uFF5E\u3000]/g;
const WIDE_OFFSET = 0xfee0;
const DIGIT = /\p{Nd}/u;
/** Signs that other scripts and programs write: the Arabic percent sign, and a minus sign. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["\u066A", "%"],
  ["\u2212", "-"],
]);

/** What a field knows about the numbers typed into it. */
export interface NumberHints {
  /** Names of the field's unit, of which one may precede or follow the number. */
  readonly units?: readonly string[];
  /** How Bidside shows numbers there: of several meanings, the one that it shows as typed counts. */
  readonly figures?: Figures;
}

/**
 * All plain decimals that typed or pasted text can mean: one if clear, several if ambiguous, none if it is not a
 * number. `5,000.50` and `5 000,50` are 5000.50, but `5,000` is 5000 or 5.000, depending on the language. Groups have three digits, or two in India.
 * Digits with at most one point are taken literally, so `5.000` is five. `10k` is ten thousand, `1.5m` one and a half
 * million. Digits of any script count, invisible marks do not.
 */
export function meaningsOf(text: string, { units = [], figures }: NumberHints = {}): readonly string[] {
  const typed = withoutUnit(plainSigns(text), units);
  if (parseDecimal(typed)) return [typed];
  const [, figure, letter] = SCALED.exec(typed) ?? [];
  if (figure === undefined) return figuresOf(typed, figures);
  const scale = SCALES[letter?.toLowerCase() as keyof typeof SCALES];
  const scaled = figuresOf(figure, figures).flatMap((plain) => {
    const value = parseDecimal(plain);
    return value ? [plainText(value.times(scale))] : [];
  });
  return [...new Set(scaled)].filter((plain) => parseDecimal(plain));
}

/** The meanings of digits with separators. */
function figuresOf(typed: string, figures: NumberHints["figures"]): readonly string[] {
  if (parseDecimal(typed)) return [typed];
  const meanings = FIGURES.flatMap((figure) => {
    const [, whole, decimals] = figure.exec(typed) ?? [];
    if (whole === undefined && decimals === undefined) return [];
    const digits = whole?.replaceAll(/\D/g, "") ?? "0";
    const plain = decimals === undefined ? digits : `${digits}.${decimals}`;
    return parseDecimal(plain) ? [plain] : [];
  });
  const shown = meanings.find((plain) => figures?.price(plain, decimalsOf(plain)) === typed);
  return shown === undefined ? [...new Set(meanings)] : [shown];
}

/** The plain decimal that typed or pasted text means; the trimmed text itself unless there is exactly one. */
export function plainOf(text: string, hints?: NumberHints): string {
  const [meaning, ...more] = meaningsOf(text, hints);
  return meaning !== undefined && more.length === 0 ? meaning : text.trim();
}

/** Whether text is the beginning of a number. */
export function mayBecomeFigure(text: string): boolean {
  const typed = plainSigns(text);
  return BEGINNINGS.some((beginning) => beginning.test(typed));
}

/** The text with ASCII digits and signs, and without invisible marks and outer spaces. */
export function plainSigns(text: string): string {
  return text
    .replaceAll(INVISIBLE, "")
    .replaceAll(WIDE, (wide) =>
      wide === "\u3000" ? " " : String.fromCodePoint((wide.codePointAt(0) ?? 0) - WIDE_OFFSET),
    )
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/[\u066A\u2212]/g, (sign) => SIGNS.get(sign) ?? sign)
    .trim();
}

/** The value of a digit of any script: Unicode keeps the ten of each together, in order. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  while (DIGIT.test(String.fromCodePoint(code - below - 1))) below += 1;
  return String(below % 10);
}

function withoutUnit(typed: string, units: readonly string[]): string {
  const lower = typed.toLowerCase();
  for (const unit of units) {
    const name = unit.toLowerCase();
    // Digits could belong to the number, and a letter could scale it.
    if (/^$|\d/.test(name) || Object.hasOwn(SCALES, name)) continue;
    if (lower.endsWith(name)) return typed.slice(0, -name.length).trim();
    if (lower.startsWith(name)) return typed.slice(name.length).trim();
  }
  return typed;
}
