import { amountDecimals } from "./amountDecimals.ts";
import { memoized } from "./memoized.ts";

/** Numbers with more leading zeros than a rate can be typed with are shown in scientific notation. */
const MANY_ZEROS = /^0{30}\d/;

/** Decimals of money, at least. */
const LEAST_PLACES = 2;

const WHOLE: Intl.NumberFormatOptions = {};
const TWO_DECIMALS = { style: "percent", minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
const PERCENT = { ...TWO_DECIMALS, signDisplay: "never" } as const;
const CHANGE = { ...TWO_DECIMALS, signDisplay: "exceptZero" } as const;

/** Spaces as wide as a digit and as a point, in any font. */
const [FIGURE_SPACE, PUNCTUATION_SPACE] = ["\u2007", "\u2008"];

interface WidthOfWhole {
  readonly digits: number;
  readonly separators: number;
}

/** Counts digits and separators of a formatted integer. */
function wholeOf(shown: string): WidthOfWhole {
  const digits = countOf(shown, /\d/g);
  return { digits, separators: digits > 3 ? countOf(shown, /(?<=\d)\D(?=\d)/g) : 0 };
}

function countOf(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

/**
 * Formats all numbers of the editor and the pages in one language; docs/interface.md has the rules. Input is plain
 * decimal text; only `amount` and `value` accept negative numbers.
 */
export class Figures {
  readonly #locale: string;
  /** By serialized options. */
  readonly #formats = new Map<string, Intl.NumberFormat>();
  /** By options object: a list of prices requests the same few formats many times a second. */
  readonly #known = new Map<object, Intl.NumberFormat>();
  /** Digits and separators of the widest integer, by number of digits. */
  readonly #widest = new Map<number, WidthOfWhole>();
  /** By plain integer text. */
  readonly #grouped = memoized((whole: string) => this.#usual(WHOLE).format(BigInt(whole)));
  readonly #changes = memoized((percent: number) => this.#usual(CHANGE).format(percent / 100));
  /** By formatted integer. */
  readonly #widths = memoized(wholeOf);
  #decimalPoint: string | undefined;

  /** `locale` as in the editor: `en`, `pt-br`. */
  constructor(locale: string) {
    this.#locale = locale;
  }

  /** A price or rate: all digits, and at least the pair's decimals. */
  price(price: string, places: number): string {
    const [whole = "0", decimals = ""] = price.split(".");
    const significant = decimals.replace(/0+$/, "");
    if (whole === "0" && MANY_ZEROS.test(significant)) return this.#scientific(price);
    // The digits are never converted to a number, so text of any length is exact.
    const grouped = this.#grouped(whole);
    const shown = significant.padEnd(places, "0");
    return shown === "" ? grouped : grouped + this.#point + shown;
  }

  /** Money in a quote asset: all digits, and at least two decimals unless its currency has none. */
  amount(amount: string, quote: string | undefined): string {
    const places = Math.min(LEAST_PLACES, amountDecimals(quote));
    if (!amount.startsWith("-")) return this.price(amount, places);
    const parts = this.#usual(WHOLE).formatToParts(-1);
    return (
      (parts.find(({ type }) => type === "minusSign")?.value ?? "-") + this.price(amount.slice(1), places)
    );
  }

  /** A quantity of an asset: all digits, without trailing zeros. */
  quantity(quantity: string): string {
    return this.price(quantity, 0);
  }

  /** A value, rounded to two decimals, or to three significant digits if that is more precise. */
  value(value: string, signDisplay: "auto" | "exceptZero" = "auto"): string {
    const zeros = /^-?0\.(0*)/.exec(value)?.[1];
    const most = zeros === undefined ? 2 : Math.min(20, zeros.length + 3);
    const format = this.#format({ minimumFractionDigits: 2, maximumFractionDigits: most, signDisplay });
    return format.format(value as Intl.StringNumericLiteral);
  }

  /** A share, 0 to 1, as a percentage with one decimal: 45.2%, 50.0%; with `least` 0 without a trailing zero: 50%. */
  share(share: string, least: 0 | 1 = 1): string {
    const decimals = { minimumFractionDigits: least, maximumFractionDigits: 1 };
    return this.#format({ style: "percent", ...decimals }).format(share as Intl.StringNumericLiteral);
  }

  /** An unsigned percentage with two decimals: 0.07%. */
  percent(percent: string): string {
    return this.#usual(PERCENT).format(Number(percent) / 100);
  }

  /** A signed change in percent with two decimals: +1.23%. Zero has no sign. */
  change(percent: number): string {
    return this.#changes(percent);
  }

  /** A volume in compact notation: 1.235M. */
  volume(volume: number): string {
    return this.#format({ notation: "compact", maximumSignificantDigits: 4 }).format(volume);
  }

  /**
   * Spaces to prepend so that the decimal points of a column align. They are as wide as the digits and separators that
   * the number has less than an integer part of `digits` digits.
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

  /** Number of digits before and after the point. */
  widthOf(shown: string): { readonly digits: number; readonly decimals: number } {
    const [whole = "", fraction = ""] = shown.split(this.#point);
    return { digits: countOf(whole, /\d/g), decimals: countOf(fraction, /\d/g) };
  }

  /** Spaces to append, as wide as the missing decimals. */
  trail(shown: string, decimals: number): string {
    return FIGURE_SPACE.repeat(Math.max(0, decimals - this.widthOf(shown).decimals));
  }

  /** Computed lazily, to keep startup fast. */
  get #point(): string {
    const parts = (): Intl.NumberFormatPart[] => this.#usual(WHOLE).formatToParts(0.5);
    return (this.#decimalPoint ??= parts().find(({ type }) => type === "decimal")?.value ?? ".");
  }

  #scientific(text: string): string {
    const format = this.#format({ notation: "scientific", maximumSignificantDigits: 12 });
    return format.format(text as Intl.StringNumericLiteral);
  }

  /** The cached format of a constant of this file. */
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
