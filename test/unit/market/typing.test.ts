import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { meaningsOf } from "../../../src/market/numbers/typedDecimal.ts";
import { canBeFixedByTyping } from "../../../src/market/typing.ts";

describe("an invalid number while it is typed", () => {
  const notDecimal = (text: string): boolean =>
    canBeFixedByTyping({ field: "amount", code: "notDecimal" }, text);

  it("can become valid while it is the beginning of a number", () => {
    for (const text of ["", "0", "0.", "12.", "0.000", "1,", "1,000", "1 000,", ".", "1,00,", " 1", "٣"])
      assert.ok(notDecimal(text), text);
    for (const text of ["1k", "1,1.", "-", "00", "1.2.", "1e"]) {
      assert.equal(notDecimal(text), false, text);
    }
  });

  it("can become valid exactly if further text makes it valid", () => {
    const typed = fc.stringMatching(/^[\d.,k-]{0,4}$/);
    const further = fc.stringMatching(/^[\d.]{0,3}$/);
    fc.assert(
      fc.property(typed, further, (text, more) => {
        const isFigure = meaningsOf(text).length === 1;
        if (!isFigure && meaningsOf(text + more).length === 1)
          assert.ok(notDecimal(text), `${text} and ${more}`);
        if (notDecimal(text))
          assert.ok(
            ["", "1", "0", "000"].some((last) => meaningsOf(text + last).length === 1),
            text,
          );
      }),
    );
  });

  it("can reach the minimum while another digit makes it large enough", () => {
    const tooSmall = (text: string, limit = "10"): boolean =>
      canBeFixedByTyping({ field: "amount", code: "belowMinimum", limit: new Decimal(limit) }, text);
    for (const text of ["1", "9", "5"]) assert.ok(tooSmall(text), text);
    for (const text of ["0", "9.0", "9.99", "0.1"]) assert.equal(tooSmall(text), false, text);
    assert.ok(tooSmall("10.4", "10.45"));
    assert.equal(tooSmall("10.4", "10.5"), false);
  });

  it("can reach the price step of the exchange while decimals are missing", () => {
    const offStep = (text: string, step = "0.25"): boolean =>
      canBeFixedByTyping({ field: "rate", code: "offStep", limit: new Decimal(step) }, text);
    for (const text of ["100.2", "100.7", "1"]) assert.ok(offStep(text), text);
    for (const text of ["100.21", "100.125"]) assert.equal(offStep(text), false, text);
    assert.ok(offStep("12", "5"));
    assert.equal(offStep("12.5", "5"), false);
  });

  it("stays too large, because no digit lowers a number", () => {
    for (const code of ["aboveAvailable", "aboveMaximum", "farAboveLast", "frozen", "unknownPair"] as const) {
      assert.equal(canBeFixedByTyping({ field: "amount", code }, "100"), false);
    }
  });

  it("can become valid while its digits are missing", () => {
    assert.ok(canBeFixedByTyping({ field: "amount", code: "missing" }, ""));
    assert.ok(canBeFixedByTyping({ field: "rate", code: "notPositive" }, "0.0"));
  });
});
