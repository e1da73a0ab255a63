import assert from "node:assert/strict";
import { shownAmount } from "../../../../src/market/numbers/amountDecimals.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";

describe("a computed amount as it is shown", () => {
  const shown = (amount: string, quote?: string): string => shownAmount(new Decimal(amount), quote).toFixed();

  it("has the decimals of its currency", () => {
    for (const quote of ["JPY", "KRW", "VND"]) assert.equal(shown("1234.5", quote), "1235", quote);
    assert.equal(shown("0.0125", "KWD"), "0.013");
  });

  it("has two decimals in most currencies and eight in any other asset, rounded half up", () => {
    assert.equal(shown("77.215124", "THB"), "77.22");
    assert.equal(shown("30886.0496", "THB"), "30886.05");
    assert.equal(shown("0.125", "THB"), "0.13");
    assert.equal(shown("12.5", "THB"), "12.5");
    assert.equal(shown("0.123456785", "BTC"), "0.12345679");
    assert.equal(shown("1.005"), "1.01");
  });

  it("is never zero if the amount is not", () => {
    assert.equal(shown("0.0025", "THB"), "0.0025");
    assert.equal(shown("0.000000001", "BTC"), "0.000000001");
    assert.equal(shown("0", "THB"), "0");
  });
});
