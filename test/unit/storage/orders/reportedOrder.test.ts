import assert from "node:assert/strict";
import type { Account, OrderName } from "../../../../src/market/order.ts";
import {
  applyReport,
  type Fill,
  isUnlisted,
  type KnownOrder,
  type OrderReport,
} from "../../../../src/market/orderReport.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { recordsOf, reportOf } from "../../../../src/storage/orders/placedOrderRecords.ts";
import { recordToWrite } from "../../../../src/storage/orders/records.ts";
import type { FoldedOrders } from "../../../../src/storage/orders/foldedOrders.ts";
import type { OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { ENDED, JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { pick, seededRandom } from "../../../support/random.ts";
import { fold, foldedOrders } from "../../../support/builders/foldedOrders.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
const practice = { venue: "practice", origin: "http://127.0.0.1:40000" } as const;
const name: OrderName = { ...live, quote: "THB", base: "BTC", side: "sell", orderId: "7" };

/** The fields that have a value. */
function roundTrip(of: OrderReport): unknown {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined));
}

describe("records of a placed order", () => {
  it("hold the whole report without its fills, and each fill", () => {
    const report: OrderReport = testReport({
      clientId: "BSD-1",
      status: "partlyFilledCancelled",
      amount: new Decimal("1000.5"),
      trigger: new Decimal("90"),
      remaining: new Decimal("3"),
      placedAt: 5,
      closedAt: 9,
      fills: [
        testFill("1", "4"),
        { ...testFill("2", "3"), isMaker: true, isQuantityAbout: true, fee: new Decimal("-0.5") },
      ],
    });
    const [first, ...fills] = recordsOf(report, live, NOON).map(
      (record) => recordToWrite(record) ?? assert.fail("not writable"),
    );
    assert.ok(first?.kind === "report");
    assert.deepEqual(roundTrip(reportOf(first)), { ...report, fills: [] });
    assert.deepEqual(
      fills.flatMap((record) => (record.kind === "fill" ? reportOf(record).fills : [])),
      report.fills,
    );
  });

  it("have only the fields that the exchange reported", () => {
    const { rate, quantity, orderId, symbol, pair, side, askedAt } = testReport();
    const fill = testFill("1", "4");
    const records = recordsOf(testReport({ fills: [fill] }), live, NOON);
    const order = { at: NOON, ...live, orderId, symbol, ...pair, side };
    assert.deepEqual(records.map(recordToWrite), [
      { kind: "report", source: "info", ...order, rate: "100", quantity: "10", askedAt },
      {
        kind: "fill",
        source: "info",
        ...order,
        txn: "1",
        filledAt: fill.at,
        rate: "100",
        quantity: "4",
        value: "400",
        fee: "1",
      },
    ]);
    const reports = { source: "info", orderId, symbol, pair, side };
    const [report = assert.fail(), ofFill = assert.fail()] = records.map(reportOf);
    assert.deepEqual(roundTrip(report), { ...reports, rate, quantity, askedAt, fills: [] });
    assert.deepEqual(roundTrip(ofFill), { ...reports, askedAt: 0, fills: [fill] });
  });

  it("hold at most 20 other ids, unclear fills, and when an order was unlisted", () => {
    const ids = Array.from({ length: 21 }, (_, index) => `other-${index}`);
    const clientId = "x".repeat(200);
    const [record] = recordsOf(
      testReport({ otherIds: ids, unclearFills: 0, goneAt: 2000, clientId }),
      live,
      NOON,
    ).map((each) => recordToWrite(each) ?? assert.fail("not writable"));
    assert.ok(record?.kind === "report");
    const { otherIds, unclearFills, goneAt, clientId: recorded } = reportOf(record);
    assert.deepEqual([otherIds, unclearFills, goneAt, recorded], [ids.slice(0, 20), 0, 2000, clientId]);
  });

  it("have no negative figure and no overlong client id", () => {
    const [record] = recordsOf(
      testReport({ remaining: new Decimal("-1"), clientId: "x".repeat(201) }),
      live,
      NOON,
    );
    assert.ok(record?.kind === "report");
    assert.deepEqual([record.remaining, record.clientId], ["0", undefined]);
  });
});

