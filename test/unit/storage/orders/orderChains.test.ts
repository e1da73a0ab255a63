import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderName } from "../../../../src/market/order.ts";
import { hasEnded, type OrderReport } from "../../../../src/market/orderReport.ts";
import type { OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

const live = { venue: "live", origin: "https://api.example.com" } as const;
const named = (orderId: string): OrderName => ({ ...live, quote: "THB", base: "BTC", side: "sell", orderId });
const first = testFill("a", "4");
const second = testFill("b", "6", "100", 2000);

describe("an order that its exchange continues under new ids", () => {
  let folder: JournalFolder;
  let journal: OrderJournal;

  beforeEach(() => {
    folder = new JournalFolder();
    journal = folder.open();
  });
  afterEach(() => folder.remove());

  /** An own ask of 10 base. */
  function place(orderId: string): void {
    const intent = bidIntent({ ...live, id: crypto.randomUUID(), side: "sell", amount: "10" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId });
  }
  const tell = (orderId: string, changes: Partial<OrderReport>): boolean =>
    journal.recordReports([testReport({ orderId, ...changes })], live);
  /** In this window, and in one that opens now. */
  const inWindows = (check: (opened: OrderJournal) => void): void => [journal, folder.open()].forEach(check);

  it("is one order by each of its ids, with each fill once", () => {
    place("7");
    tell("7", { status: "open", fills: [first] });
    tell("9", { otherIds: ["7"], status: "open", quantity: new Decimal("6"), fills: [first] });
    tell("9", { status: "filled", quantity: new Decimal("6"), fills: [second] });
    inWindows(({ lives }) => {
      assert.equal(lives.all().length, 1);
      for (const id of ["7", "9"]) {
        const life = lives.get(named(id)) ?? assert.fail(id);
        assert.deepEqual([life.name.orderId, life.currentId, life.known?.status], ["7", "9", "filled"]);
        assert.deepEqual(life.known?.fills, [first, second]);
      }
      const { trades } = lives.trades.all()[0] ?? assert.fail();
      assert.deepEqual(
        trades.map(({ txn }) => txn),
        ["a", "b"],
      );
    });
  });

  it("has not ended because an earlier id has", () => {
    place("7");
    tell("7", { status: "filled", quantity: new Decimal("4"), fills: [first] });
    assert.equal(journal.lives.get(named("7"))?.isExplained, true);
    tell("9", { otherIds: ["7"], status: "open", quantity: new Decimal("6") });
    tell("7", { status: "cancelled", closedAt: 5 });
    inWindows(({ lives }) => {
      const life = lives.get(named("7"));
      assert.deepEqual([life?.known?.status, life?.isEndRecorded], ["open", false]);
      assert.deepEqual(lives.unexplained(), [life]);
      assert.equal(life?.known && hasEnded(life.known), false);
    });
    tell("9", { status: "cancelled" });
    inWindows(({ lives }) => assert.equal(lives.get(named("7"))?.known?.status, "partlyFilledCancelled"));
  });

  it("is known as the own order also if only the new id was ever reported", () => {
    place("7");
    tell("9", { otherIds: ["7"], status: "open" });
    inWindows(({ lives }) => {
      assert.deepEqual([lives.get(named("7"))?.ids, lives.all().length], [["7", "9"], 1]);
      assert.equal(lives.all()[0]?.name.orderId, "7");
    });
  });

  it("is recorded once, however often each id is reported", () => {
    place("7");
    const reports = [
      testReport({ orderId: "7", otherIds: ["9"], status: "open", fills: [first] }),
      testReport({
        orderId: "9",
        otherIds: ["7"],
        status: "open",
        quantity: new Decimal("6"),
        fills: [first],
      }),
    ];
    for (let round = 0; round < 3; round += 1) journal.recordReports(reports, live);
    const { length } = folder.lines();
    journal.recordReports(reports, live);
    assert.equal(folder.lines().length, length);
  });

  it("continues through several ids, also where the exchange sorts them as text of growing length", () => {
    tell("101", { otherIds: ["99"], status: "open" });
    tell("99", { otherIds: ["98"], fills: [first] });
    tell("98", { status: "open", fills: [first, second] });
    inWindows(({ lives }) => {
      const [life, ...others] = lives.all();
      assert.deepEqual([life?.ids, life?.name.orderId, life?.currentId], [["98", "99", "101"], "98", "101"]);
      assert.deepEqual([others, life?.known?.fills.length], [[], 2]);
      assert.equal(lives.trades.all()[0]?.trades.length, 2);
    });
  });

  it("is never another order of this computer, whatever the exchange says", () => {
    place("7");
    tell("9", { otherIds: ["7"], status: "open", fills: [first] });
    tell("7", { status: "open", fills: [second] });
    assert.equal(journal.lives.all().length, 1);
    place("9");
    inWindows(({ lives }) => {
      assert.equal(lives.all().length, 2);
      assert.equal(lives.trades.all()[0]?.trades.length, 2);
    });
  });

  it("costs an order without other ids nothing", () => {
    tell("7", { status: "open" });
    const before = journal.lives.all();
    tell("7", { status: "open", fills: [first] });
    assert.equal(journal.lives.all(), before);
    tell("8", { status: "open" });
    tell("9", { otherIds: ["8"], status: "open" });
    assert.equal(journal.lives.get(named("7"))?.ids.length, 1);
    assert.equal(journal.lives.all().length, 2);
  });
});
