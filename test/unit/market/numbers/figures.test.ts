import assert from "node:assert/strict";
import fc from "fast-check";
import { Figures } from "../../../../src/market/numbers/figures.ts";

const figures = new Figures("en");

/** Decimal text as a user types it, up to the accepted number of digits. */
const typed = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), fc.stringMatching(/^\d{0,30}$/))
  .map(([whole, decimals]) => (decimals === "" ? String(whole) : `${whole}.${decimals}`));

describe("numbers for a reader", () => {
  it("show a price with at least the decimals of its pair, and every further digit", () => {
    assert.equal(figures.price("3101800.5", 2), "3,101,800.50");
    assert.equal(figures.price("3101800.1234", 2), "3,101,800.1234");
    assert.equal(figures.price("0.00071346", 8), "0.00071346");
  });

  it("show a price of more than 20 decimals, and a price too small for any column in powers of ten", () => {
    assert.equal(figures.price("0.000030000000000000004", 21), "0.000030000000000000004");
    assert.equal(figures.price("0.00000000000000000000000015", 26), "0.00000000000000000000000015");
    assert.equal(figures.price(`0.${"0".repeat(34)}15`, 30), "1.5E-35");
    assert.equal(figures.price(`0.${"0".repeat(40)}`, 2), "0.00");
  });

  it("show a negative amount, such as a rebate, with its sign", () => {
    assert.equal(figures.amount("-0.5", "THB"), "-0.50");
    assert.equal(new Figures("sv").amount("-1234.5", "THB"), "−1\u00a0234,50");
  });

  it("show an amount in a currency without decimals as it is", () => {
    const shown = ["5000", "5000.5", "-3"].map((amount) => figures.amount(amount, "JPY"));
    assert.deepEqual(shown, ["5,000", "5,000.5", "-3"]);
    assert.deepEqual([figures.amount("5", "USDT"), figures.amount("5", undefined)], ["5.00", "5.00"]);
  });

  it("show an amount with at least two decimals, and a quantity without padding zeros", () => {
    assert.deepEqual(
      ["5000", "0.004", "1000.10", "9007199254740993.5"].map((amount) => figures.amount(amount, "THB")),
      ["5,000.00", "0.004", "1,000.10", "9,007,199,254,740,993.50"],
    );
    assert.deepEqual(
      ["0.00161185", "1000", "5.10"].map((quantity) => figures.quantity(quantity)),
      ["0.00161185", "1,000", "5.1"],
    );
  });

  it("line up in a column: spaces of the same width replace missing digits and separators", () => {
    const inColumn = (price: string): string => figures.indent(price, 7) + price;
    assert.equal(inColumn("3,101,800.53"), "3,101,800.53");
    assert.equal(inColumn("20.15"), "\u2007".repeat(5) + "\u2008".repeat(2) + "20.15");
    assert.equal(inColumn("0.00071346"), "\u2007".repeat(6) + "\u2008".repeat(2) + "0.00071346");
    assert.equal(figures.indent("+2.15%", 2), "\u2007");
    assert.equal(figures.indent("123,456.00", 3), "", "a number wider than its column is unchanged");
    const polish = new Figures("pl");
    assert.equal(
      polish.indent(polish.price("1234", 2), 5),
      "\u2007\u2008",
      "groups begin at five digits in that language",
    );
  });

  it("keep every digit of any number that can be typed", () => {
    fc.assert(
      fc.property(typed, (text) => {
        for (const shown of [figures.price(text, 4), figures.amount(text, "THB"), figures.quantity(text)]) {
          if (shown.includes("E")) continue;
          const [whole = "", decimals = ""] = text.split(".");
          const [shownWhole = "", shownDecimals = ""] = shown.replaceAll(",", "").split(".");
          assert.equal(shownWhole, whole);
          assert.equal(shownDecimals.replace(/0+$/, ""), decimals.replace(/0+$/, ""));
        }
      }),
    );
  });

  it("are grouped as in the reader's language, in Latin digits", () => {
    assert.equal(new Figures("de").price("3101800.5", 2), "3.101.800,50");
    assert.equal(new Figures("ar-EG").quantity("1234.5").replaceAll(/[^\d]/g, ""), "12345");
  });

  it("round a value, and never to zero", () => {
    assert.deepEqual(
      ["1234567.891", "0.5", "0.00000123456", "0", "-12.345"].map((value) => figures.value(value)),
      ["1,234,567.89", "0.50", "0.00000123", "0.00", "-12.35"],
    );
    assert.equal(figures.value("12.5", "exceptZero"), "+12.50");
  });

  it("show a share, a change and a volume in a short form", () => {
    assert.equal(figures.share("0.452"), "45.2%");
    assert.deepEqual(
      [1.006, -0.5, 0.001].map((percent) => figures.change(percent)),
      ["+1.01%", "-0.50%", "0.00%"],
    );
    assert.deepEqual(
      [1_234_567, 0.000_123_4].map((volume) => figures.volume(volume)),
      ["1.235M", "0.0001234"],
    );
  });
});
