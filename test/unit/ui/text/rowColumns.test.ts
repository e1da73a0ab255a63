import assert from "node:assert/strict";
import { PriceDecimals } from "../../../../src/market/numbers/priceDecimals.ts";
import type { Ticker } from "../../../../src/market/ticker.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

/** Widths of the spaces in hundredths of an em; a digit, a point and a sign have the widths of most fonts. */
const WIDTHS: Readonly<Record<string, number>> = {
  "\u2003": 100,
  "\u2005": 25,
  "\u200A": 6.25,
  "\u2007": 56,
  "\u2008": 25,
  ".": 25,
  ",": 25,
  "+": 58,
  "-": 33,
  "%": 82,
  "–": 56,
};
const LETTERS: Readonly<Record<string, number>> = { B: 57, T: 51, C: 63, D: 71, O: 75, G: 71, E: 51, I: 27 };

function widthOf(text: string): number {
  return [...text].reduce((sum, sign) => sum + (WIDTHS[sign] ?? LETTERS[sign] ?? scriptWidth(sign)), 0);
}

function scriptWidth(sign: string): number {
  if (/\p{M}/u.test(sign)) return 0;
  return /[比特币コ원]/u.test(sign) ? 100 : 56;
}

describe("the columns of Markets", () => {
  async function linesOf(tickers: readonly Ticker[]): Promise<string[]> {
    const { RowColumns, shortLabel } = await loadUi(() => import("../../../../src/ui/text/rowColumns.ts"));
    const columns = new RowColumns();
    const cells = tickers.map((ticker) => ({
      label: shortLabel(ticker.pair.base),
      ticker,
      places: new PriceDecimals().of(ticker),
    }));
    assert.equal(columns.widen(cells), true);
    assert.equal(columns.widen(cells), false, "wide enough after the first call");
    return cells.map(({ label, ticker, places }) => label + columns.text(label, ticker, places));
  }

  it("align the points of changes and of prices, for every label and number", async () => {
    const lines = await linesOf([
      tickerOf("THB_BTC", { last: 3_101_800.53, percentChange: 2.15 }),
      tickerOf("THB_DOGE", { last: 5.1234, percentChange: -12.3 }),
      tickerOf("THB_I", { last: 0.000_712, percentChange: 0 }),
      tickerOf("THB_TBC", { last: 20_150, percentChange: undefined }),
    ]);
    const pointOfPrice = lines.map((line) => widthOf(line.slice(0, line.indexOf("."))));
    assert.ok(Math.max(...pointOfPrice) - Math.min(...pointOfPrice) < 10, pointOfPrice.join(" "));
    const known = lines.filter((line) => line.includes("%"));
    const pointOfChange = known.map((line) => widthOf(line.slice(0, line.lastIndexOf("."))));
    assert.ok(Math.max(...pointOfChange) - Math.min(...pointOfChange) < 10, pointOfChange.join(" "));
    assert.match(lines[3] ?? "", /–/, "an unknown change is a dash");
  });

  it("align labels with wide letters and with marks that take no space", async () => {
    const names = ["BTC", "比特币", "コ", "원", "ﾋﾞ", "ที่นี่", "น้ำ"];
    const lines = await linesOf(
      names.map((name) => tickerOf(`THB_${name}`, { last: 100.25, percentChange: 1 })),
    );
    const points = lines.map((line) => widthOf(line.slice(0, line.indexOf("."))));
    assert.ok(Math.max(...points) - Math.min(...points) < 10, points.join(" "));
  });

  it("never cut a mark from its letter when a long name is shortened", async () => {
    const [long = ""] = await linesOf([
      tickerOf(`THB_${"ที่".repeat(7)}ที`, { last: 100.25, percentChange: 1 }),
    ]);
    assert.match(long, /^(ที่){7}ที/, "eight letters and their marks fit");
  });

  it("show a dash below the last whole digit of the prices for a pair without a trade", async () => {
    const [known = "", none = ""] = await linesOf([
      tickerOf("THB_BTC", { last: 100.25, bestBid: 99.5, bestAsk: 101.25, percentChange: 0 }),
      tickerOf("THB_TBC", { last: undefined, bestBid: 5.25, bestAsk: 6.75, percentChange: 0 }),
    ]);
    const [digit, dash] = [widthOf(known.split(".")[0] ?? ""), widthOf(none.slice(0, none.indexOf("–") + 1))];
    assert.ok(Math.abs(digit - dash) < 10, `${digit} ${dash}`);
    const change = [known, none].map((line) => widthOf(line.slice(0, line.lastIndexOf("0.00"))));
    assert.ok(Math.abs((change[0] ?? 0) - (change[1] ?? 0)) < 10, change.join(" "));
  });

  it("begin with the price, and shorten a long name before either figure", async () => {
    const name = "A".repeat(20);
    const [long = ""] = await linesOf([tickerOf(`THB_${name}`, { last: 100, percentChange: 1 })]);
    assert.match(long, /^A{5,9}…[^A]*100\.00\s+\+1\.00%$/);
  });

  it("stay aligned despite one very wide pair", async () => {
    const usual = tickerOf("THB_BTC", { last: 100, percentChange: 1 });
    const strange = tickerOf(`THB_${"W".repeat(24)}`, { last: 1e15, percentChange: 1e9 });
    const [alone = ""] = await linesOf([usual]);
    const [beside = ""] = await linesOf([usual, strange]);
    assert.equal(beside, alone);
  });
});
