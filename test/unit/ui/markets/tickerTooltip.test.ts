import assert from "node:assert/strict";
import type { Ticker } from "../../../../src/market/ticker.ts";
import type { PairFacts } from "../../../../src/ui/markets/tickerTooltip.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { tickerTooltip } = await loadUi(() => import("../../../../src/ui/markets/tickerTooltip.ts"));

const NOTHING = { prices: [], account: [] };

/** The rows of the table, without Markdown. */
function rowsOf(ticker: Ticker, facts: PairFacts = NOTHING): Map<string, string> {
  const lines = tickerTooltip(ticker, 2, undefined, facts).value.replaceAll("&nbsp;", " ").split("\n");
  return new Map(
    lines
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .map(([, name = "", value = ""]) => [name, value]),
  );
}

describe("the tooltip of a pair", () => {
  it("has the range of the day with the place of the last price, which a stream may move beyond it", () => {
    const range = (last: number | undefined): string | undefined =>
      rowsOf(tickerOf("THB_XRP", { last, low: 90, high: 110 })).get("Range, 24 h");
    assert.equal(range(90), "90.00 ●──────── 110.00");
    assert.equal(range(100), "90.00 ────●──── 110.00");
    assert.equal(range(120), "90.00 ────────● 110.00");
    assert.equal(range(undefined), "90.00 – 110.00");
  });

  it("has the spread, and none if the best prices are unknown or crossed", () => {
    const spread = (bestBid: number | undefined, bestAsk: number): string | undefined =>
      rowsOf(tickerOf("THB_XRP", { bestBid, bestAsk })).get("Spread");
    assert.equal(spread(99.5, 100), "0.50 · 0.50%");
    assert.equal(spread(undefined, 100), "–");
    assert.equal(spread(101, 100), "–");
  });

  it("ends with what the account has in the pair, and a picture of the prices if there are two", () => {
    const account = [["Your balance", "0.5 XRP"]] as const;
    const facts = { prices: [1, undefined, 2], account };
    assert.equal(rowsOf(tickerOf("THB_XRP"), facts).get("Your balance"), "0.5 XRP");
    const { value } = tickerTooltip(tickerOf("THB_XRP"), 2, undefined, facts);
    assert.match(
      value,
      /!\[Prices of the last 24 hours[^\]]*\]\(data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+\)$/,
    );
  });

  it("is headed by the pair's name, not by its symbol", () => {
    const headings = [tickerOf("THB_XRP"), tickerOf("THB_XRP", { frozen: true })].map((ticker) =>
      tickerTooltip(ticker, 2, undefined, NOTHING).value.split("\n")[0]?.replaceAll("*", ""),
    );
    assert.deepEqual(headings, ["XRP/THB", "XRP/THB · frozen"]);
  });
});
