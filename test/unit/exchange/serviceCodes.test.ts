import assert from "node:assert/strict";
import { RefusedError } from "../../../src/exchange/errors.ts";
import { serviceCodeSentences } from "../../../src/exchange/serviceCodes.ts";

const MEANINGS: readonly [code: number | string, meaning: RegExp][] = [
  [1, /invalid json/i],
  [2, /missing api key/i],
  [3, /invalid api key/i],
  [4, /pending activation/i],
  [5, /ip address not allowed/i],
  [6, /signature/i],
  [7, /missing timestamp/i],
  [8, /invalid timestamp/i],
  [9, /invalid user/i],
  [10, /invalid parameter/i],
  [11, /invalid symbol/i],
  [12, /invalid amount/i],
  [13, /invalid rate/i],
  [14, /improper rate/i],
  [15, /amount too low/i],
  [16, /failed to get balance/i],
  [17, /wallet is empty/i],
  [18, /insufficient balance/i],
  [19, /failed to insert order/i],
  [20, /failed to deduct balance/i],
  [21, /cancellation/i],
  [22, /invalid side/i],
  [23, /update/i],
  [24, /lookup/i],
  [25, /verification level/i],
  [30, /limit exceeded/i],
  [52, /invalid permission/i],
  [55, /cancel-only/i],
  [56, /buying suspended/i],
  [57, /selling suspended/i],
  [61, /not supported/i],
  [90, /server error/i],
  ["A1000", /unauthorized/i],
  ["A1001", /permission/i],
  ["V1003", /signature/i],
  ["V1004", /expired/i],
  ["B1003", /insufficient balance/i],
  ["S1000", /server error/i],
];

const PROVEN: ReadonlySet<number | string> = new Set([
  ...Array.from({ length: 18 }, (_, index) => index + 1),
  22,
  25,
  30,
  52,
  55,
  56,
  57,
  61,
  "A1000",
  "A1001",
  "V1003",
  "V1004",
  "B1003",
]);

function refused(code: number | string): RefusedError {
  return new RefusedError("placeBid", { code, httpStatus: 200 });
}

describe("service codes", () => {
  for (const [code, meaning] of MEANINGS) {
    const proof = PROVEN.has(code) ? "proves that the order was refused" : "leaves the outcome unknown";
    it(`${code} has a meaning and a remedy, and ${proof}`, () => {
      const error = refused(code);
      assert.match(error.meaning ?? "", meaning);
      assert.match(error.message, meaning);
      assert.match(error.remedy ?? "", /^[A-Z].*\.$/);
      assert.equal(error.provesNothingHappened, PROVEN.has(code));
      assert.ok(serviceCodeSentences().includes(error.remedy ?? ""));
    });
  }

  it("429 is a refusal as an HTTP status, and proves nothing in an envelope", () => {
    const limit = new RefusedError("placeBid", { code: 429, httpStatus: 429 });
    assert.ok(limit.isRateLimit && limit.provesNothingHappened);
    assert.match(limit.meaning ?? "", /too many requests/i);
    assert.ok(!refused(429).isRateLimit && !refused(429).provesNothingHappened);
    assert.ok(refused(30).isRateLimit);
    assert.ok(!refused(18).isRateLimit);
  });
});
