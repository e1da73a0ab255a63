import assert from "node:assert/strict";
import { sparkline } from "../../../../src/ui/markets/sparkline.ts";

function pathOf(prices: readonly (number | undefined)[]): string {
  const [, encoded = ""] = sparkline(prices)?.split("base64,") ?? [];
  return / d="([^"]*)"/.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? "";
}

describe("a sparkline", () => {
  it("is higher for higher prices, and spans the whole picture", () => {
    assert.equal(pathOf([1, 3, 2]), "M3.0 45.0L3.0 45.0L120.0 3.0L237.0 24.0");
  });

  it("has a gap where no price was seen, instead of a line across it", () => {
    assert.equal(pathOf([1, undefined, 2]).match(/M/g)?.length, 2);
  });

  it("is flat for equal prices, and missing without two prices", () => {
    assert.equal(pathOf([2, 2]), "M3.0 24.0L3.0 24.0L237.0 24.0");
    for (const prices of [[], [1], [undefined, 1, undefined]]) assert.equal(sparkline(prices), undefined);
  });
});
