import assert from "node:assert/strict";
import fc from "fast-check";
import { type AccountRef, keyOf, type OrderName } from "../../../../src/market/order.ts";
import type { Fill, OrderReport } from "../../../../src/market/orderReport.ts";
import { isUnlisted, type KnownOrder } from "../../../../src/market/orders/knownOrder.ts";
import { type IdObservation, observationsIn } from "../../../../src/market/orders/observation.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import {
  observationOf,
  type PlacedOrderRecord,
  recordsOf,
} from "../../../../src/storage/orders/placedOrderRecords.ts";
import { recordToWrite } from "../../../../src/storage/orders/records.ts";
import type { FoldedOrders } from "../../../../src/storage/orders/foldedOrders.ts";
import type { OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import {
  type History,
  histories,
  ModelExchange,
  NO_FAULTS,
} from "../../../support/builders/modelExchange.ts";
import { assertProperty } from "../../../support/rounds.ts";
import { ExchangeOrders, type OwnSource } from "../../../../src/storage/orders/exchangeOrders.ts";
import { ENDED, JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import { fold, foldedOrders } from "../../../support/builders/foldedOrders.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
const practice = { venue: "practice", origin: "http://127.0.0.1:40000" } as const;
const name: OrderName = { ...live, quote: "THB", base: "BTC", side: "sell", orderId: "7" };

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
    const listed = [testReport({ orderId: "8", clientId: "BSD-1" })];
    for (const source of ["list", "info", "history", "push"] as const) {
      const from = { ...report, source, askedAt: NOON, otherIds: ["6", "9"], laterId: "9" };
      assert.deepEqual(
        recordsOf(from, live, NOON, listed).map((each) =>
          observationOf((recordToWrite(each) ?? assert.fail("not writable")) as PlacedOrderRecord),
        ),
        observationsIn(from, listed),
      );
    }
  });

  it("have only the fields that the exchange reported", () => {
    const { orderId, symbol, pair, side } = testReport();
    const fill = testFill("1", "4");
    const records = recordsOf(testReport({ fills: [fill] }), live, NOON);
    const order = { at: NOON, ...live, orderId, symbol, ...pair, side };
    assert.deepEqual(records.map(recordToWrite), [
      { kind: "report", source: "info", ...order, rate: "100", quantity: "10" },
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
  });

  it("hold at most 20 earlier ids", () => {
    const ids = Array.from({ length: 21 }, (_, index) => `other-${index}`);
    const clientId = "x".repeat(200);
    const [record] = recordsOf(testReport({ otherIds: ids, clientId }), live, NOON).map(
      (each) => recordToWrite(each) ?? assert.fail("not writable"),
    );
    assert.ok(record?.kind === "report");
    assert.deepEqual([record.earlierIds, record.clientId], [ids.slice(0, 20), clientId]);
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
    folder.clock += 1000;
    assert.equal(journal.recordReports([open], live), false);
    assert.equal(linesOnDisk(), 2, "the same again");
    const later = (changes: Partial<OrderReport>): number => {
      folder.clock += 1000;
      const before = linesOnDisk();
      journal.recordReports([{ ...open, ...changes }], live);
      return linesOnDisk() - before;
    };
    const more = [testFill("1", "4"), testFill("2", "1")];
    assert.equal(later({ fills: more }), 1, "one new fill");
    assert.equal(later({ status: "cancelled", fills: more }), 1, "an end");
    assert.ok(
      later({ status: "cancelled", fills: [testFill("1", "5")] }) > 0,
      "other figures of a known fill",
    );
    for (const quantity of ["5", "6"])
      assert.equal(
        later({ status: "cancelled", fills: [testFill("1", quantity)] }),
        0,
        "the same doubt again",
      );
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
    journal.recordCancel({ ...name, symbol: intent.symbol, step: "requested" });
    const [sent] = journal.orders();
    assert.ok(sent?.known);
    assert.deepEqual([sent.isReported, sent.known.status], [false, "accepted"]);
    const report = testReport({ quantity: undefined, rate: undefined });
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

  it("are not listed once complete lists have lacked them for a minute, until one shows them, whatever the clock says", () => {
    const states = (): boolean[] =>
      [journal, folder.open()].map((each) => isUnlisted(each.order(name)?.known ?? assert.fail("no order")));
    const lack = (ms: number): void => {
      folder.clock += ms;
      journal.recordAbsences([journal.order(name)?.known ?? assert.fail()], folder.clock, live);
    };
    journal.recordReports([testReport({ status: "open" })], live);
    lack(1000);
    lack(59_000);
    assert.deepEqual(states(), [false, false]);
    lack(1000);
    assert.deepEqual(states(), [true, true]);
    const lines = linesOnDisk();
    for (let poll = 0; poll < 100; poll += 1) lack(5000);
    assert.equal(linesOnDisk(), lines);
    folder.clock -= 7_200_000;
    journal.recordReports([testReport({ source: "list", status: "open" })], live);
    assert.deepEqual(states(), [false, false]);
    lack(1000);
    lack(61_000);
    assert.deepEqual(states(), [true, true]);
  });

  it("are separate per side, pair and account", () => {
    journal.recordReports([testReport({ status: "open" })], live);
    for (const other of [
      { side: "buy" },
      { base: "ETH" },
      { quote: "USD" },
      { orderId: "8" },
      { account: "2".repeat(16) },
      { venue: "practice", account: undefined },
    ] as const)
      assert.equal(journal.order({ ...name, ...other }), undefined, JSON.stringify(other));
  });

  it("stay with the practice exchange when its address changes, until its account is reset", () => {
    journal.recordReports([testReport({ status: "open" })], practice);
    const moved = { ...name, ...practice, account: undefined, origin: "http://127.0.0.1:50000" };
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
    journal.recordReports([testReport({ status: "open" })], live);
    journal.recordCancel({ ...cancel, step: "requested" });
    folder.clock += 1;
    journal.recordCancel({ ...cancel, step: "rejected", reason: "error 21" });
    for (const each of [journal, folder.open()]) {
      const order = each.order(name);
      assert.deepEqual([order?.cancel?.step, order?.cancel?.reason], ["rejected", "error 21"]);
    }
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
    const isComplete = (): unknown => journal.elsewhere().map((order) => order.known?.isComplete);
    const record = (orderId: string, changes: Partial<OrderReport>): unknown =>
      journal.recordReports([testReport({ orderId, ...changes })], live);
    for (const orderId of ["1", "2", "3", "4", "5"]) record(orderId, { status: "open" });
    record("1", { status: "cancelled" });
    record("2", { fills: [testFill("a", "10")] });
    record("4", { closedAt: 2000 });
    record("5", { status: "filled", fills: [testFill("a", "4")] });
    assert.deepEqual(isComplete(), [true, true, false, false, false]);
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
      journal.recordReports([...reports(2_000), { ...filled(2_000, 2_100), status: "cancelled" }], live);
      assert.deepEqual(counts(), [2_000, 1_000, 100]);
      assert.equal(journal.order(name)?.known?.status, "filled", "the report itself is recorded");
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

describe("orders about which an exchange contradicts itself", () => {
  let folder: JournalFolder;
  let journal: OrderJournal;

  beforeEach(() => {
    folder = new JournalFolder();
    journal = folder.open();
  });

  const report = (ms: number, changes: Partial<OrderReport>, account: AccountRef = live): void => {
    folder.clock += ms;
    journal.recordReports([testReport(changes)], account);
  };
  /** In this window, and in one that opens now. */
  const inWindows = (check: (opened: OrderJournal) => void): void => [journal, folder.open()].forEach(check);
  const accept = (): string => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10", rate: "100", at: folder.clock });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    return intent.id;
  };

  it("are open again once two lists show them after a wrong end, and say so", () => {
    accept();
    report(1000, { source: "info", status: "cancelled" });
    report(5000, { source: "list", status: "open" });
    inWindows((opened) => assert.equal(opened.order(name)?.known?.status, "cancelled"));
    report(5000, { source: "list", status: "open" });
    inWindows((opened) => {
      const { status, doubts } = opened.order(name)?.known ?? assert.fail();
      assert.deepEqual([status, doubts], ["open", ["listedAfterEnd"]]);
    });
  });

  it("are not filled by the fills of an order whose lists show what is left", () => {
    const listed = (quantity: string) =>
      ({ source: "list", status: "open", quantity: new Decimal(quantity) }) as const;
    report(1000, listed("6"));
    report(5000, { source: "history", rate: undefined, quantity: undefined, fills: [testFill("1", "4")] });
    report(5000, listed("3"));
    report(5000, { source: "history", rate: undefined, quantity: undefined, fills: [testFill("2", "3")] });
    inWindows((opened) => {
      const { status, fills } = opened.order(name)?.known ?? assert.fail();
      assert.deepEqual([status, fills.length], ["open", 2]);
    });
  });

  it("get none of the fills of an earlier order with their id", () => {
    const first = accept();
    const old = testFill("1", "10", "100", folder.clock + 500);
    report(1000, { status: "filled", fills: [old] });
    folder.clock += 86_400_000;
    const second = accept();
    report(1000, { source: "list", status: "open" });
    const state = (opened: OrderJournal, id: string): unknown => {
      const { known } = opened.orders().find((order) => order.id === id) ?? assert.fail();
      return [known?.status, known?.fills.length];
    };
    inWindows((opened) => {
      assert.deepEqual(
        [state(opened, first), state(opened, second)],
        [
          ["filled", 1],
          ["open", 0],
        ],
      );
      assert.equal(opened.order(name)?.id, second);
      assert.equal(opened.trades.all()[0]?.trades.length, 1);
    });
  });

  it("grow the journal no further by a contradiction in each poll", () => {
    accept();
    const poll = (): void => {
      report(5000, { source: "info", status: "cancelled", fills: [testFill("1", "4")] });
      report(100, { source: "list", status: "open", quantity: new Decimal("9") });
      report(100, { source: "history", fills: [testFill("1", "5")], quantity: undefined, rate: undefined });
      report(100, { source: "info", status: "filled", fills: [testFill("1", "6")], clientId: "X" });
    };
    for (let count = 0; count < 5; count += 1) poll();
    const lines = folder.lines().length;
    for (let count = 0; count < 200; count += 1) poll();
    assert.equal(folder.lines().length, lines);
    assert.ok(lines < 20, `${lines} lines`);
  });

  it("grow the journal no further by lists in which every row names the same parent", () => {
    const poll = (): void => {
      folder.clock += 5000;
      const rows = Array.from({ length: 30 }, (_, index) =>
        testReport({ source: "list", orderId: String(100 + index), otherIds: ["1"], status: "open" }),
      );
      journal.recordReports(rows, live);
    };
    poll();
    const lines = folder.lines().length;
    for (let count = 0; count < 20; count += 1) poll();
    assert.equal(folder.lines().length, lines);
    inWindows((opened) => assert.equal(opened.elsewhere().length, 30));
  });

  it("are shown and count nowhere while only events name them, until a response does", () => {
    accept();
    const pair = { quote: "THB", base: "ETH" };
    report(1000, {
      source: "push",
      pair,
      symbol: "THB_ETH",
      status: "filled",
      fills: [testFill("1", "10", "1")],
    });
    assert.deepEqual(
      journal.elsewhere().map(({ known }) => [known?.status, known?.isConfirmed]),
      [["filled", false]],
    );
    assert.deepEqual([journal.trades.get(live, pair), folder.open().elsewhere()], [undefined, []]);
    report(1000, {
      source: "info",
      pair,
      symbol: "THB_ETH",
      status: "filled",
      fills: [testFill("1", "10", "1")],
    });
    inWindows((opened) => assert.equal(opened.trades.get(live, pair)?.trades.length, 1));
  });

  it("keep what events reported of an own order before its id was known", () => {
    const intent = bidIntent({ ...live, side: "sell", amount: "10", rate: "100", at: folder.clock });
    journal.recordIntent(intent);
    report(1000, { source: "push", status: "filled", fills: [testFill("1", "10")] });
    assert.equal(folder.lines().length, 1, "nothing confirms it");
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    inWindows((opened) => {
      assert.deepEqual([opened.orders()[0]?.known?.status, opened.elsewhere()], ["filled", []]);
      assert.equal(opened.trades.all()[0]?.trades.length, 1);
    });
  });

  it("stay with an own order whatever happens to the clock between its intent, a request and the response", () => {
    for (const [first, then] of [
      [-7_200_000, 7_200_000],
      [-7_200_000, 0],
      [-90_000, 90_000],
      [7_200_000, -7_200_000],
    ] as const) {
      const opened = new JournalFolder();
      const window = opened.open();
      const record = (changes: Partial<OrderReport>): boolean =>
        window.recordReports([testReport({ ...changes })], live);
      const placed = (orderId: string): void => {
        const intent = bidIntent({ ...live, side: "sell", amount: "10", rate: "100", at: opened.clock });
        window.recordIntent({ ...intent, exchangeAt: NOON });
        window.recordOutcome(intent.id, { state: "accepted", orderId });
      };
      placed("7");
      record({ source: "list", status: "open" });
      opened.clock += first;
      placed("8");
      const askedAt = opened.clock + 1000;
      opened.clock += 2000 + then;
      record({ source: "list", orderId: "8", status: "open", askedAt, placedAt: NOON });
      record({ source: "info", orderId: "8", status: "filled", fills: [testFill("1", "10", "100", NOON)] });
      const found = opened.open();
      assert.deepEqual(
        [
          found.elsewhere(),
          found
            .orders()
            .map(({ known }) => known?.status)
            .toSorted(),
        ],
        [[], ["filled", "open"]],
        `${first} ${then}`,
      );
    }
  });

  it("have what was asked for after their intent, and no more, in each window since the clock was set back", () => {
    const [reader, writer] = [folder.open(), folder.open()];
    const send = (orderId: string): void => {
      const intent = bidIntent({ ...live, side: "sell", amount: "10", rate: "100", at: folder.clock });
      writer.recordIntent(intent);
      writer.recordOutcome(intent.id, { state: "accepted", orderId });
    };
    const list = (askedAt: number): void => {
      reader.recordReports([testReport({ source: "list", status: "open", askedAt })], live);
    };
    const found = () => [reader.order(name)?.known?.status, reader.elsewhere().length];
    send("5");
    reader.reread();
    folder.clock -= 7_200_000;
    send("6");
    folder.clock += 300;
    reader.reread();
    reader.recordReports([], live);
    folder.clock += 5000;
    const [before, after] = [folder.clock - 50, folder.clock + 100];
    send("7");
    folder.clock += 2;
    reader.reread();
    folder.clock += 400;
    list(after);
    assert.deepEqual(found(), ["open", 0]);
    list(before);
    assert.deepEqual(found(), ["open", 1], "an earlier order of the same id");
  });

  it("leave the view once lists have lacked for a minute what only an event named", () => {
    report(1000, { source: "push", status: "open" });
    const { known } = journal.elsewhere()[0] ?? assert.fail();
    for (const ms of [1000, 60_000]) {
      folder.clock += ms;
      journal.recordAbsences([known ?? assert.fail()], folder.clock, live);
    }
    assert.deepEqual(journal.elsewhere(), []);
  });
});

describe("the records of an exchange's orders", () => {
  const text = (value: Decimal | undefined): string | undefined => value && plainText(value);

  function recordFor(each: IdObservation, side: "buy" | "sell"): PlacedOrderRecord {
    const { at, orderId } = each;
    const of = { at, ...live, orderId, symbol: "THB_BTC", quote: "THB", base: "BTC", side };
    if (each.source === "absent") return { kind: "absent", ...of };
    if (each.source === "cancel") return { kind: "cancel", ...of, step: each.step };
    const report = {
      source: each.source === "fill" ? each.from : each.source,
      orderId,
      symbol: of.symbol,
      pair: each.pair,
      side,
      clientId: each.clientId,
      askedAt: at,
    };
    const [record] =
      each.source === "fill"
        ? recordsOf({ ...report, source: "history", fills: [each.fill] }, live, at)
        : recordsOf({ ...report, fills: [], status: each.status ?? "open" }, live, at);
    assert.ok(record?.kind === "fill" || record?.kind === "report");
    if (record.kind === "fill") return { ...record, source: report.source };
    if (each.source === "fill") return assert.fail();
    const { status, closedAt, laterId, unclearFills, placedAt } = each;
    return {
      ...record,
      status,
      closedAt,
      laterId,
      unclearFills,
      placedAt,
      earlierIds: each.earlierIds,
      openWith: each.openWith,
      rate: text(each.rate),
      ...(side === "buy" && { amount: text(each.amount) }),
      quantity: text(each.quantity),
      remaining: text(each.remaining),
      executed: text(each.executed),
    };
  }

  /**
   * Compares what every window knows with what all others read of it, what is read after a restart, and with everything
   * that was observed.
   */
  function assertTellTheSame(history: History): void {
    const model = new ModelExchange(history);
    const place = { ...live, quote: "THB", base: "BTC", side: history.side };
    const [all, recordedOnly] = [new ExchangeOrders(place), new ExchangeOrders(place)];
    const recorded: PlacedOrderRecord[] = [];
    const ownObservedOf = (id: string) =>
      (model.ownObservations.get(id) ?? []).filter(
        (each) => each.source === "intent" || ("orderId" in each && each.orderId !== undefined),
      );
    for (const own of model.own)
      for (const orders of [all, recordedOnly]) orders.setOwn({ ...own, observed: ownObservedOf(own.id) });
    const states = (orders: ExchangeOrders): unknown =>
      orders.orders
        .filter(({ known }) => known.isConfirmed)
        .map(({ own, known }) => JSON.stringify([own, known]))
        .toSorted();
    for (const each of model.observed) {
      for (const { records } of all.news([recordFor(each, history.side)]))
        for (const record of records) {
          recorded.push(record);
          for (const orders of [all, recordedOnly]) orders.add(record);
        }
      assert.deepEqual(states(recordedOnly), states(all));
    }
    const readAtOnce = (records: readonly PlacedOrderRecord[]): ExchangeOrders => {
      const orders = new ExchangeOrders(place);
      for (const own of model.own) orders.setOwn({ ...own, observed: ownObservedOf(own.id) });
      for (const record of records) orders.add(record);
      return orders;
    };
    const whole = (orders: ExchangeOrders): unknown =>
      orders.orders
        .map(({ own, known, isReported, cancel, firstAt, lastAt }) =>
          JSON.stringify({ own, known, isReported, cancel, firstAt, lastAt }),
        )
        .toSorted();
    assert.deepEqual(whole(readAtOnce(recorded)), whole(recordedOnly));
    const everything = model.observed.map((each) => recordFor(each, history.side));
    assert.deepEqual(states(readAtOnce(everything)), states(all));
  }

  it("tell the same of every order as everything that was observed", async () => {
    await assertProperty(20_000, fc.property(histories(), assertTellTheSame));
  });

  const stepsOf = (...kinds: History["steps"][number]["kind"][]): History["steps"] =>
    kinds.map((kind) => ({ kind, pick: 0, size: 9, lag: 0 }));

  it("tell which id an order goes on under, though its fills were recorded before", () => {
    const steps = stepsOf("placeOwn", "fill", "fill", "history", "info").map((step) =>
      step.kind === "fill" ? { ...step, size: 1 } : step,
    );
    assertTellTheSame({ side: "buy", faults: { ...NO_FAULTS, split: true }, steps });
  });

  it("tell two own orders apart that had the same id one after the other", () => {
    const ended = stepsOf("placeOwn", "cancelElsewhere", "waitLong", "waitLong", "list", "list", "list");
    const steps = [...ended, ...stepsOf("placeOwn", "wait", "list")];
    assertTellTheSame({ side: "buy", faults: { ...NO_FAULTS, reuse: true }, steps });
  });
});

describe("the orders of a pair and side", () => {
  const { orderId: _, ...place } = name;
  let orders: ExchangeOrders;

  beforeEach(() => {
    orders = new ExchangeOrders(place);
  });

  const recordsIn = (at: number, changes: Partial<OrderReport>): readonly PlacedOrderRecord[] =>
    recordsOf(testReport(changes), live, at);
  const add = (at: number, changes: Partial<OrderReport>): void => {
    for (const record of recordsIn(at, changes)) orders.add(record);
  };
  const fillAt = (at: number): Partial<OrderReport> => ({
    source: "history",
    fills: [testFill(String(at), "1", "100", at)],
  });
  const ownSource = (id: string, at: number, orderId?: string, clientId?: string): OwnSource => {
    const pair = { quote: "THB", base: "BTC" };
    const [rate, amount] = [new Decimal("100"), new Decimal("10")];
    const sent = { pair, side: "sell", rate, amount, quantity: amount, clientId } as const;
    const intent = { source: "intent", at, sent } as const;
    const receipt = { source: "receipt", at, says: "accepted", orderId } as const;
    const observed = orderId === undefined ? [intent] : [intent, receipt];
    return { id, at, exchangeAt: at, sent, orderId, observed };
  };
  const own = (...source: Parameters<typeof ownSource>): void => orders.setOwn(ownSource(...source));

  it("are found by the newest of those that had an id, whichever was read first", () => {
    const day = 86_400_000;
    own("old", NOON, "7");
    own("new", NOON + day, "7");
    add(NOON + day + 1, { source: "list", status: "open" });
    add(NOON + day + 2, fillAt(NOON + 1000));
    add(NOON + day + 3, fillAt(NOON - day));
    assert.deepEqual(
      orders.orders.map((order) => order.own),
      ["new", "old", undefined],
    );
    assert.equal(orders.find("7")?.own, "new");
  });

  it("have ids of their own, though an event names an own order under the id of another", () => {
    own("sent", NOON, "6", "BSD-1");
    add(NOON + 1, { source: "list", status: "open" });
    orders.news(recordsIn(NOON + 2, { source: "push", status: "open", clientId: "BSD-1" }));
    const elsewhere = orders.orders.filter((order) => order.own === undefined);
    assert.deepEqual(
      elsewhere.map((order) => order.name.orderId),
      ["7", "7"],
    );
    const [first, second] = elsewhere.map(({ id }) => id);
    assert.equal(first, keyOf(name));
    assert.notEqual(second, first);
  });

  it("include at most 100 that only events name", () => {
    for (let id = 1000; id < 1005; id += 1) add(NOON, { orderId: String(id), status: "open" });
    for (let id = 0; id < 150; id += 1)
      orders.news(recordsIn(NOON + id, { source: "push", orderId: String(id), status: "open" }));
    const confirmed = orders.orders.filter(({ known }) => known.isConfirmed);
    assert.deepEqual([confirmed.length, orders.orders.length], [5, 105]);
  });

  describe("read after each record are those read at once", () => {
    /** Reads after each record, and returns which ids are whose. */
    function readEach(
      sources: readonly OwnSource[],
      ...records: readonly (readonly PlacedOrderRecord[])[]
    ): readonly (readonly [string | undefined, readonly string[]])[] {
      const all = records.flat();
      const begin = (read: readonly PlacedOrderRecord[]): ExchangeOrders => {
        const opened = new ExchangeOrders(place);
        for (const source of sources) opened.setOwn(source);
        for (const record of read) opened.add(record);
        return opened;
      };
      const states = (opened: ExchangeOrders): unknown =>
        opened.orders
          .map(({ own: id, known: state, firstAt, lastAt }) => JSON.stringify([id, state, firstAt, lastAt]))
          .toSorted();
      const inSteps = begin([]);
      for (const [index, record] of all.entries()) {
        inSteps.add(record);
        assert.deepEqual(states(inSteps), states(begin(all.slice(0, index + 1))));
      }
      return inSteps.orders.map((order) => [order.own, order.known.ids] as const).toSorted();
    }

    it("if a response names an own order that an event named before", () => {
      const event = { source: "push", status: "open", clientId: "BSD-1" } as const;
      const sent = ownSource("sent", NOON, undefined, "BSD-1");
      assert.deepEqual(
        readEach([sent], recordsIn(NOON + 1, event), recordsIn(NOON + 2, { ...event, source: "list" })),
        [["sent", ["7"]]],
      );
    });

    it("if the own order was named before at another price", () => {
      const sent = ownSource("sent", NOON, undefined, "BSD-1");
      const other = { source: "list", status: "open", clientId: "BSD-1", rate: new Decimal("101") } as const;
      const fill = { ...fillAt(NOON + 2), clientId: "BSD-1" };
      assert.deepEqual(readEach([sent], recordsIn(NOON + 1, other), recordsIn(NOON + 2, fill)), [
        ["sent", ["7"]],
      ]);
    });

    it("if only a later statement names the own order", () => {
      const sent = ownSource("sent", NOON, undefined, "BSD-1");
      const listed = { source: "list", status: "open" } as const;
      assert.deepEqual(
        readEach([sent], recordsIn(NOON + 1, listed), recordsIn(NOON + 2, { ...listed, clientId: "BSD-1" })),
        [["sent", ["7"]]],
      );
    });

    it("if what is read later is dated before the own order", () => {
      const listed = recordsIn(NOON + 1, { source: "list", status: "open" });
      const before = NOON - 86_400_000;
      for (const old of [fillAt(before), { closedAt: before }, { placedAt: before }])
        assert.deepEqual(
          readEach([ownSource("sent", NOON, "7")], listed, recordsIn(NOON + 2, old)),
          [
            [undefined, ["7"]],
            ["sent", ["7"]],
          ],
          JSON.stringify(old),
        );
    });

    it("if another order had the id before", () => {
      const [before, after] = [NOON - 1000, NOON + 1].map((at) =>
        recordsIn(at, { source: "list", status: "open" }),
      );
      assert.deepEqual(
        readEach(
          [ownSource("sent", NOON, "7")],
          before ?? [],
          after ?? [],
          recordsIn(NOON + 2, fillAt(NOON + 2)),
        ),
        [
          [undefined, ["7"]],
          ["sent", ["7"]],
        ],
      );
    });

    it("if a step of a cancellation is earlier than the intent, by a clock that was set back", () => {
      const listed = { source: "list", status: "open", placedAt: NOON } as const;
      const cancel = {
        kind: "cancel",
        ...name,
        symbol: "THB_BTC",
        step: "requested",
        at: NOON - 20_000,
      } as const;
      assert.deepEqual(readEach([ownSource("sent", NOON, "7")], recordsIn(NOON - 30_000, listed), [cancel]), [
        ["sent", ["7"]],
      ]);
    });

    it("if an earlier statement comes later", () => {
      const listed = { source: "list", status: "open" } as const;
      assert.deepEqual(readEach([], recordsIn(NOON + 1, listed), recordsIn(NOON, listed)), [
        [undefined, ["7"]],
      ]);
    });

    it("if the price shows that two ids are two orders", () => {
      const second = { source: "list", status: "open", orderId: "8", otherIds: ["7"] } as const;
      const noPrice = { ...fillAt(NOON), rate: undefined, quantity: undefined };
      assert.deepEqual(
        readEach(
          [],
          recordsIn(NOON, noPrice),
          recordsIn(NOON + 1, second),
          recordsIn(NOON + 2, { source: "list", status: "open", rate: new Decimal("101") }),
        ),
        [
          [undefined, ["7"]],
          [undefined, ["8"]],
        ],
      );
    });

    it("if a later statement names another id of the order", () => {
      const listed = (["7", "8"] as const).map((orderId) =>
        recordsIn(NOON + 1, { source: "list", status: "open", orderId }),
      );
      const renamed = recordsIn(NOON + 2, { source: "info", orderId: "8", otherIds: ["7"] });
      assert.deepEqual(readEach([], ...listed, renamed), [[undefined, ["7", "8"]]]);
    });
  });

  /** Records what is new in a response, and returns whether anything is. */
  const read = (at: number, changes: Partial<OrderReport>, listed: readonly OrderReport[] = []): boolean => {
    const found = orders.news(recordsOf(testReport(changes), live, at, listed));
    const records = found.flatMap((each) => each.records);
    for (const record of records) orders.add(record);
    return records.length > 0;
  };
  const list = (at: number, changes: Partial<OrderReport> = {}): boolean =>
    read(at, { source: "list", status: "open", ...changes });
  const known = (): KnownOrder => orders.find("7")?.known ?? assert.fail("no order");

  it("record the first list after an event, each change, and no repetition", () => {
    assert.equal(read(NOON, { source: "push", status: "open", remaining: new Decimal("10") }), false);
    const listed = [10, 4, 4].map((left, index) =>
      list(NOON + 1 + index, { remaining: new Decimal(String(left)) }),
    );
    assert.deepEqual([known().isConfirmed, known().remaining?.toFixed()], [true, "4"]);
    assert.deepEqual(listed, [true, true, false]);
  });

  it("show when they were first and last recorded, and the newest step of their cancellation", () => {
    orders.news(recordsIn(NOON + 1, { source: "push", status: "open" }));
    assert.deepEqual([orders.find("7")?.firstAt, orders.find("7")?.lastAt], [NOON + 1, undefined]);
    add(NOON + 5, { source: "list", status: "open" });
    const before = known();
    for (const [at, expected] of [
      [NOON + 5, [NOON + 5, NOON + 5]],
      [NOON + 9, [NOON + 5, NOON + 9]],
      [NOON + 4, [NOON + 4, NOON + 9]],
    ] as const) {
      add(at, { source: "list", status: "open" });
      assert.deepEqual([orders.find("7")?.firstAt, orders.find("7")?.lastAt], expected);
      assert.equal(known(), before, "its state is the same object");
    }
    for (const step of ["requested", "unanswered"] as const) {
      orders.add({ kind: "cancel", at: NOON + 9, ...name, symbol: "THB_BTC", step });
      assert.equal(orders.find("7")?.cancel?.step, step);
    }
  });

  it("are open again by lists as before an end that was recorded meanwhile", () => {
    list(NOON);
    add(NOON + 1000, { source: "info", status: "cancelled" });
    list(NOON + 5000);
    assert.equal(known().status, "cancelled");
    list(NOON + 10_000);
    assert.equal(known().status, "open");
  });

  it("did not end as claimed before a list as ever, if the next one lacks them", () => {
    const cancelled = { source: "info", status: "cancelled" } as const;
    list(NOON);
    read(NOON + 1000, cancelled);
    for (const ms of [5000, 10_000]) list(NOON + ms);
    read(NOON + 15_000, cancelled);
    list(NOON + 20_000);
    orders.add({ kind: "absent", at: NOON + 25_000, ...name, symbol: "THB_BTC" });
    assert.equal(known().status, "open");
  });

  it("are still open if a list as before has them half a minute after their cancellation", () => {
    list(NOON);
    for (const step of ["requested", "accepted"] as const)
      orders.add({ kind: "cancel", at: NOON + 1000, ...name, symbol: "THB_BTC", step });
    list(NOON + 2000);
    assert.equal(known().cancel, "cancelling");
    list(NOON + 40_000);
    assert.equal(known().cancel, "stillOpen");
  });

  it("are requested by the id that a list showed last", () => {
    list(NOON);
    read(NOON + 1000, { source: "info", status: "open", orderId: "8", otherIds: ["7"] });
    assert.equal(known().currentId, "8");
    list(NOON + 2000);
    assert.equal(known().currentId, "7");
  });

  it("record once which ids are theirs and which are others'", () => {
    const clientId = "X";
    const beside = (orderId: string) => [testReport({ orderId, clientId })];
    read(NOON, fillAt(NOON));
    const nothing = { source: "history", rate: undefined, quantity: undefined } as const;
    assert.equal(read(NOON, nothing), false);
    let at = NOON;
    const twice = (changes: Partial<OrderReport>, listed?: readonly OrderReport[]): boolean[] =>
      [1, 2].map(() => read((at += 1000), { status: "open", clientId, ...changes }, listed));
    for (const found of [
      twice({ source: "list" }, beside("8")),
      twice({ source: "list" }, beside("9")),
      twice({ otherIds: ["5"] }),
      twice({ otherIds: ["4"] }),
      twice({ laterId: "20" }),
    ])
      assert.deepEqual(found, [true, false]);
  });
});

describe("reported orders whose records come in any sequence", () => {
  let folded: FoldedOrders;

  beforeEach(() => {
    folded = foldedOrders();
  });

  /** Adds what an answer says of an order, recorded at `at`. */
  function record(changes: Partial<OrderReport>, at: number, place: AccountRef = live): void {
    fold(folded, ...recordsOf(testReport(changes), place, at));
  }
  /** Adds the fills alone. */
  function fill(fills: readonly Fill[], at: number): void {
    fold(folded, ...recordsOf(testReport({ fills }), live, at));
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
    fill([testFill("1", "5")], 2);
    fill([testFill("1", "4")], 1);
    const { known } = folded.get(name) ?? assert.fail("no order");
    assert.deepEqual(known?.fills, [testFill("1", "4")]);
  });

  it("have the latest step of a cancellation, even if an older one is read later", () => {
    const cancel = { kind: "cancel", ...name, symbol: "THB_BTC" } as const;
    record({ status: "open" }, 3);
    fold(folded, { ...cancel, step: "accepted", at: 5 });
    assert.equal(folded.get(name)?.cancel?.step, "accepted");
    fold(folded, { ...cancel, step: "requested", at: 4 });
    assert.equal(folded.get(name)?.cancel?.step, "accepted");
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
    assert.deepEqual([order?.known, order?.isReported], [undefined, false]);
  });
});
