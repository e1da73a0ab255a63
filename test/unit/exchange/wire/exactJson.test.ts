import assert from "node:assert/strict";
import fc from "fast-check";
import { NumberText, numberSource, parseExact } from "../../../../src/exchange/wire/exactJson.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";

/** Makes a text long enough for the fast way. */
const long = (json: string): string => `{"pad":"${"x".repeat(128 * 1024)}","value":${json}}`;
const readLong = (json: string): unknown => (parseExact(long(json)) as { value: unknown }).value;

describe("JSON with exact numbers", () => {
  it("keeps the source of a number, however long", () => {
    for (const number of ["9007199254740993", "0.123456789012345678", "1e-7", "-5", "1.50", "1e400"]) {
      const value = parseExact(`[${number}]`) as unknown[];
      assert.ok(value[0] instanceof NumberText);
      assert.equal(numberSource(value[0]), number);
    }
  });

  it("is as exact in a long text, and only loses trailing zeros", () => {
    for (const number of ["9007199254740993", "0.123456789012345678", "1e-7", "1E5", "123456789012345"])
      assert.equal(numberSource(readLong(number)), number);
    assert.equal(numberSource(readLong("1.50")), "1.5");
    assert.deepEqual(
      readLong('{"a":[1,"2",null,true,{"__proto__":3}]}'),
      parseExact('{"a":[1,"2",null,true,{"__proto__":3}]}'),
    );
    const digits = fc.tuple(
      fc.bigInt(0n, 10n ** 20n),
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: -30, max: 30 }),
    );
    fc.assert(
      fc.property(digits, ([whole, places, exponent]) => {
        const text = new Decimal(`${whole}e-${places}`).toFixed();
        for (const number of [text, `-${text}`, `${text}e${exponent}`]) {
          const { a } = readLong(`{"a":${number}}`) as { a: unknown };
          assert.ok(new Decimal(numberSource(a)).eq(number), number);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("fails for text that is not JSON, short or long", () => {
    for (const text of ["{", long("{"), `${long("1")}x`]) assert.throws(() => parseExact(text), SyntaxError);
  });
});
