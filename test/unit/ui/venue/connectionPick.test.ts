import assert from "node:assert/strict";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { checkRow, offerRows, successText } = await loadUi(
  () => import("../../../../src/ui/venue/connectionPick.ts"),
);

describe("the result of a connection test, in words", () => {
  // U10
  it("uses the singular for one asset and one pair", () => {
    const texts = [0, 1, 2].flatMap((count) => [
      successText({ check: "wallet", ok: true, assets: count, tookMs: 5 }),
      successText({ check: "ticker", ok: true, pairs: count, unreadable: 0, tookMs: 5 }),
      successText({ check: "ticker", ok: true, pairs: count, unreadable: 1, tookMs: 5 }),
    ]);
    assert.deepEqual(
      texts.map((text) => text.split(",", 1)[0]),
      ["0 assets", "0 pairs", "0 pairs", "1 asset", "1 pair", "1 pair", "2 assets", "2 pairs", "2 pairs"],
    );
  });

  it("shows a failure once, and says of the checks after it that they were not tried", () => {
    const error = new NotSentError("serverTime", "connectionRefused", "");
    const failed = checkRow("serverTime", { check: "serverTime", ok: false, error }, "api.example.com");
    assert.match(failed.detail ?? "", /^api\.example\.com cannot be reached: the connection was refused\./);
    const skipped = { check: "wallet", ok: false, isSkipped: true, error } as const;
    assert.deepEqual(checkRow("wallet", skipped, "api.example.com"), {
      label: "$(circle-slash) Wallet",
      detail: "Not tested: see above.",
    });
  });

  it("names the pair that was asked about", () => {
    const pair = { quote: "THB", base: "BTC" };
    assert.equal(
      successText({ check: "openOrders", ok: true, entries: 2, pair, tookMs: 5.4 }),
      "BTC/THB: 2 found, answered in 5 ms",
    );
    assert.equal(
      successText({ check: "symbols", ok: true, entries: 9, pair: undefined, tookMs: 5 }),
      "9 found, answered in 5 ms",
    );
  });
});

describe("what an exchange offers, in words", () => {
  it("is one quiet row about what is missing without any capability", () => {
    const [row, ...more] = offerRows({});
    assert.equal(row?.label, "$(info) Not offered");
    assert.match(row.detail ?? "", /^Not offered by this exchange: Orders to sell, Cancelling orders, .+\.$/);
    assert.deepEqual(more, []);
  });

  it("says that orders are not tested, and nothing of missing ones if all are offered", () => {
    const [row, ...more] = offerRows(allFeatures("A"));
    assert.deepEqual(more, []);
    assert.equal(row?.label, "$(circle-slash) Not tested");
    assert.equal(row.detail, "Orders to sell, Cancelling orders. The test never places or cancels an order.");
  });
});
