import assert from "node:assert/strict";
import fc from "fast-check";
import { Figures } from "../../../../src/market/numbers/figures.ts";
import { unitNames } from "../../../../src/market/numbers/unitNames.ts";
import { mayBecomeFigure, meaningsOf, plainOf } from "../../../../src/market/numbers/typedDecimal.ts";

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

  it("means the same with the digits of any script, apostrophes, Indian groups, and without a leading zero", () => {
    for (const [text, plain] of [
      ["๑๒๓.๕", "123.5"],
      ["１２３．５", "123.5"],
      ["５，０００．５", "5000.5"],
      ["٥٬٠٠٠", "5000"],
      ["٥٫٠٠٠", "5.000"],
      ["५००", "500"],
      ["5'000.50", "5000.50"],
      ["5’000", "5000"],
      ["1,00,000.50", "100000.50"],
      ["12,34,567", "1234567"],
      [".5", "0.5"],
      [",25", "0.25"],
      [".5k", "500"],
    ] as const)
      assert.deepEqual(meaningsOf(text), [plain], text);
  });

  it("is read without the invisible marks that come along with pasted text", () => {
    for (const mark of ["\u200B", "\u200E", "\u202E", "\uFEFF", "\u2060", "\uFE0F"])
      assert.equal(plainOf(`${mark}5${mark}00${mark}`), "500", JSON.stringify(mark));
  });

  it("may name the unit of its field, but no other one", () => {
    const units = unitNames("THB");
    for (const text of ["฿500", "500 THB", "500thb", "THB 500", "500฿"])
      assert.equal(plainOf(text, { units }), "500", text);
    assert.equal(plainOf("10k THB", { units }), "10000");
    for (const text of ["$500", "500 USD", "THB", "500 THB THB"])
      assert.deepEqual(meaningsOf(text, { units }), []);
    assert.equal(plainOf("500 BTC", { units: unitNames("BTC") }), "500");
    assert.deepEqual(unitNames("1INCH"), ["1INCH"]);
    // An asset's name must not take digits or a scale from the number.
    assert.equal(plainOf("51", { units: ["1"] }), "51");
    assert.equal(plainOf("5k", { units: ["K"] }), "5000");
  });

  it("may be completed by typing on, in each notation", () => {
    for (const text of ["", "5,", "5,0", ".", ".5", "5'", "1,00,", "1,00,0", "๑", "1,00,000."])
      assert.ok(mayBecomeFigure(text), text);
    for (const text of ["5,0.", "x", "5''", "1,00,0000"]) assert.ok(!mayBecomeFigure(text), text);
  });

  it("is rejected if ambiguous, with the possible meanings", () => {
    assert.deepEqual(meaningsOf("5,000"), ["5000", "5.000"]);
    assert.equal(plainOf("5,000"), "5,000");
    assert.deepEqual(meaningsOf("123,456"), ["123456", "123.456"]);
  });

  it("is read as Bidside shows it in the editor's language where it has two meanings", () => {
    const inEnglish = { figures: new Figures("en") };
    const inGerman = { figures: new Figures("de") };
    assert.deepEqual(meaningsOf("5,000", inEnglish), ["5000"]);
    assert.deepEqual(meaningsOf("5,000", inGerman), ["5.000"]);
    assert.deepEqual(meaningsOf("5,000k", inEnglish), ["5000000"]);
    assert.deepEqual(meaningsOf("5,000 THB", { ...inEnglish, units: ["THB"] }), ["5000"]);
    assert.deepEqual(meaningsOf("5.000", inGerman), ["5.000"]);
  });

  it("is rejected if its groups are not of three digits, or it is not a number", () => {
    for (const text of [
      "",
      "5,00.5",
      "1,00,00.5",
      "1,00.000",
      "1.00.000,5",
      "5'00",
      "5\u066C000.5",
      "5\u00B2",
      "\u00BD",
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
      ".",
      "5 THB",
      "฿5",
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
