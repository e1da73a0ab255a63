import assert from "node:assert/strict";
import fc from "fast-check";
import { readChartState, readFromChart } from "../../../src/protocol/chart.ts";

describe("messages from a chart", () => {
  it("are accepted unchanged if they are the chart's own", () => {
    for (const message of [
      { type: "ready", interval: "1m", isFilled: true },
      { type: "interval", interval: "1d" },
      { type: "placeBid", rate: "2998000.5" },
      { type: "addAlert", price: "0.00000001" },
      { type: "retry" },
      { type: "showStudy", study: "macd", shown: false },
      { type: "periods" },
      { type: "older" },
      { type: "logScale", on: true },
      { type: "action" },
    ]) {
      assert.deepEqual(readFromChart(message), message);
    }
  });

  it("are refused if a field is missing, added, of another type, or an invalid rate", () => {
    for (const message of [
      undefined,
      "placeBid",
      { type: "placeBid" },
      { type: "placeBid", rate: 15_000 },
      { type: "placeBid", rate: "15000", symbol: "THB_ETH" },
      { type: "placeBid", rate: "15000", confirmed: true },
      ...["", "-1", "1e5", "1,000", "0x10", "๑", " 1", "1.", "1".repeat(40)].map((rate) => ({
        type: "placeBid",
        rate,
      })),
      { type: "ready", interval: "2m", isFilled: true },
      { type: "ready", interval: "1m" },
      { type: "showStudy", study: "astrology", shown: true },
      { type: "picture", png: "R0lGODlhAQABAAAAACw=" },
      { type: "picture", png: "iVBORw0KGgo<script>" },
      { type: "action", command: "workbench.action.quit" },
      { type: "submit", draft: {} },
    ]) {
      assert.equal(readFromChart(message), undefined, JSON.stringify(message));
    }
  });

  it("never make the check itself fail", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withObjectString: true }), (message) => {
        readFromChart(message);
        readChartState(message);
      }),
    );
  });
});

describe("a chart's stored state", () => {
  const state = { symbol: "THB_BTC", interval: "5m", view: "table" };

  it("is valid if it names a pair, an interval and a view", () => {
    assert.deepEqual(readChartState(state), state);
    assert.deepEqual(readChartState({ ...state, more: 1 }), state);
  });

  it("is invalid if one of these is missing or wrong", () => {
    for (const other of [
      undefined,
      null,
      {},
      { ...state, symbol: "" },
      { ...state, symbol: "x".repeat(65) },
      { ...state, interval: "2w" },
      { ...state, view: "both" },
    ]) {
      assert.equal(readChartState(other), undefined);
    }
  });
});
