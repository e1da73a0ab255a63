import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Side } from "../../../../src/market/order.ts";
import { COLUMNS, fillsExportText } from "../../../../src/storage/orders/fillsExport.ts";
import { recordsOf } from "../../../../src/storage/orders/placedOrderRecords.ts";
import type { FoldedOrders } from "../../../../src/storage/orders/foldedOrders.ts";
import { localDate } from "../../../../src/time/localDay.ts";
import { NOON } from "../../../support/builders/bidIntent.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { fold, foldedOrders } from "../../../support/builders/foldedOrders.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
const btc = { quote: "THB", base: "BTC" };

function add(book: FoldedOrders, side: Side, orderId: string, ...fills: Parameters<typeof testFill>[]): void {
  const report = testReport({ side, orderId, fills: fills.map((fill) => testFill(...fill)) });
  fold(book, ...recordsOf(report, live, NOON));
}

/** The rows below the headings, each with its cells by heading; empty cells are left out. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((cells) =>
    Object.fromEntries(cells.flatMap((cell, index) => (cell === "" ? [] : [[head[index] ?? "", cell]]))),
  );
}

function exampleBook(): FoldedOrders {
  const book = foldedOrders();
  add(book, "buy", "1", ["11", "2", "100", 1000]);
  add(book, "buy", "2", ["21", "1", "90", 2000]);
  add(book, "sell", "3", ["31", "3", "80", 3000]);
  fold(book, { kind: "cost", at: NOON, ...live, ...btc, quantity: "0.5", cost: "60" });
  return book;
}

describe("the export of fills and results", () => {
  it("has fixed columns, which the manual lists in their order", () => {
    const [head = ""] = fillsExportText([], "comma").split("\r\n");
    assert.equal(
      head.replaceAll(/[\uFEFF"]/g, ""),
      "row,time,venue,origin,base,quote,side,order id,fill id,rate,quantity,value,fee,maker,cost from,bought time,bought order id,bought fill id,cost,proceeds,result,account,date",
    );
    const manual = readFileSync("docs/fills-export.md", "utf8").split("## Columns")[1] ?? "";
    const named = [...manual.matchAll(/^\| `([a-z ]+)` /gm)].map(([, name]) => name);
    assert.deepEqual(named, [...COLUMNS]);
  });

  it("lists each fill once with exact figures", () => {
    const fills = rowsOf(fillsExportText(exampleBook().trades.all(), "comma")).filter(
      ({ row }) => row === "fill",
    );
    assert.deepEqual(fills[2], {
      row: "fill",
      time: "1970-01-01T00:00:03.000Z",
      venue: "live",
      origin: "https://api.example.com",
      base: "BTC",
      quote: "THB",
      side: "sell",
      "order id": "3",
      "fill id": "31",
      rate: "80",
      quantity: "3",
      value: "240",
      fee: "0.6",
      account: `'${live.account}`,
      date: localDate(3000),
    });
    assert.deepEqual(
      fills.map((fill) => fill["fill id"]),
      ["11", "21", "31"],
    );
  });

  it("splits a sale by its purchases, first in, first out, after the cost entered by hand", () => {
    const rows = rowsOf(fillsExportText(exampleBook().trades.all(), "comma"));
    const lots = rows.filter(({ row }) => row === "lot");
    assert.deepEqual(
      lots.map((lot) => [
        lot["quantity"],
        lot["cost from"],
        lot["bought fill id"],
        lot["cost"],
        lot["proceeds"],
        lot["result"],
      ]),
      [
        ["0.5", "entered", undefined, "60", "39.9", "-20.1"],
        ["2", "fill", "11", "200.5", "159.6", "-40.9"],
        ["0.5", "fill", "21", "45.1125", "39.9", "-5.2125"],
      ],
    );
    assert.ok(lots.every((lot) => lot["fill id"] === "31" && lot["side"] === "sell"));
    const entered = rows.find(({ row }) => row === "entered");
    assert.deepEqual([entered?.["quantity"], entered?.["cost"], entered?.["side"]], ["0.5", "60", undefined]);
  });

  it("leaves cost and result of a sale without a known purchase empty", () => {
    const book = foldedOrders();
    add(book, "sell", "3", ["31", "3", "80", 3000]);
    const [, lot] = rowsOf(fillsExportText(book.trades.all(), "comma"));
    assert.deepEqual(
      [lot?.["cost from"], lot?.["cost"], lot?.["result"], lot?.["proceeds"]],
      ["unknown", undefined, undefined, "239.4"],
    );
  });

  it("escapes text of the exchange for spreadsheets", () => {
    const book = foldedOrders();
    add(book, "buy", '=HYPERLINK("x")', ["@1", "2"], ["+1", "2"], ["-1+1", "2"]);
    const ids = rowsOf(fillsExportText(book.trades.all(), "comma")).map((row) => row["fill id"]);
    assert.deepEqual(ids.toSorted(), ["'+1", "'-1+1", "'@1"]);
    assert.match(fillsExportText(book.trades.all(), "comma"), /"'=HYPERLINK\(""x""\)"/);
  });
});