describe("orders that an exchange reported", () => {
  let folder: JournalFolder;
  let journal: OrderJournal;

  beforeEach(() => {
    folder = new JournalFolder();
    journal = folder.open();
  });
  afterEach(() => folder.remove());

  const statusIn = (opened: OrderJournal): string | undefined => opened.order(name)?.known?.status;
  const linesOnDisk = (): number => folder.lines().length;

  it("are read back from the disk, by every window", () => {
    const other = folder.open();
    journal.recordReports([testReport({ status: "filled", fills: [testFill("1", "10")] })], live);
    assert.equal(statusIn(journal), "filled");
    assert.equal(statusIn(other), undefined);
    assert.ok(other.reread());
    for (const each of [other, folder.open()]) {
      assert.equal(statusIn(each), "filled");
      assert.equal(each.order(name)?.known?.fills.length, 1);
      assert.equal(each.order(name)?.at, NOON);
    }
  });

  it("record only the new part of a report", () => {
    const open = testReport({ status: "open", fills: [testFill("1", "4")] });
    assert.equal(journal.recordReports([open], live), true);
    assert.equal(linesOnDisk(), 2);
    assert.equal(journal.recordReports([{ ...open, askedAt: 9000 }], live), false);
    assert.equal(linesOnDisk(), 2, "the same again");
    journal.recordReports([{ ...open, fills: [testFill("1", "4"), testFill("2", "1")] }], live);
    assert.equal(linesOnDisk(), 4, "one new fill");
    journal.recordReports([{ ...open, status: "cancelled" }], live);
    assert.equal(linesOnDisk(), 5, "an end");
    journal.recordReports([{ ...open, fills: [testFill("1", "5")] }], live);
    assert.equal(linesOnDisk(), 7, "other figures of a known fill");
    journal.recordReports([{ ...open, fills: [testFill("1", "5")] }], live);
    assert.equal(linesOnDisk(), 7, "the same contradiction again");
    assert.equal(statusIn(folder.open()), "partlyFilledCancelled");
  });

  it("count an own order's fill that is reported under two ids as one trade, even after a restart", () => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    journal.recordReports([testReport({ fills: [testFill("1", "10")] })], live);
    journal.recordReports([testReport({ fills: [testFill("BTC-1", "10")] })], live);
    for (const each of [journal, folder.open()])
      assert.deepEqual(
        each.trades.get(live, { quote: "THB", base: "BTC" })?.trades.map(({ txn }) => txn),
        ["1"],
      );
  });

  it("record the first report of an own order, even if it adds nothing to what was sent", () => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10", rate: "100" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    journal.recordCancel({ ...name, symbol: intent.symbol, step: "asked" });
    const [sent] = journal.orders();
    assert.ok(sent?.known);
    assert.deepEqual([sent.isReported, sent.known.status], [false, undefined]);
    const report = { ...sent.known, fills: [] };
    assert.equal(journal.recordReports([report], live), true);
    assert.equal(journal.orders()[0]?.isReported, true);
    assert.equal(journal.recordReports([report], live), false);
  });

  it("never raise an own order's amount above what was sent", () => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    journal.recordReports([testReport({ status: "open", quantity: new Decimal("12") })], live);
    for (const each of [journal, folder.open()])
      assert.equal(each.order(name)?.known?.quantity?.toFixed(), "10");
  });

  it("are unlisted or listed again in the order of the requests, even if the clock was set back", () => {
    const isListed = (): boolean[] =>
      [journal, folder.open()].map((each) => {
        const known = each.order(name)?.known ?? assert.fail("no order");
        return !isUnlisted(known);
      });
    journal.recordReports([testReport({ status: "open", askedAt: 5000 })], live);
    journal.recordReports([testReport({ goneAt: 3000 })], live);
    assert.deepEqual(isListed(), [false, false]);
    journal.recordReports([testReport({ status: "open", askedAt: 2000 })], live);
    assert.deepEqual(isListed(), [true, true]);
    journal.recordReports([testReport({ goneAt: 9000 })], live);
    assert.deepEqual(isListed(), [false, false]);
    assert.equal(journal.order(name)?.known?.goneAt, 9000);
  });

  it("are separate per side, pair, origin and venue", () => {
    journal.recordReports([testReport({ status: "open" })], live);
    for (const other of [
      { side: "buy" },
      { base: "ETH" },
      { quote: "USD" },
      { orderId: "8" },
      { origin: "https://other.example.com" },
      { venue: "practice" },
    ] as const)
      assert.equal(journal.order({ ...name, ...other }), undefined, JSON.stringify(other));
  });

  it("stay with the practice exchange when its address changes, until its account is reset", () => {
    journal.recordReports([testReport({ status: "open" })], practice);
    const moved = { ...name, ...practice, origin: "http://127.0.0.1:50000" };
    assert.equal(journal.order(moved)?.known?.status, "open");
    folder.clock += 5;
    journal.recordReports([testReport({ status: "open" })], live);
    journal.recordAccountReset(crypto.randomUUID());
    assert.deepEqual(
      journal.elsewhere().map(({ account: { venue } }) => venue),
      ["live"],
    );
  });

  it("have the newest step of a cancellation", () => {
    const cancel = { ...name, symbol: "THB_BTC" } as const;
    journal.recordCancel({ ...cancel, step: "asked" });
    folder.clock += 1;
    journal.recordCancel({ ...cancel, step: "refused", reason: "error 21" });
    for (const each of [journal, folder.open()]) {
      const order = each.order(name);
      assert.deepEqual([order?.cancel?.step, order?.cancel?.reason], ["refused", "error 21"]);
      assert.deepEqual([order?.known, order?.isReported], [undefined, false]);
    }
    assert.equal(journal.recordReports([testReport()], live), true);
    assert.equal(journal.order(name)?.isReported, true);
  });

  it("have the newest cost entered by hand, and none after its removal", () => {
    const cost = { ...live, quote: "THB", base: "BTC" } as const;
    journal.recordCost({ ...cost, quantity: "1", cost: "100" });
    folder.clock += 1;
    journal.recordCost({ ...cost, quantity: "2", cost: "300" });
    const costs = () =>
      folder
        .open()
        .trades.all()
        .map(({ entered }) => entered && [plainText(entered.quantity), plainText(entered.cost)]);
    assert.deepEqual(costs(), [["2", "300"]]);
    folder.clock += 1;
    journal.recordCost({ ...cost, quantity: "0", cost: "0" });
    assert.deepEqual(costs(), []);
  });

  it("survive the merge of their month, and count once if they are in two files", () => {
    const records = recordsOf(testReport({ status: "filled", fills: [testFill("1", "10")] }), live, NOON);
    folder.write(ENDED, ...records);
    folder.write(ENDED + 1, ...records, ...recordsOf(testReport({ orderId: "8" }), live, NOON));
    folder.clock = Date.UTC(2026, 11, 2);
    const merged = folder.open();
    assert.match(folder.files().join(), /^orders-2026-11-merged-\w+\.log$/);
    assert.equal(merged.order(name)?.known?.fills.length, 1);
    assert.equal(merged.elsewhere().length, 2);
    assert.deepEqual(merged.skippedLines, []);
  });

  it("are complete once their outcome and all fills are known", () => {
    const isComplete = (): unknown => journal.elsewhere().map((order) => order.isComplete);
    const record = (orderId: string, changes: Partial<OrderReport>): unknown =>
      journal.recordReports([testReport({ orderId, ...changes })], live);
    for (const orderId of ["1", "2", "3", "4", "5"]) record(orderId, { status: "open" });
    record("1", { status: "cancelled" });
    record("2", { fills: [testFill("a", "10")] });
    record("3", { goneAt: 2000 });
    record("4", { closedAt: 2000 });
    record("5", { status: "filled", fills: [testFill("a", "4")] });
    assert.deepEqual(isComplete(), [true, true, false, false, false]);
  });

  it("are the same whether fills are applied one by one or all at once", () => {
    const random = seededRandom(31);
    for (let round = 0; round < 300; round += 1) {
      const folded = foldedOrders();
      const records = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, at) => {
        const fill = testFill(
          pick(random, ["1", "2", "3", "4", "5"]),
          pick(random, ["2", "3"]),
          "100",
          5000 - at,
        );
        const status = pick(random, [
          undefined,
          undefined,
          undefined,
          "open",
          "cancelled",
          "rejected",
        ] as const);
        const symbol = pick(random, ["THB_BTC", "THB_BTC", "THB_BTC", "BTC_THB"]);
        const clientId = pick(random, [undefined, undefined, undefined, "BSD-1"]);
        const [report, ...fills] = recordsOf(
          testReport({ status, symbol, clientId, fills: [fill] }),
          live,
          at,
        );
        return (status ? report : fills[0]) ?? assert.fail("no record");
      });
      fold(folded, ...records);
      const reports = records.map(reportOf);
      assert.deepEqual(
        folded.get(name)?.known,
        reports.reduce<KnownOrder | undefined>((known, report) => applyReport(known, report), undefined),
      );
    }
  });

  it("count 20,000 fills of one order in one step", () => {
    const folded = foldedOrders();
    const fills = Array.from({ length: 20_000 }, (_, index) =>
      testFill(String(index), "0.0001", "100", index),
    );
    fold(folded, ...recordsOf(testReport({ fills }), live, NOON));
    assert.equal(folded.get(name)?.known?.fills.length, 20_000);
  });

  describe("in large numbers", () => {
    const reports = (count: number, prefix = "x"): OrderReport[] =>
      Array.from({ length: count }, (_, index) =>
        testReport({ orderId: `${prefix}${index}`, status: "open" }),
      );
    /** An ask for 10 base, accepted as order 7, and a report with this many fills of 0.01 each. */
    const accept = (): void => {
      const intent = bidIntent({ ...live, side: "sell", amount: "10" });
      journal.recordIntent(intent);
      journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    };
    const filled = (from: number, to: number): OrderReport => {
      const fills = Array.from({ length: to - from }, (_, index) =>
        testFill(String(from + index), "0.01", "100", 1000 + index),
      );
      return testReport({ status: "open", fills });
    };
    const counts = (): unknown => [
      journal.elsewhere().length,
      journal.order(name)?.known?.fills.length,
      journal.omittedRecords,
    ];

    it("are recorded up to 2,000 per response, besides every own order", () => {
      accept();
      journal.recordReports([...reports(2_003), filled(0, 5)], live);
      assert.deepEqual(counts(), [2_000, 5, 3]);
    });

    it("leave room for others, however many fills an own order has", () => {
      accept();
      journal.recordReports([filled(0, 900), ...reports(2_000)], live);
      assert.deepEqual(counts(), [2_000, 900, 0]);
    });

    it("include an own order's first 1,000 fills when there is no room for others", () => {
      accept();
      journal.recordReports([filled(0, 1_050)], live);
      const { known } = journal.order(name) ?? assert.fail("no order");
      assert.deepEqual([known?.fills.length, known?.surplus.length], [1_000, 50]);
      journal.recordReports(
        [...reports(2_000), { ...filled(2_000, 2_100), remaining: new Decimal("1") }],
        live,
      );
      assert.deepEqual(counts(), [2_000, 1_000, 100]);
      assert.equal(journal.order(name)?.known?.remaining?.toFixed(), "1", "the report itself is recorded");
    });

    it("are recorded up to 10,000 a day", () => {
      for (let response = 0; response < 6; response += 1) {
        folder.clock = NOON + response * 60_000;
        journal.recordReports(reports(2_000, `${response}-`), live);
      }
      assert.deepEqual(counts(), [10_000, undefined, 2_000]);
      folder.clock = NOON + 86_400_000;
      journal.recordReports(reports(2, "next-"), live);
      assert.deepEqual(counts(), [10_002, undefined, 2_000]);
    });
  });

  it("do not appear among own orders", () => {
    journal.recordReports([testReport({ status: "filled" })], live);
    assert.deepEqual([journal.orders(), journal.skippedLines], [[], []]);
  });
});

