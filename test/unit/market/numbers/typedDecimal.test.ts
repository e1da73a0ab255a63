import assert from "node:assert/strict";
import fc from "fast-check";
import { Figures } from "../../../../src/market/numbers/figures.ts";
import { plainOf, meaningsOf } from "../../../../src/market/numbers/typedDecimal.ts";

describe("a typed or pasted number", () => {
  it("means the same in each way to group its digits and to write its decimals", () => {
    for (const text of [
      "5,000.50",
      "5.000,50",
      "5 000,50",
      "5 000.50",
      "5\u00A0000,50",
      "5\u202F000.50",
      " 5000.50 ",
    ])
      assert.equal(plainOf(text), "5000.50", text);
    for (const [text, plain] of [
      ["1,234,567", "1234567"],
      ["1.234.567", "1234567"],
      ["5 000", "5000"],
      ["0,25", "0.25"],
      ["0,250", "0.250"],
      ["1234,567", "1234.567"],
      ["5,50", "5.50"],
      ["5.000", "5.000"],
    ] as const)
      assert.equal(plainOf(text), plain, text);
  });

  it("may end in k for thousands and m for millions", () => {
    for (const [text, plain] of [
      ["10k", "10000"],
      ["1.5m", "1500000"],
      ["1,5M", "1500000"],
      ["0.0001234k", "0.1234"],
      ["1.000k", "1000"],
    ] as const)
      assert.equal(plainOf(text), plain, text);
    assert.deepEqual(meaningsOf("5,000k"), ["5000000", "5000"]);
  });

  it("is rejected if ambiguous, with the possible meanings", () => {
    assert.deepEqual(meaningsOf("5,000"), ["5000", "5.000"]);
    assert.equal(plainOf("5,000"), "5,000");
    assert.deepEqual(meaningsOf("123,456"), ["123456", "123.456"]);
  });

  it("is rejected if its groups are not of three digits, or it is not a number", () => {
    for (const text of [
      "",
      "5,00.5",
      "1,00,000.5",
      "12 34",
      "1,234.567.8",
      "5,000,50",
      "05,000.5",
      "-5,000.5",
      "1e5",
      "k",
      "5kk",
      "5 k",
      "5g",
      "-5k",
      ",5",
      "٣",
    ])
      assert.deepEqual(meaningsOf(text), [], text);
  });

  it("is parsed as shown by Bidside, in every language", () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{2,8}$/))
      .map(([whole, decimals]) => `${whole}.${decimals}`);
    for (const locale of ["en", "de", "fr", "es", "it", "pl", "pt-br", "ru", "cs", "hu", "tr", "ja"]) {
      const figures = new Figures(locale);
      fc.assert(
        fc.property(amount, (plain) => {
          const meanings = meaningsOf(figures.price(plain, plain.split(".")[1]?.length ?? 0));
          assert.ok(meanings.includes(plain), `${plain} in ${locale}`);
          assert.ok(meanings.length === 1 || /^\d{1,3}\.\d{3}$/.test(plain), `${plain} in ${locale}`);
        }),
        { numRuns: 200 },
      );
    }
  });
});
