import assert from "node:assert/strict";
import fc from "fast-check";
import { Figures } from "../../../../src/market/numbers/figures.ts";
import { samePosition, typedFigure } from "../../../../src/webview/ticket/typedFigure.ts";

const LOCALES = ["en", "de", "fr", "hi", "pt-br", "ja"].map((locale) => new Figures(locale));
const digitsBefore = (text: string, at: number): string => text.slice(0, at).replaceAll(/\D/g, "");

describe("the caret of a number field", () => {
  it("stays behind the same digits when the figure is grouped or shown plain, in every language", () => {
    const figure = fc.record({
      whole: fc.bigInt({ min: 0n, max: 10n ** 15n }),
      decimals: fc.stringMatching(/^\d{0,8}$/),
      at: fc.nat(),
    });
    fc.assert(
      fc.property(fc.constantFrom(...LOCALES), figure, (figures, { whole, decimals, at }) => {
        const plain = decimals === "" ? `${whole}` : `${whole}.${decimals}`;
        const grouped = figures.price(plain, decimals.length);
        const start = at % (plain.length + 1);
        const inGrouped = samePosition(plain, start, grouped);
        assert.equal(digitsBefore(grouped, inGrouped), digitsBefore(plain, start));
        assert.equal(samePosition(grouped, inGrouped, plain), start, `${plain} as ${grouped}`);
      }),
    );
  });

  it("does not go beyond the end of a figure that loses its padding", () => {
    assert.equal(samePosition("3,101,800.50", 12, "3101800.5"), 9);
    assert.equal(samePosition("3,101,800.00", 12, "3101800"), 7);
    assert.equal(samePosition("3,101,800.00", 10, "3101800"), 7);
  });
});

describe("a typed figure", () => {
  it("means what Bidside shows with the same characters, where it could mean two numbers", () => {
    const [english, german] = [new Figures("en"), new Figures("de")];
    assert.equal(typedFigure("5,000", english, "THB"), "5000");
    assert.equal(typedFigure(" 123,456 ", english, "THB"), "123456");
    assert.equal(typedFigure("1,255", german, "THB"), "1.255");
    assert.equal(typedFigure("5,000k", english, "THB"), "5000000");
    assert.equal(typedFigure("5.000", english, "THB"), "5.000");
    assert.equal(typedFigure("1x", english, "THB"), "1x");
    assert.equal(typedFigure("5,000 THB", english, "THB"), "5000");
    assert.equal(typedFigure("5 BTC", english, "THB"), "5 BTC");
  });
});
