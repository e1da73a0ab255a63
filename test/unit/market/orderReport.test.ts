import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import {
  applyReport,
  averageRate,
  type Fill,
  filledShare,
  hasAllFills,
  hasEnded,
  isUnlisted,
  type KnownOrder,
  newPartOf,
  openQuantity,
  type OrderReport,
  sumFills,
} from "../../../src/market/orderReport.ts";
import { testFill, testReport } from "../../support/builders/reports.ts";

function known(...reports: readonly Partial<OrderReport>[]): KnownOrder {
  let order: KnownOrder | undefined;
  for (const report of reports) order = applyReport(order, testReport(report));
  return order ?? assert.fail("no report");
}

const decimal = (text: string): Decimal => new Decimal(text);
const idsOf = (order: KnownOrder): string[] => order.fills.map(({ id }) => id);

describe("an order known from reports", () => {
  it("starts as its first report", () => {
    const order = known({ status: "open", fills: [testFill("1", "4")], clientId: "A-1", placedAt: 5 });
    const { status, clientId, placedAt, contradictions, surplus } = order;
    assert.deepEqual([status, clientId, placedAt], ["open", "A-1", 5]);
    assert.deepEqual([idsOf(order), contradictions, surplus], [["1"], [], []]);
  });

  it("stays ended after a stale response that lists it as open", () => {
    const order = known({ status: "cancelled", askedAt: 2000 }, { status: "open", askedAt: 1000 });
    assert.deepEqual([order.status, order.askedAt, order.contradictions], ["cancelled", 2000, []]);
  });

  it("stays ended after a newer response that lists it as open", () => {
    assert.equal(known({ status: "filled" }, { status: "open", askedAt: 9000 }).status, "filled");
  });

  it("treats a fill reported in base and in quote as one, within the truncation of ten fills", () => {
    const fill = testFill("1", "4", "100");
    const nearly = { ...fill, quantity: fill.quantity.plus("1e-7"), value: fill.value.plus("0.01") };
    assert.deepEqual(known({ fills: [fill] }, { fills: [nearly] }).contradictions, []);
    const other = { ...fill, quantity: fill.quantity.plus("1.01e-7") };
    assert.equal(known({ fills: [fill] }, { fills: [other] }).contradictions.length, 1);
  });

  it("keeps every id of the order, and the number of unreadable fills", () => {
    const order = known({ otherIds: ["2"], unclearFills: 2 }, {}, { otherIds: ["2", "3"], unclearFills: 1 });
    assert.deepEqual([order.otherIds, order.unclearFills], [["2", "3"], 2]);
    assert.deepEqual([known({}).otherIds, known({}, {}).unclearFills], [undefined, undefined]);
  });

  it("waits for its trigger until a newer report says that it entered the book", () => {
    const waiting = { status: "open", trigger: decimal("90"), askedAt: 2000 } as const;
    const triggerOf = (...reports: readonly Partial<OrderReport>[]) => known(waiting, ...reports).trigger;
    assert.equal(String(triggerOf()), "90");
    assert.equal(String(triggerOf({ askedAt: 3000 })), "90", "a report without the type says nothing");
    assert.equal(String(triggerOf({ trigger: "none", askedAt: 1000 })), "90");
    assert.equal(triggerOf({ trigger: "none", askedAt: 3000 }), undefined);
    assert.equal(known({ trigger: "none" }).trigger, undefined);
    const entered = testReport({ trigger: "none", askedAt: 3000 });
    assert.ok(newPartOf(known(waiting), entered));
    assert.equal(newPartOf(known({ trigger: "none" }), entered), undefined);
  });

  it("takes each figure from the first report that has it", () => {
    const order = known(
      { rate: undefined, quantity: undefined },
      {
        rate: decimal("100"),
        clientId: "A-1",
        closedAt: 2000,
        goneAt: 4000,
        remaining: decimal("4"),
        placedAt: 7,
      },
      {
        rate: decimal("101"),
        clientId: "A-2",
        closedAt: 3000,
        goneAt: 5000,
        remaining: decimal("3"),
        placedAt: 6,
      },
      { rate: undefined, quantity: undefined },
    );
    const { rate, quantity, clientId, closedAt, goneAt, remaining, placedAt } = order;
    assert.deepEqual([rate?.toFixed(), clientId, closedAt, goneAt], ["100", "A-1", 2000, 5000]);
    assert.deepEqual([quantity?.toFixed(), remaining?.toFixed(), placedAt], ["10", "3", 6]);
    const later = known({ placedAt: 6 }, { placedAt: 7 }, {});
    assert.equal(later.placedAt, 6);
  });

  it("sorts its fills by time, then by id", () => {
    const fills = [testFill("b", "1", "100", 5), testFill("a", "1", "100", 5), testFill("c", "1", "100", 4)];
    assert.deepEqual(idsOf(known({ fills })), ["c", "a", "b"]);
    assert.deepEqual(idsOf(known({ fills: fills.toReversed() })), ["c", "a", "b"]);
  });

  it("counts a fill once however often it is reported", () => {
    const fill = testFill("1", "4");
    const order = known({ fills: [fill, fill] }, { fills: [fill] });
    assert.equal(sumFills(order.fills).quantity.toFixed(), "4");
    assert.deepEqual(order.contradictions, []);
  });

  it("keeps fills that a later response does not repeat", () => {
    const order = known({ fills: [testFill("2", "4", "100", 9)] }, { fills: [testFill("1", "3", "100", 5)] });
    assert.deepEqual(idsOf(order), ["1", "2"]);
  });

  it("keeps the first figures of a fill reported differently, and records both", () => {
    const [first, second] = [testFill("1", "4"), testFill("1", "5")];
    const order = known({ fills: [first] }, { fills: [second] }, { fills: [second] });
    assert.deepEqual(order.fills, [first]);
    assert.deepEqual(order.contradictions, [{ about: "fill", known: first, reported: second }]);
  });

  it("records contradicting figures of a fill within one report", () => {
    const [first, second] = [testFill("1", "4"), testFill("1", "5")];
    const order = known({ fills: [first, second] });
    assert.deepEqual(order.fills, [first]);
    assert.deepEqual(order.contradictions, [{ about: "fill", known: first, reported: second }]);
  });

  it("treats two times of a fill within a second as equal", () => {
    const order = known(
      { fills: [testFill("1", "4", "100", 1999)] },
      { fills: [testFill("1", "4", "100", 1000)] },
    );
    assert.deepEqual(order.contradictions, []);
    const apart = known(
      { fills: [testFill("1", "4", "100", 2000)] },
      { fills: [testFill("1", "4", "100", 1000)] },
    );
    assert.equal(apart.contradictions.length, 1);
  });

  it("excludes a fill that would sell more than was ordered", () => {
    const order = known({ fills: [testFill("1", "6")] }, { fills: [testFill("2", "5"), testFill("3", "4")] });
    assert.deepEqual([idsOf(order), order.surplus.map(({ id }) => id)], [["1", "3"], ["2"]]);
    assert.equal(order.status, "filled");
  });

  it("counts a fill whose value is beyond the amount of a buy by a rebate", () => {
    const fill = { ...testFill("1", "10"), value: decimal("1000.5"), fee: decimal("-0.5") };
    const order = known({ side: "buy", amount: decimal("1000"), fills: [fill] });
    assert.deepEqual([idsOf(order), order.status], [["1"], "filled"]);
    const beyond = known({ side: "buy", amount: decimal("999.9"), fills: [fill] });
    assert.deepEqual(idsOf(beyond), []);
  });

  it("counts an excluded fill once a report shows that more was ordered", () => {
    const order = known({ fills: [testFill("1", "12")] }, { quantity: decimal("20") });
    assert.deepEqual([idsOf(order), order.surplus], [["1"], []]);
  });

  it("lets a buy get more base than estimated, and never spend more than its amount", () => {
    const buy = { side: "buy", amount: decimal("1000"), quantity: decimal("9.975") } as const;
    const better = known({ ...buy, fills: [testFill("1", "11", "90")] });
    assert.deepEqual([idsOf(better), better.status], [["1"], undefined]);
    const beyond = known({ ...buy, fills: [testFill("1", "11", "91")] });
    assert.deepEqual(idsOf(beyond), []);
  });

  it("limits a buy by its amount only, and a sell by its quantity only", () => {
    const estimated = { side: "buy", quantity: decimal("9") } as const;
    assert.deepEqual(idsOf(known({ ...estimated, fills: [testFill("1", "10")] })), ["1"]);
    const sell = known({ amount: decimal("5"), fills: [testFill("1", "4")] });
    assert.deepEqual([idsOf(sell), filledShare(sell)?.toFixed()], [["1"], "0.4"]);
    assert.deepEqual(idsOf(known({ quantity: undefined, fills: [testFill("1", "40")] })), ["1"]);
  });

  it("is filled when the fills and their fees use up the amount of a buy", () => {
    const buy = { side: "buy", amount: decimal("1002.5"), status: "open" } as const;
    assert.equal(known({ ...buy, fills: [testFill("1", "10")] }).status, "filled");
    assert.equal(known({ ...buy, fills: [testFill("1", "9.99")] }).status, "open");
  });

  it("is partly filled and cancelled when a cancelled order has fills", () => {
    assert.equal(
      known({ status: "cancelled" }, { fills: [testFill("1", "4")] }).status,
      "partlyFilledCancelled",
    );
    assert.equal(
      known({ fills: [testFill("1", "4")] }, { status: "cancelled" }).status,
      "partlyFilledCancelled",
    );
  });

  it("is partly filled and cancelled when less remained than was ordered", () => {
    assert.equal(known({ status: "cancelled", remaining: decimal("3") }).status, "partlyFilledCancelled");
    assert.equal(known({ status: "cancelled", remaining: decimal("10") }).status, "cancelled");
    const buy = { side: "buy", status: "cancelled" } as const;
    assert.equal(known({ ...buy, remaining: decimal("3") }).status, "partlyFilledCancelled");
    assert.equal(known({ ...buy, remaining: decimal("10") }).status, "cancelled");
  });

  it("is filled, not cancelled, when its fills add up", () => {
    assert.equal(known({ status: "cancelled" }, { fills: [testFill("1", "10")] }).status, "filled");
  });

  it("ends with a history that has its closing time, without knowing how", () => {
    const closed = known({ fills: [testFill("1", "4")], closedAt: 2000 });
    assert.deepEqual([closed.status, hasEnded(closed)], [undefined, true]);
    assert.equal(known({ fills: [testFill("1", "10")], closedAt: 2000 }).status, "filled");
    const open = known({ fills: [testFill("1", "4")] });
    assert.deepEqual([open.status, hasEnded(open)], [undefined, false]);
  });

  it("does not end by being unlisted, which any later report of the open order revokes", () => {
    const gone = known({ status: "open", askedAt: 1000 }, { goneAt: 2000 });
    assert.deepEqual([gone.status, hasEnded(gone), isUnlisted(gone)], ["open", false, true]);
    assert.equal(isUnlisted(known({ goneAt: 2000 }, { status: "open", askedAt: 3000 })), false);
    for (const goneAt of [2000, 3000])
      assert.equal(isUnlisted(known({ status: "open", askedAt: 3000 }, { goneAt })), false);
    assert.equal(isUnlisted(known({ goneAt: 2000 }, { status: "cancelled" })), false, "an end is known");
  });

  it("was filled if it is no longer open and only rounding dust is left", () => {
    const buy = { side: "buy", amount: decimal("1002.5"), rate: decimal("3000000") } as const;
    const fills = [testFill("1", "0.00033332", "3000000")].map((fill) => ({ ...fill, fee: decimal("2.5") }));
    assert.equal(known({ ...buy, status: "open", fills }).status, "open");
    for (const over of [{ closedAt: 2000 }, { goneAt: 2000 }])
      assert.equal(known({ ...buy, fills }, over).status, "filled");
    const part = [{ ...testFill("1", "0.000332", "3000000"), fee: decimal("2.5") }];
    assert.equal(known({ ...buy, fills: part }, { closedAt: 2000 }).status, undefined);
    const unclear = known({ ...buy, fills, unclearFills: 1 }, { closedAt: 2000 });
    assert.equal(unclear.status, undefined, "the other fill may be larger than the dust");
    const sold = (quantity: string): KnownOrder =>
      known({ fills: [testFill("1", quantity)] }, { closedAt: 2000 });
    // Two units of 1e-8 for the fill, and two for the remainder.
    assert.deepEqual([sold("9.99999996").status, sold("9.99999995").status], ["filled", undefined]);
    const buyWithoutRate = { ...buy, rate: undefined, amount: decimal("1002.49") };
    assert.equal(known({ ...buyWithoutRate, fills }, { closedAt: 2000 }).status, "filled");
  });

  it("is partly filled if its open amount falls, even without a fill", () => {
    const rows = (...amounts: readonly string[]): KnownOrder =>
      known(...amounts.map((amount) => ({ side: "buy", status: "open", amount: decimal(amount) }) as const));
    assert.deepEqual(
      ["1000", "600"].map((amount) => filledShare(rows("1000", amount))?.toFixed()),
      ["0", "0.4"],
    );
    assert.deepEqual([hasAllFills(rows("1000")), hasAllFills(rows("1000", "600"))], [true, false]);
    assert.equal(filledShare(rows("1000", "997.5"))?.toFixed(), "0", "one amount is without the fee");
    assert.equal(
      known(
        { side: "buy", status: "open", amount: decimal("1000") },
        { status: "open", amount: decimal("600") },
        { status: "cancelled" },
      ).status,
      "partlyFilledCancelled",
    );
  });

  it("has all its fills if they add up to the executed amount", () => {
    const sell = {
      quantity: decimal("10"),
      executed: decimal("6"),
      status: "partlyFilledCancelled",
    } as const;
    assert.equal(hasAllFills(known({ ...sell, fills: [testFill("1", "4")] })), false);
    assert.equal(hasAllFills(known({ ...sell, fills: [testFill("1", "4"), testFill("2", "2")] })), true);
    for (const status of ["filled", "partlyFilledCancelled"] as const)
      assert.equal(hasAllFills(known({ status, quantity: undefined })), false, "no fill at all");
    assert.equal(hasAllFills(known({ status: "filled", fills: [testFill("1", "4")] })), false);
    assert.equal(
      hasAllFills(known({ status: "filled", unclearFills: 1 })),
      true,
      "another answer is no clearer",
    );
    assert.equal(hasAllFills(known({ status: "cancelled" })), true);
    const open = { status: "open", remaining: decimal("4") } as const;
    assert.equal(hasAllFills(known({ ...open, fills: [testFill("1", "3")] })), false);
    assert.equal(hasAllFills(known({ ...open, fills: [testFill("1", "6")] })), true);
    const buy = { side: "buy", fills: [testFill("1", "4")] } as const;
    assert.equal(hasAllFills(known({ ...buy, ...open })), true, "a buy's quantity is an estimate");
    assert.equal(hasAllFills(known({ ...buy, status: "filled" })), true, "its amount is unknown");
  });

  it("records two contradicting outcomes, and keeps the one with fills", () => {
    const order = known({ status: "cancelled" }, { status: "filled" });
    assert.equal(order.status, "filled");
    assert.deepEqual(order.contradictions, [{ about: "end", known: "cancelled", reported: "filled" }]);
    assert.equal(known({ status: "filled" }, { status: "cancelled" }).status, "filled");
  });

  it("records fills of a rejected order as a contradiction", () => {
    const order = known({ status: "rejected" }, { fills: [testFill("1", "4")] });
    assert.equal(order.status, "partlyFilledCancelled");
    assert.deepEqual(order.contradictions, [
      { about: "end", known: "rejected", reported: "partlyFilledCancelled" },
    ]);
    assert.deepEqual(known({ status: "rejected" }, { status: "rejected" }).contradictions, []);
    assert.deepEqual(known({ status: "cancelled" }, { fills: [testFill("1", "4")] }).contradictions, []);
  });

  it("records contradicting rejections and cancellations", () => {
    const cancelled = known({ status: "cancelled" }, { status: "rejected" });
    assert.deepEqual([cancelled.status, cancelled.contradictions.length], ["cancelled", 1]);
    const rejected = known({ status: "rejected" }, { status: "partlyFilledCancelled" });
    assert.deepEqual([rejected.status, rejected.contradictions.length], ["partlyFilledCancelled", 1]);
  });

  it("accepts a more precise outcome without a contradiction", () => {
    const order = known({ status: "cancelled" }, { status: "partlyFilledCancelled" });
    assert.deepEqual([order.status, order.contradictions], ["partlyFilledCancelled", []]);
  });

  it("records another symbol, side or rate as a contradiction", () => {
    const order = known({}, { symbol: "THB_ETH", side: "buy", rate: decimal("101") });
    assert.deepEqual(
      order.contradictions.map(({ about }) => about),
      ["symbol", "side", "rate"],
    );
    assert.equal(order.side, "sell");
    assert.deepEqual(known({}, { symbol: "thb_btc", rate: decimal("100.0") }).contradictions, []);
    assert.deepEqual(known({ rate: undefined }, {}, { rate: undefined }).contradictions, []);
  });

  it("never raises the remaining quantity", () => {
    const order = known({ remaining: decimal("3") }, { remaining: decimal("5") });
    assert.equal(order.remaining?.toFixed(), "3");
  });

  it("is the same for every order of its reports, and each one only adds to it", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });
    // Each report is of a moment after some of the fills, or after the end.
    const moment = fc.record({
      fills: fc.nat(4),
      kind: fc.constantFrom("row", "info", "history"),
      isEnd: fc.boolean(),
    });
    fc.assert(
      fc.property(
        parts,
        fc.array(moment, { minLength: 1, maxLength: 10 }),
        fc.infiniteStream(fc.nat()),
        (quantities, moments, keys) => {
          const all: Fill[] = [];
          let left = 10;
          for (const [at, part] of quantities.entries()) {
            const quantity = Math.min(part, left);
            left -= quantity;
            if (quantity > 0) all.push(testFill(`t${at}`, String(quantity), "100", at * 1000));
          }
          const end = left === 0 ? "filled" : all.length > 0 ? "partlyFilledCancelled" : "cancelled";
          const reports = moments.flatMap(({ fills: count, kind, isEnd }, askedAt) => {
            const isOver = isEnd || (left === 0 && count >= all.length);
            const fills = isOver ? all : all.slice(0, count);
            const remaining = decimal("10").minus(sumFills(fills).quantity);
            if (kind === "info")
              return testReport({ askedAt, status: isOver ? end : "open", fills, remaining });
            if (kind === "row") return isOver ? [] : testReport({ askedAt, status: "open", remaining });
            const closedAt = isOver ? 9000 : undefined;
            return fills.length > 0 ? testReport({ askedAt, fills, quantity: undefined, closedAt }) : [];
          });
          const shuffled = reports
            .map((report) => ({ report, key: keys.next().value ?? 0 }))
            .toSorted((one, other) => one.key - other.key)
            .map(({ report }) => report);
          const [one, other] = [reports, shuffled].map((sequence) => {
            let order: KnownOrder | undefined;
            for (const report of sequence) {
              const before = order;
              order = applyReport(before, report);
              for (const fill of before?.fills ?? []) assert.ok(idsOf(order).includes(fill.id));
              if (before?.remaining) assert.ok(order.remaining?.lte(before.remaining));
              if (before && hasEnded(before)) assert.ok(hasEnded(order));
            }
            assert.deepEqual([order?.contradictions ?? [], order?.surplus ?? []], [[], []]);
            return order;
          });
          assert.deepEqual(one, other);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("rejects a report of another order", () => {
    assert.throws(() => applyReport(known({}), testReport({ orderId: "8" })), {
      name: "RangeError",
      message: "A report of order 8 cannot update order 7.",
    });
  });
});

describe("the new part of a report", () => {
  const fill = testFill("1", "4");

  it("is all of the first one, and nothing of a second one that adds nothing", () => {
    const report = testReport({ fills: [fill], status: "open" });
    assert.equal(newPartOf(undefined, report), report);
    const order = known(report);
    assert.equal(newPartOf(order, { ...report, askedAt: 9000 }), undefined);
    assert.equal(newPartOf(order, testReport()), undefined);
  });

  it("is a changed figure, without the known fills", () => {
    const order = known({ fills: [fill] });
    assert.deepEqual(newPartOf(order, testReport({ fills: [fill], remaining: decimal("6") }))?.fills, []);
  });

  it("is a fill with a new id, even with the figures of a known one", () => {
    const duplicate = { ...fill, id: "2" };
    assert.deepEqual(newPartOf(known({ fills: [fill] }), testReport({ fills: [fill, duplicate] }))?.fills, [
      duplicate,
    ]);
  });

  it("is contradicting figures of a known fill, once", () => {
    const other = testFill("1", "5");
    const order = known({ fills: [fill] });
    assert.deepEqual(newPartOf(order, testReport({ fills: [other] }))?.fills, [other]);
    const contradicted = known(
      { fills: [fill] },
      { fills: [other] },
      { status: "cancelled" },
      { status: "rejected" },
    );
    assert.equal(newPartOf(contradicted, testReport({ fills: [other] })), undefined);
  });

  it("is a contradiction alone, once", () => {
    const report = testReport({ side: "buy" });
    assert.equal(newPartOf(known({}), report)?.side, "buy");
    assert.equal(newPartOf(known({}, report), report), undefined);
  });

  it("is that an order is no longer listed, or listed again, once", () => {
    const listed = known({ status: "open", askedAt: 1000 });
    const gone = testReport({ goneAt: 2000 });
    assert.equal(newPartOf(listed, gone)?.goneAt, 2000);
    const unlisted = applyReport(listed, gone);
    assert.equal(newPartOf(unlisted, { ...gone, goneAt: 3000 }), undefined);
    assert.equal(newPartOf(unlisted, testReport({ status: "open", askedAt: 4000 }))?.askedAt, 4000);
  });

  it("excludes a fill that was excluded before", () => {
    const order = known({ fills: [testFill("1", "10"), testFill("2", "1")] });
    assert.equal(order.surplus.length, 1);
    assert.equal(newPartOf(order, testReport({ fills: [testFill("2", "1")] })), undefined);
  });
});

describe("the filled share of an order", () => {
  const shareOf = (...reports: readonly Partial<OrderReport>[]): string | undefined =>
    filledShare(known(...reports))?.toFixed();

  it("is the filled part of the quantity of a sell", () => {
    assert.equal(shareOf({ fills: [testFill("1", "4")] }), "0.4");
  });

  it("is the spent part of the amount of a buy", () => {
    assert.equal(shareOf({ side: "buy", amount: decimal("2005"), fills: [testFill("1", "10")] }), "0.5");
  });

  it("is the larger of the fills and of the difference to what remains", () => {
    assert.equal(shareOf({ fills: [testFill("1", "4")], remaining: decimal("3") }), "0.7");
    assert.equal(shareOf({ fills: [testFill("1", "8")], remaining: decimal("3") }), "0.8");
  });

  it("is less than 1 until all is filled", () => {
    assert.equal(shareOf({ fills: [testFill("1", "9.99999")] }), "0.9999");
    assert.equal(shareOf({ status: "filled", quantity: undefined }), "1");
  });

  it("is unknown if the ordered amount is unknown", () => {
    assert.equal(shareOf({ quantity: undefined, fills: [testFill("1", "4")] }), undefined);
  });

  it("is the filled part of the estimate for a buy without an amount", () => {
    assert.equal(shareOf({ side: "buy", fills: [testFill("1", "4")] }), "0.4");
    assert.equal(shareOf({ side: "buy", remaining: decimal("3") }), "0.7");
  });

  it("is between 0 and 1, whatever remainder an exchange reports", () => {
    assert.equal(shareOf({ remaining: decimal("12") }), "0");
    assert.equal(shareOf({ remaining: decimal("-2") }), "1");
  });
});

describe("the open quantity of an order", () => {
  const openOf = (report: Partial<OrderReport>): string | undefined => openQuantity(known(report))?.toFixed();

  it("is the least that its fills and the reported remainder leave", () => {
    const fills = [testFill("1", "4")];
    assert.equal(openOf({ fills }), "6");
    assert.equal(openOf({ fills, remaining: decimal("3") }), "3");
    assert.equal(openOf({ fills, remaining: decimal("8") }), "6");
  });

  it("is the reported remainder if the quantity is unknown, or an estimate that the fills exceed", () => {
    assert.equal(openOf({ quantity: undefined }), undefined);
    assert.equal(openOf({ quantity: undefined, remaining: decimal("3") }), "3");
    const exceeded = { side: "buy", fills: [testFill("1", "11")] } as const;
    assert.equal(openOf({ ...exceeded, remaining: decimal("2") }), "2");
    assert.equal(openOf(exceeded), undefined);
  });
});

describe("the average rate of fills", () => {
  it("is weighted by their quantities, rounded half up", () => {
    const fills = [testFill("1", "1", "100"), testFill("2", "2", "101")];
    assert.equal(averageRate(fills, 2)?.toFixed(), "100.67");
    assert.equal(averageRate(fills, 10)?.toFixed(), "100.6666666667");
    assert.equal(averageRate([testFill("1", "1", "1"), testFill("2", "1", "2")], 0)?.toFixed(), "2");
  });

  it("is the rate of a single fill, whose truncated quantity is less than its value", () => {
    const fill = { ...testFill("1", "0.00000333", "3001500"), value: decimal("10") };
    assert.equal(averageRate([fill], 2)?.toFixed(), "3001500");
  });

  it("is unknown without a fill", () => {
    assert.equal(averageRate([], 2), undefined);
  });
});
