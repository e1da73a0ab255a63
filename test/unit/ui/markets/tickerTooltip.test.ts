import assert from "node:assert/strict";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { tickerTooltip } = await loadUi(() => import("../../../../src/ui/markets/tickerTooltip.ts"));

describe("the tooltip of a pair", () => {
  it("is headed by the pair's name, not by its symbol", () => {
    const headings = [tickerOf("THB_XRP"), tickerOf("THB_XRP", { frozen: true })].map((ticker) =>
      tickerTooltip(ticker, 2, undefined).value.split("\n")[0]?.replaceAll("*", ""),
    );
    assert.deepEqual(headings, ["XRP/THB", "XRP/THB · frozen"]);
  });
});
