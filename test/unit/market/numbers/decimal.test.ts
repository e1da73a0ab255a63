import assert from "node:assert/strict";
import fc from "fast-check";
import {
  Decimal,
  parseDecimal,
  parseWireDecimal,
  plainText,
  priceText,
  truncate,
} from "../../../../src/market/numbers/decimal.ts";

describe("decimal", () => {
  it("rejects a float for money", () => {
    assert.throws(() => new Decimal(0.1));
  });

  it("writes small numbers without an exponent and no number with trailing zeros", () => {
    assert.equal(plainText(new Decimal("1e-8")), "0.00000001");
    assert.equal(plainText(new Decimal("1000.00")), "1000");
    assert.equal(priceText(1e-8), "0.00000001");
    assert.equal(priceText(15000.5), "15000.5");
  });

  it("keeps 2^53 + 1 and 18 decimals to the last digit", () => {
    for (const text of ["9007199254740993", "0.123456789012345678", "123456789.123456789012345678"]) {
      assert.equal(plainText(parseDecimal(text) ?? assert.fail(text)), text);
      assert.equal(plainText(parseWireDecimal(text) ?? assert.fail(text)), text);
    }
  });

  it("accepts only canonical decimal text from a user", () => {
    const refused = [
      "",
      " 1",
      "1 ",
      "+1",
      "-1",
      "1,000",
      "1e3",
      "0x10",
      ".5",
      "5.",
      "01",
      "1.2.3",
      "١٢",
      "๑๒",
      "1\u00a0000",
      "NaN",
      "Infinity",
    ];
    for (const text of refused) assert.equal(parseDecimal(text), undefined, JSON.stringify(text));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        if (parseDecimal(text)) assert.match(text, /^[0-9]+(\.[0-9]+)?$/);
      }),
    );
  });

  it("parses exponents from the exchange, and rejects one that would exhaust memory", () => {
    assert.equal(plainText(parseWireDecimal("1.044e-05") ?? assert.fail()), "0.00001044");
    assert.equal(parseWireDecimal("1e999"), undefined);
    assert.equal(parseWireDecimal("1e999999999"), undefined);
  });

  it("truncates a quotient exactly, and never rounds up", () => {
    assert.equal(plainText(truncate(new Decimal("1000").div("15000"), 8)), "0.06666666");
    assert.equal(plainText(truncate(new Decimal("1.999999999"), 8)), "1.99999999");
  });
});