describe("reported orders whose records come in any sequence", () => {
  let folded: FoldedOrders;

  beforeEach(() => {
    folded = foldedOrders();
  });

  /** Adds what an answer says of an order, recorded at `at`. */
  function record(changes: Partial<OrderReport>, at: number, place: Account = live): void {
    fold(folded, ...recordsOf(testReport(changes), place, at));
  }
  /** Adds the fills alone. */
  function fill(symbol: string, fills: readonly Fill[], at: number): void {
    fold(folded, ...recordsOf(testReport({ symbol, fills }), live, at).slice(1));
  }

  it("start after the latest practice reset, whichever reset is read first", () => {
    for (const at of [10, 20, 30])
      record({ orderId: String(at), status: "open", fills: [testFill("a", "1")] }, at, practice);
    for (const at of [20, 5])
      fold(folded, { kind: "accountReset", id: crypto.randomUUID(), venue: "practice", at });
    assert.deepEqual(
      folded.elsewhere.map((order) => order.name?.orderId),
      ["30"],
    );
    assert.equal(folded.trades.get(practice, { quote: "THB", base: "BTC" })?.trades.length, 1);
    assert.equal(folded.resetAt, 20);
  });

  it("follow the earliest record, not the one read first", () => {
    fill("THB_BTC", [testFill("1", "5")], 2);
    fill("THB_BTC", [testFill("1", "4")], 1);
    const { known } = folded.get(name) ?? assert.fail("no order");
    assert.deepEqual(known?.fills, [testFill("1", "4")]);
  });

  it("have nothing new in a report under one id whose fills another id reported", () => {
    const fills = [testFill("1", "4")];
    fold(folded, ...recordsOf(testReport({ orderId: "7", status: "open", fills }), live, 1));
    fold(folded, ...recordsOf(testReport({ orderId: "9", otherIds: ["7"], status: "open" }), live, 2));
    assert.equal(folded.newPartOf(testReport({ orderId: "9", fills }), live), undefined);
  });

  it("have the latest step of a cancellation, even if an older one is read later", () => {
    const cancel = { kind: "cancel", ...name, symbol: "THB_BTC" } as const;
    fold(folded, { ...cancel, step: "taken", at: 5 });
    assert.equal(folded.get(name)?.cancel?.step, "taken");
    fold(folded, { ...cancel, step: "asked", at: 4 });
    assert.equal(folded.get(name)?.cancel?.step, "taken");
  });

  it("list contradictions in the order of the records, even for fills applied at once", () => {
    fill("THB_BTC", [testFill("1", "4"), testFill("2", "3")], 1);
    assert.equal(folded.get(name)?.known?.contradictions.length, 0);
    fill("BTC_THB", [testFill("1", "5"), testFill("2", "2")], 2);
    assert.deepEqual(
      folded.get(name)?.known?.contradictions.map(({ about }) => about),
      ["fill", "symbol", "fill"],
    );
  });
});

describe("orders of this computer", () => {
  it("get the reports of their id, the newest of two if the exchange uses an id again", () => {
    const folded = foldedOrders();
    const intents = [NOON, NOON + 1].map((at) => bidIntent({ ...live, side: "sell", amount: "10", at }));
    for (const intent of intents)
      fold(
        folded,
        { kind: "intent", ...intent },
        { kind: "outcome", id: intent.id, at: intent.at, state: "accepted", orderId: "7" },
      );
    fold(folded, ...recordsOf(testReport({ status: "open", fills: [testFill("1", "4")] }), live, NOON + 2));
    assert.deepEqual(
      folded.own.map(({ intent, isReported, known }) => [intent.at, isReported, known?.fills.length]),
      [
        [NOON + 1, true, 1],
        [NOON, false, 0],
      ],
    );
  });

  it("have no reports without an id", () => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10" });
    const [order] = foldedOrders({ kind: "intent", ...intent }).own;
    assert.deepEqual([order?.ids, order?.currentId, order?.isReported], [[], undefined, false]);
  });
});
