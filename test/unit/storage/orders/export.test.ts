import assert from "node:assert/strict";
import fc from "fast-check";
import { exportText } from "../../../../src/storage/orders/export.ts";
import type { OrderEvent, Outcome } from "../../../../src/storage/orders/records.ts";
import type { SentOrder } from "../../../../src/storage/orders/order.ts";
import type { SkippedLine } from "../../../../src/storage/orders/skippedLines.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { anyText } from "../../../support/builders/anyText.ts";

/** Reads CSV exactly as RFC 4180 says. */
function cellsOf(csv: string): string[][] {
  return csv
    .split(/\r\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((line) => line !== "")
    .map((line) =>
      [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll('""', '"')),
    );
}

function bidWith(fields: Partial<SentOrder>): SentOrder {
  return { intent: bidIntent(), state: "unknown", since: NOON, orderId: undefined, evidence: [], ...fields };
}

const withBids = (...bids: SentOrder[]) => ({ own: bids, skippedLines: [] });

describe("exported bids", () => {
  it("are one line each under the headings, with exact amounts and every piece of evidence", () => {
    const { id } = bidIntent();
    const intent = bidIntent({ id, amount: "0.000000010000000000000000001" });
    const csv = exportText(
      withBids(
        bidWith({
          intent,
          state: "accepted",
          settledBy: "user",
          evidence: [
            { kind: "check", id, at: NOON, text: "" },
            { kind: "outcome", id, at: NOON + 1, state: "unknown", reason: "timeout" },
            { kind: "check", id, at: NOON + 2, available: "5", text: "1000 less" },
            { kind: "settled", id, at: NOON + 3, by: "user", as: "accepted", evidence: 'seen "there"' },
          ],
        }),
      ),
      "comma",
    );
    const [headings = [], cells = [], ...others] = cellsOf(csv);
    assert.equal(others.length, 0);
    const byHeading = Object.fromEntries(headings.map((heading, index) => [heading, cells[index]]));
    assert.deepEqual(byHeading, {
      id,
      time: "2026-11-01T12:00:00.000Z",
      venue: "practice",
      origin: "http://127.0.0.1:40000",
      symbol: "THB_BTC",
      base: "BTC",
      quote: "THB",
      amount: "0.000000010000000000000000001",
      rate: "3500000",
      "expected quantity": "0.000285",
      "expected fee": "2.5",
      "available before": "250000.5",
      state: "accepted",
      "settled by": "user",
      "post only": "",
      account: "",
      side: "buy",
      "state since": "2026-11-01T12:00:00.000Z",
      "order id": "",
      evidence: [
        "2026-11-01T12:00:00.000Z check: ",
        "2026-11-01T12:00:00.001Z unknown: timeout",
        "2026-11-01T12:00:00.002Z check: 1000 less (available 5)",
        '2026-11-01T12:00:00.003Z marked by user as accepted: seen "there"',
      ].join("\n"),
    });
  });

  it("describe each outcome, and omit what is missing", () => {
    const { id } = bidIntent();
    const outcomes: [Outcome, string][] = [
      [{ state: "accepted", orderId: "77" }, "accepted as 77"],
      [{ state: "accepted" }, "accepted"],
      [
        { state: "accepted", orderId: "7", differences: [{ field: "rate", sent: "1", returned: "2" }] },
        "accepted as 7; rate sent 1, receipt 2",
      ],
      [
        { state: "rejected", code: 18, message: "insufficient balance" },
        "rejected with 18: insufficient balance",
      ],
      [{ state: "rejected", code: "V1007-CW" }, "rejected with V1007-CW"],
      [{ state: "notSent", reason: "unreachable" }, "notSent: unreachable"],
      [{ state: "unknown", reason: "timeout" }, "unknown: timeout"],
    ];
    for (const [outcome, text] of outcomes) {
      const evidence: OrderEvent[] = [
        { ...outcome, kind: "outcome", id, at: NOON },
        { kind: "check", id, at: NOON, text: "unread" },
      ];
      const intent = bidIntent({ availableBefore: undefined });
      const csv = exportText(withBids(bidWith({ intent, orderId: undefined, evidence })), "comma");
      assert.ok(csv.endsWith("\r\n"));
      const [, cells = [], ...others] = cellsOf(csv);
      assert.equal(others.length, 0);
      const time = "2026-11-01T12:00:00.000Z";
      assert.equal(cells[15], `${time} ${text}\n${time} check: unread`);
      assert.equal(cells[11], "", "not known before");
    }
  });

  it("say that a check ended an order, that an order was post only, and that nobody settled one", () => {
    const { id } = bidIntent();
    const intent = bidIntent({ id, postOnly: true });
    const given = { kind: "settled", id, at: NOON, as: "unresolved", evidence: "24 hours" } as const;
    const csv = exportText(withBids(bidWith({ intent, evidence: [{ ...given, by: "check" }] })), "comma");
    const [headings = [], cells = []] = cellsOf(csv);
    const textOf = (heading: string) => cells[headings.indexOf(heading)];
    assert.equal(textOf("evidence"), "2026-11-01T12:00:00.000Z ended by a check as unresolved: 24 hours");
    assert.equal(textOf("post only"), "yes");
    assert.equal(textOf("settled by"), "");
  });

  it("keep a cell as it is if a tab or a line break is not at its beginning", () => {
    for (const text of ["a\tb", "a\rb"]) {
      const [, cells = []] = cellsOf(exportText(withBids(bidWith({ orderId: text })), "comma"));
      assert.equal(cells[14], text);
    }
  });

  it("are one line for each bid, in the given order", () => {
    const bids = ["1", "2", "3"].map((orderId) => bidWith({ orderId }));
    const [headings, ...lines] = exportText(withBids(...bids), "comma")
      .trim()
      .split("\r\n");
    assert.match(headings ?? "", /^"id","time",/);
    assert.deepEqual(
      lines.map((line) => cellsOf(line)[0]?.[14]),
      ["1", "2", "3"],
    );
    assert.match(exportText(withBids(...bids), "json"), /^\{\n {2}"orders": \[\n {4}\{\n[^]*\n\}\n$/);
  });

  it("are only headings if there is no order", () => {
    assert.equal(cellsOf(exportText({ own: [], skippedLines: [] }, "comma")).length, 1);
    const empty = { orders: [], skippedLines: [] };
    assert.deepEqual(JSON.parse(exportText({ own: [], skippedLines: [] }, "json")), empty);
  });

  for (const hostile of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u00A0=1", "＝1+1"])
    it(`never start a cell with a formula: ${JSON.stringify(hostile)}`, () => {
      const [, cells = []] = cellsOf(exportText(withBids(bidWith({ orderId: hostile })), "comma"));
      const cell = cells.find((each) => each.replaceAll("'", "") === hostile);
      assert.ok(cell?.startsWith("'"), JSON.stringify(cells));
    });

  for (const [hostile, safe] of [
    ["1;=HYPERLINK(A1);", "1;'=HYPERLINK(A1);"],
    ["1, +1", "1,' +1"],
    ["a\n@SUM(A1)", "a\n'@SUM(A1)"],
    ["a\t-1|=2", "a\t'-1|'=2"],
  ] as const)
    it(`have no formula after a character at which a spreadsheet splits: ${JSON.stringify(hostile)}`, () => {
      const [, cells = []] = cellsOf(exportText(withBids(bidWith({ orderId: hostile })), "comma"));
      assert.ok(cells.includes(safe), JSON.stringify(cells));
    });

  it("begin with a byte order mark, by which spreadsheets recognize UTF-8", () => {
    assert.ok(exportText(withBids(), "comma").startsWith('\uFEFF"id"'));
    assert.ok(exportText(withBids(), "semicolon").startsWith('\uFEFF"id"'));
    assert.ok(exportText(withBids(), "json").startsWith("{"));
  });

  for (const [id, cell] of [
    ["1234567890123456789", "'1234567890123456789"],
    ["0012", "'0012"],
    ["12E34", "'12E34"],
    ["123456789012345", "123456789012345"],
    ["fwQ6dnQjZzxuKHdkRg", "fwQ6dnQjZzxuKHdkRg"],
  ] as const)
    it(`keep the id ${id} as it is in a spreadsheet`, () => {
      const [, cells = []] = cellsOf(exportText(withBids(bidWith({ orderId: id })), "comma"));
      assert.equal(cells[14], cell);
    });

  it("have semicolons, and decimal commas in numbers only, if so configured", () => {
    const order = bidWith({ intent: bidIntent({ amount: "1000.25", rate: "3500000.5" }), orderId: "1.5" });
    const [, line = ""] = exportText(withBids(order), "semicolon").split("\r\n");
    const cells = line.split(";");
    assert.deepEqual([cells[7], cells[8], cells[14]], ['"1000,25"', '"3500000,5"', '"1.5"']);
    assert.equal(cells.length, 20);
  });

  it("are the same after reading the CSV, for any text of a service, and contain no formula", () => {
    fc.assert(
      fc.property(anyText(), (orderId) => {
        const [, cells = [], ...others] = cellsOf(exportText(withBids(bidWith({ orderId })), "comma"));
        assert.equal(cells.length, 20);
        assert.equal(others.length, 0);
        const cell = cells[14] ?? "";
        assert.equal(cell.replaceAll("'", ""), orderId.replaceAll("'", ""));
        assert.doesNotMatch(cell, /^\s*[=+\-@]/);
      }),
      { numRuns: 300 },
    );
  });

  it("are complete in JSON, with the skipped lines by file and line", () => {
    const bid = bidWith({ state: "accepted", orderId: '"=1' });
    const skippedLines: SkippedLine[] = [
      { file: "b.log", line: 12, reason: "contradiction" },
      { file: "b.log", line: 9, reason: "damaged" },
      { file: "a.log", line: undefined, reason: "unreadable" },
    ];
    assert.deepEqual(JSON.parse(exportText({ own: [bid], skippedLines }, "json")), {
      orders: [JSON.parse(JSON.stringify(bid))],
      skippedLines: [
        { file: "a.log", count: 1, lines: [{ reason: "unreadable" }] },
        {
          file: "b.log",
          count: 2,
          lines: [
            { line: 9, reason: "damaged" },
            { line: 12, reason: "contradiction" },
          ],
        },
      ],
    });
  });
});
