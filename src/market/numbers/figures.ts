import { remembered } from "./remembered.ts";

/** Decimals with more zeros in front than a rate can be typed with: such a number is shown in powers of ten. */
const MANY_ZEROS = /^0{30}\d/;

const WHOLE: Intl.NumberFormatOptions = {};
const TWO_DECIMALS = { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const PERCENT = { ...TWO_DECIMALS, signDisplay: "never" } as const;
const CHANGE = { ...TWO_DECIMALS, signDisplay: "exceptZero" } as const;

/** Spaces as wide as a digit and as wide as a point, in any font. */
const [FIGURE_SPACE, PUNCTUATION_SPACE] = ["\u2007", "\u2008"];

interface WidthOfWhole {
  readonly digits: number;
  readonly separators: number;
}

/** The digits of a shown whole number, and the separators between them. */
function wholeOf(shown: string): WidthOfWhole {
  const digits = countOf(shown, /\d/g);
  return { digits, separators: digits > 3 ? countOf(shown, /(?<=\d)\D(?=\d)/g) : 0 };
}

function countOf(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

/**
 * Numbers as a person reads them, in one language; docs/interface.md has the rules. Every surface of the editor and of
 * the pages shows its numbers through this class. Each text given is a plain decimal: digits and at most one point; only
 * `value` takes one below zero.
 */
export class Figures {
  readonly #locale: string;
  /** By the text of the options. */
  readonly #formats = new Map<string, Intl.NumberFormat>();
  /** By the object of the options: a list of prices asks for the same few many times a second. */
  readonly #known = new Map<object, Intl.NumberFormat>();
  /** The digits and separators of the widest whole number with so many digits. */
  readonly #widest = new Map<number, WidthOfWhole>();
  /** Of a whole number as plain text. */
  readonly #grouped = remembered((whole: string) => this.#usual(WHOLE).format(BigInt(whole)));
  readonly #changes = remembered((percent: number) => this.#usual(CHANGE).format(percent / 100));
  /** Of a shown whole number. */
  readonly #widths = remembered(wholeOf);
  #decimalPoint: string | undefined;

  /** `locale` as the editor names its language, like `en` or `pt-br`. */
  constructor(locale: string) {
    this.#locale = locale;
  }

  /** A price or a rate: every digit, and at least the decimals of its pair. */
  price(price: string, places: number): string {
    const [whole = "0", decimals = ""] = price.split(".");
    const told = decimals.replace(/0+$/, "");
    if (whole === "0" && MANY_ZEROS.test(told)) return this.#scientific(price);
    // The digits do not pass through a number, so no text is too long.
    const grouped = this.#grouped(whole);
    const shown = told.padEnd(places, "0");
    return shown === "" ? grouped : grouped + this.#point + shown;
  }

  /** Money in a quote asset: every digit, and at least two decimals. */
  amount(amount: string): string {
    return this.price(amount, 2);
  }

  /** A quantity of an asset: every digit, and no zero at its end. */
  quantity(quantity: string): string {
    return this.price(quantity, 0);
  }

  /** A value, rounded: to two decimals, or to three significant digits if that says more. */
  value(value: string, signDisplay: "auto" | "exceptZero" = "auto"): string {
    const zeros = /^-?0\.(0*)/.exec(value)?.[1];
    const most = zeros === undefined ? 2 : Math.min(20, zeros.length + 3);
    const format = this.#format({ minimumFractionDigits: 2, maximumFractionDigits: most, signDisplay });
    return format.format(value as Intl.StringNumericLiteral);
  }

  /** A share, 0 to 1, as a percentage with one decimal: 45.2%, 50.0%; with `least` 0 as a person would type it: 50%. */
  share(share: string, least: 0 | 1 = 1): string {
    const decimals = { minimumFractionDigits: least, maximumFractionDigits: 1 };
    return this.#format({ style: "percent", ...decimals }).format(share as Intl.StringNumericLiteral);
  }

  /** A percentage without a sign, with two decimals: 0.07%. */
  percent(percent: string): string {
    return this.#usual(PERCENT).format(Number(percent) / 100);
  }

  /** A change in percent with its sign and two decimals: +1.23%. A change that shows as zero has no sign. */
  change(percent: number): string {
    return this.#changes(percent);
  }

  /** A volume, short: 1.235M. */
  volume(volume: number): string {
    return this.#format({ notation: "compact", maximumSignificantDigits: 4 }).format(volume);
  }

  /**
   * Spaces in front of a number of this class, so that numbers in one column have their points below each other: as
   * wide as the digits and separators that the number lacks to a whole part of this many digits.
   */
  indent(shown: string, digits: number): string {
    let widest = this.#widest.get(digits);
    if (!widest)
      this.#widest.set(digits, (widest = wholeOf(this.#usual(WHOLE).format(10n ** BigInt(digits) - 1n))));
    const [whole = ""] = shown.split(this.#point);
    const { digits: has, separators } = this.#widths(whole);
    return (
      FIGURE_SPACE.repeat(Math.max(0, widest.digits - has)) +
      PUNCTUATION_SPACE.repeat(Math.max(0, widest.separators - separators))
    );
  }

  /** How many digits a number of this class shows before and after its point. */
  widthOf(shown: string): { readonly digits: number; readonly decimals: number } {
    const [whole = "", fraction = ""] = shown.split(this.#point);
    return { digits: countOf(whole, /\d/g), decimals: countOf(fraction, /\d/g) };
  }

  /** Spaces behind a number of this class, as wide as the decimals that it lacks. */
  trail(shown: string, decimals: number): string {
    return FIGURE_SPACE.repeat(Math.max(0, decimals - this.widthOf(shown).decimals));
  }

  /** Read at the first number, because nothing is shown at the start. */
  get #point(): string {
    const parts = (): Intl.NumberFormatPart[] => this.#usual(WHOLE).formatToParts(0.5);
    return (this.#decimalPoint ??= parts().find(({ type }) => type === "decimal")?.value ?? ".");
  }

  #scientific(text: string): string {
    const format = this.#format({ notation: "scientific", maximumSignificantDigits: 12 });
    return format.format(text as Intl.StringNumericLiteral);
  }

  /** The format of a constant of this file. */
  #usual(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    let made = this.#known.get(options);
    if (!made) this.#known.set(options, (made = this.#format(options)));
    return made;
  }

  #format(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const key = JSON.stringify(options);
    let made = this.#formats.get(key);
    // Latin digits in every language: those are typed, signed and sent.
    const all = { ...options, numberingSystem: "latn" };
    if (!made) this.#formats.set(key, (made = new Intl.NumberFormat(this.#locale, all)));
    return made;
  }
}
