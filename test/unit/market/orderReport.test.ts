import assert from "node:assert/strict";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { averageRate, statesEnd } from "../../../src/market/orderReport.ts";
import { testFill } from "../../support/builders/reports.ts";

describe("the average rate of fills", () => {
  it("is weighted by their quantities, rounded half up", () => {
    const fills = [testFill("1", "1", "100"), testFill("2", "2", "101")];
    assert.equal(averageRate(fills, 2)?.toFixed(), "100.67");
    assert.equal(averageRate(fills, 10)?.toFixed(), "100.6666666667");
    assert.equal(averageRate([testFill("1", "1", "1"), testFill("2", "1", "2")], 0)?.toFixed(), "2");
  });

  it("is the rate of a single fill, whose truncated quantity is less than its value", () => {
    const fill = { ...testFill("1", "0.00000333", "3001500"), value: new Decimal("10") };
    assert.equal(averageRate([fill], 2)?.toFixed(), "3001500");
  });

  it("is unknown without a fill", () => {
    assert.equal(averageRate([], 2), undefined);
  });
});

describe("a report states an end", () => {
  it("by a final status, or by when the order closed", () => {
    assert.deepEqual(
      [
        statesEnd({ status: "cancelled" }),
        statesEnd({ closedAt: 1 }),
        statesEnd({ status: "open" }),
        statesEnd({}),
      ],
      [true, true, false, false],
    );
  });
});
