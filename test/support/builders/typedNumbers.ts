import fc from "fast-check";

const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 12 });
const plain = fc.tuple(digits, digits).map(([whole, part]) => {
  const trimmed = whole.replace(/^0+/, "") || "0";
  return part === "" ? trimmed : `${trimmed}.${part}`;
});
/** Thai, Arabic-Indic, extended Arabic-Indic, Devanagari and fullwidth zero. */
const zeros = fc.constantFrom(0x0e50, 0x0660, 0x06f0, 0x0966, 0xff10);
const odd = fc.constantFrom(..."., _'+-eE\u00a0\u202f\u2009\u200b\u200e\u200f\ufeff\u066b\u066c\n\t0x");

/** Numbers as people, spreadsheets, locales and attackers write them; about a third of them canonical. */
export const typedNumber: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: plain },
  {
    weight: 1,
    arbitrary: fc.tuple(plain, fc.nat(), odd).map(([text, at, mark]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + mark + text.slice(place);
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plain, zeros)
      .map(([text, zero]) => text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plain, fc.integer({ min: -400, max: 400 }), fc.constantFrom("e", "E", "e+", "*10^"))
      .map(([text, exponent, mark]) => `${text}${mark}${exponent}`),
  },
  { weight: 1, arbitrary: fc.bigInt(0n, 10n ** 20n).map((value) => `0x${value.toString(16)}`) },
  { weight: 1, arbitrary: fc.bigInt(0n, 10n ** 12n - 1n).map((value) => value.toLocaleString("en-US")) },
  { weight: 1, arbitrary: plain.map((text) => text.replace(".", ",")) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(plain, fc.constantFrom("k", "K", "m", "M", "km", " k"))
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."0123456789.,eE+-xn "), maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("NaN", "Infinity", "-0", "0", "0.0", ".5", "5.", "00", "1n", "½", "", "null"),
  },
);

/**
 * Canonical by an independent definition: ASCII digits, no redundant leading zero, at most one point followed by digits.
 */
export function isCanonical(text: string): boolean {
  const [whole = "", part, ...more] = text.split(".");
  const areDigits = (some: string): boolean =>
    some.length > 0 && [...some].every((digit) => "0123456789".includes(digit));
  const fits = whole.length <= 30 && (part ?? "").length <= 30;
  return (
    fits &&
    more.length === 0 &&
    areDigits(whole) &&
    (part === undefined || areDigits(part)) &&
    (whole === "0" || !whole.startsWith("0"))
  );
}
