import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderName } from "../../../../src/market/order.ts";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import { hasEnded } from "../../../../src/market/orders/knownOrder.ts";
import type { OrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { JournalFolder } from "../../../support/builders/journalFolder.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";
import type { Order } from "../../../../src/storage/orders/order.ts";

const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
const named = (orderId: string): OrderName => ({ ...live, quote: "THB", base: "BTC", side: "sell", orderId });
const first = testFill("a", "4");
const second = testFill("b", "6", "100", first.at + 1);

describe("an order that its exchange continues under new ids", () => {
  let folder: JournalFolder;
  let journal: OrderJournal;

  beforeEach(() => {
    folder = new JournalFolder();
    journal = folder.open();
  });

  /** An own ask of 10 base. */
  function place(orderId: string): void {
    const intent = bidIntent({ ...live, id: crypto.randomUUID(), side: "sell", amount: "10", rate: "100" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId });
  }
  const report = (orderId: string, changes: Partial<OrderReport>): boolean => {
    folder.clock += 1000;
    return journal.recordReports([testReport({ orderId, ...changes })], live);
  };
  const allOf = (opened: OrderJournal): readonly Order[] => [...opened.orders(), ...opened.elsewhere()];
  /** In this window, and in one that opens now. */
  const inWindows = (check: (opened: OrderJournal) => void): void => [journal, folder.open()].forEach(check);

  it("is one order under each of its ids, with each fill once", () => {
    place("7");
    report("7", { status: "open", fills: [first] });
    report("9", { otherIds: ["7"], status: "open", quantity: new Decimal("6"), fills: [first] });
    report("9", { status: "filled", quantity: new Decimal("6"), fills: [second] });
    inWindows((opened) => {
      assert.equal(allOf(opened).length, 1);
      for (const id of ["7", "9"]) {
        const order = opened.order(named(id)) ?? assert.fail(id);
        assert.deepEqual(
          [order.name?.orderId, order.known?.currentId, order.known?.status],
          ["7", "9", "filled"],
        );
        assert.deepEqual(order.known?.fills, [first, second]);
      }
      const { trades } = opened.trades.all()[0] ?? assert.fail();
      assert.deepEqual(
        trades.map(({ txn }) => txn),
        ["a", "b"],
      );
    });
  });

  it("does not end when an earlier id ends", () => {
    place("7");
    report("7", { status: "filled", quantity: new Decimal("4"), fills: [first] });
    assert.equal(journal.order(named("7"))?.known?.status, "filled");
    report("9", { otherIds: ["7"], status: "open", quantity: new Decimal("6") });
    report("7", { status: "cancelled", closedAt: 5 });
    inWindows((opened) => {
      const order = opened.order(named("7"));
      assert.deepEqual([order?.known?.status, order?.known?.isComplete], ["open", false]);
      assert.equal(order?.known && hasEnded(order.known), false);
    });
    report("9", { status: "cancelled" });
    inWindows((opened) => assert.equal(opened.order(named("7"))?.known?.status, "partlyFilledCancelled"));
  });

  it("is recognised as our own even if only the new id was reported", () => {
    place("7");
    report("9", { otherIds: ["7"], status: "open" });
    inWindows((opened) => {
      assert.deepEqual([opened.order(named("7"))?.known?.currentId, allOf(opened).length], ["9", 1]);
      assert.equal(allOf(opened)[0]?.name?.orderId, "7");
    });
  });

  it("is recorded once however often each id is reported", () => {
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
    report("98", { status: "open", fills: [first, second] });
    report("99", { otherIds: ["98"], fills: [first] });
    report("101", { otherIds: ["99"], status: "open" });
    inWindows((opened) => {
      const [order, ...others] = allOf(opened);
      assert.deepEqual([order?.known?.ids.toSorted(), order?.known?.currentId], [["101", "98", "99"], "101"]);
      assert.deepEqual([others, order?.known?.fills.length], [[], 2]);
      assert.equal(opened.trades.all()[0]?.trades.length, 2);
    });
  });

  for (const parent of ["1", "-1", "7"])
    it(`is not another one that names the same parent ${parent}`, () => {
      place("7");
      const rows = ["8", "9"].map((orderId) =>
        testReport({ source: "list", orderId, otherIds: [parent], status: "open" }),
      );
      folder.clock += 1000;
      journal.recordReports(rows, live);
      inWindows((opened) => {
        assert.deepEqual(
          allOf(opened).map(({ known }) => known?.ids),
          [["7"], ["8"], ["9"]],
        );
        assert.equal(opened.order(named("9"))?.known?.currentId, "9");
      });
    });

  it("is cancelled by the id it has now, also if the exchange does not count up", () => {
    place("900");
    report("900", { status: "open", fills: [first] });
    report("31", { otherIds: ["900"], status: "open", quantity: new Decimal("6") });
    inWindows((opened) => assert.equal(opened.order(named("900"))?.known?.currentId, "31"));
    report("900", { otherIds: ["31"], laterId: "31", status: "cancelled" });
    inWindows((opened) => assert.equal(opened.order(named("900"))?.known?.status, "open"));
    report("31", { status: "cancelled" });
    inWindows((opened) => assert.equal(opened.order(named("900"))?.known?.status, "partlyFilledCancelled"));
  });

  it("is never merged with another own order, whatever the exchange reports", () => {
    place("7");
    report("9", { otherIds: ["7"], status: "open", fills: [first] });
    report("7", { status: "open", fills: [second] });
    assert.equal(allOf(journal).length, 1);
    place("9");
    inWindows((opened) => {
      assert.equal(allOf(opened).length, 2);
      assert.equal(opened.trades.all()[0]?.trades.length, 2);
    });
  });

  it("is not filled by its fills while its remainder is open and its whole amount was never reported", () => {
    report("9", { otherIds: ["7"], status: "open", quantity: new Decimal("4") });
    report("7", { quantity: undefined, fills: [first] });
    inWindows((opened) => {
      const [order] = allOf(opened);
      assert.deepEqual([order?.known?.status, order?.known?.fills.length], ["open", 1]);
    });
  });

  it("has the amount of its first id, the largest that was reported", () => {
    const quantityOf = (opened: OrderJournal): unknown => allOf(opened)[0]?.known?.quantity?.toFixed();
    report("9", { otherIds: ["7"], status: "open", quantity: new Decimal("6") });
    inWindows((opened) => assert.equal(quantityOf(opened), undefined, "6 may be the remainder"));
    report("7", { status: "open", quantity: new Decimal("8") });
    report("7", { status: "open", quantity: new Decimal("10") });
    report("7", { status: "open", quantity: new Decimal("9") });
    inWindows((opened) => assert.equal(quantityOf(opened), "10"));
  });

  it("has the amount that was sent to buy, and was partly filled if less of it is open", () => {
    const intent = bidIntent({ ...live, id: crypto.randomUUID(), amount: "1000", rate: "100" });
    journal.recordIntent(intent);
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "7" });
    const buy = { source: "list", side: "buy", quantity: undefined } as const;
    report("7", { ...buy, status: "open", amount: new Decimal("1000") });
    report("9", { ...buy, status: "open", amount: new Decimal("600"), otherIds: ["7"] });
    report("9", { ...buy, source: "info", status: "cancelled", amount: new Decimal("600") });
    inWindows((opened) => {
      const { known } = opened.order({ ...named("9"), side: "buy" }) ?? assert.fail();
      assert.deepEqual(
        [known?.amount, known?.quantity, known?.left].map((figure) => figure?.toFixed()),
        ["1000", "0.000285", "600"],
      );
      assert.equal(known?.status, "partlyFilledCancelled");
    });
  });

  it("is open while any of its ids is, whatever an earlier one says", () => {
    report("9", { otherIds: ["8", "7"], status: "open" });
    report("7", { status: "open" });
    report("8", { status: "cancelled", closedAt: 5, laterId: "9", otherIds: ["7", "9"] });
    inWindows((opened) =>
      assert.deepEqual(
        allOf(opened).map(({ known }) => known?.status),
        ["open"],
      ),
    );
  });

  it("takes in another id that a later report names", () => {
    report("7", { status: "open" });
    report("8", { status: "open", otherIds: ["7"] });
    report("9", { otherIds: ["7", "8"], status: "open" });
    inWindows((opened) => assert.equal(opened.order(named("8")), opened.order(named("9"))));
  });

  it("stays the same object when an unrelated order is continued", () => {
    report("9", { otherIds: ["7"], status: "open" });
    const before = journal.order(named("9"));
    report("29", { otherIds: ["27"], status: "open" });
    assert.equal(journal.order(named("9")), before);
    assert.equal(allOf(journal).length, 2);
  });

  it("loses an id that turns out to be that of another own order", () => {
    place("7");
    report("8", { otherIds: ["7"], status: "open" });
    assert.equal(journal.order(named("7")), journal.order(named("8")));
    const intent = bidIntent({ ...live, id: crypto.randomUUID(), side: "sell", amount: "10", rate: "100" });
    journal.recordIntent(intent);
    folder.clock += 1;
    journal.recordOutcome(intent.id, { state: "accepted", orderId: "8" });
    report("8", { status: "open" });
    inWindows((opened) => {
      assert.equal(opened.order(named("8"))?.id, intent.id);
      assert.notEqual(opened.order(named("7"))?.id, intent.id);
    });
  });

  it("leaves an order without other ids alone", () => {
    report("7", { status: "open" });
    report("8", { status: "open" });
    report("9", { otherIds: ["8"], status: "open" });
    assert.equal(journal.order(named("7"))?.known?.ids.length, 1);
    assert.equal(allOf(journal).length, 2);
  });
});
