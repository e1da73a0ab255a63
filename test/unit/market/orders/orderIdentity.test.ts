import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { OrderReport, ReportSource } from "../../../../src/market/orderReport.ts";
import { type IdObservation, observationsIn } from "../../../../src/market/orders/observation.ts";
import { identifyOrders, type OwnIdentity } from "../../../../src/market/orders/orderIdentity.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

const SECOND = 1000;
const INTENT = 1_000 * SECOND;

function own(id: string, changes: Partial<OwnIdentity> = {}): OwnIdentity {
  return { id, at: INTENT, exchangeAt: INTENT, sent: { rate: new Decimal("100") }, ...changes };
}

function from(
  source: ReportSource,
  seconds: number,
  changes: Partial<OrderReport> = {},
  listed: readonly OrderReport[] = [],
): readonly IdObservation[] {
  return observationsIn(
    testReport({ source, status: "open", askedAt: INTENT + seconds * SECOND, ...changes }),
    listed,
  );
}

/** The ids of each order, with the intent it belongs to. */
function orders(
  intents: readonly OwnIdentity[],
  ...observed: readonly (readonly IdObservation[])[]
): string[] {
  const found = identifyOrders(intents, observed.flat());
  assert.deepEqual(
    new Set(identifyOrders(intents.toReversed(), observed.flat().toReversed())),
    new Set(found),
  );
  const counted = found.reduce((count, order) => count + order.observed.length, 0);
  assert.equal(counted, observed.flat().length, "each observation is of exactly one order");
  return found
    .map(
      (order) =>
        `${order.own ?? "elsewhere"}: ${[...new Set(order.observed.map(({ orderId }) => orderId))].join(" ")}`,
    )
    .sort();
}

describe("which order an observation is about", () => {
  it("is the own order with the id, from its intent on", () => {
    const before = from("history", -500, { fills: [testFill("1", "4", "100", INTENT - 600 * SECOND)] });
    assert.deepEqual(orders([own("a", { orderId: "7" })], before, from("list", 5)), ["a: 7", "elsewhere: 7"]);
  });

  it("is not a new order with a reused id, for a fill dated more than a minute before it", () => {
    const fillAt = (seconds: number) =>
      from("history", 5, {
        status: undefined,
        fills: [testFill("1", "4", "100", INTENT + seconds * SECOND)],
      });
    assert.deepEqual(orders([own("a", { orderId: "7" })], fillAt(-61)), ["a: ", "elsewhere: 7"]);
    assert.deepEqual(orders([own("a", { orderId: "7" })], fillAt(-60)), ["a: 7"]);
    const closed = from("history", 5, { status: undefined, closedAt: INTENT - 61 * SECOND });
    assert.deepEqual(orders([own("a", { orderId: "7" })], closed), ["a: ", "elsewhere: 7"]);
    assert.deepEqual(orders([own("a", { orderId: "7", exchangeAt: undefined })], fillAt(-61)), ["a: 7"]);
  });

  it("is the newer of two own orders that had the id", () => {
    const both = [
      own("a", { orderId: "7" }),
      own("b", { orderId: "7", at: INTENT + 90 * SECOND, exchangeAt: undefined }),
    ];
    assert.deepEqual(orders(both, from("list", 5), from("list", 90)), ["a: 7", "b: 7"]);
  });

  it("is the own order for what is dated after its intent, though a clock that was set back says otherwise", () => {
    const dated = (seconds: number) => from("list", -30, { placedAt: INTENT + seconds * SECOND });
    assert.deepEqual(orders([own("a", { orderId: "7" })], dated(-2)), ["a: 7"]);
    assert.deepEqual(orders([own("a", { orderId: "7" })], dated(-3)), ["a: ", "elsewhere: 7"]);
    assert.deepEqual(orders([own("a", { orderId: "7" })], from("list", -60, { placedAt: INTENT })), ["a: 7"]);
    const early = from("list", -61, { placedAt: INTENT });
    assert.deepEqual(orders([own("a", { orderId: "7" })], early), ["a: ", "elsewhere: 7"]);
    const byName = from("list", -61, { clientId: "BSD-1" });
    const sent = { rate: new Decimal("100"), clientId: "BSD-1" };
    assert.deepEqual(orders([own("a", { orderId: "7", sent })], byName, from("info", 5)), ["a: 7"]);
  });

  const named = { sent: { rate: new Decimal("100"), clientId: "BSD-1" } };

  it("is the own order that a response names by its client id, at its rate and after its intent", () => {
    for (const seconds of [0, 5])
      assert.deepEqual(orders([own("a", named)], from("list", seconds, { clientId: "BSD-1" })), ["a: 7"]);
    const fill = from("history", 5, {
      status: undefined,
      clientId: "BSD-1",
      fills: [testFill("1", "4", "99", INTENT)],
    });
    assert.deepEqual(orders([own("a", named)], fill), ["a: 7"]);
    const others = [
      from("list", -1, { clientId: "BSD-1" }),
      from("list", 5, { clientId: "BSD-2" }),
      from("list", 5, { clientId: "BSD-1", rate: new Decimal("101") }),
      from("list", 5),
    ];
    for (const other of others) assert.deepEqual(orders([own("a", named)], other), ["a: ", "elsewhere: 7"]);
  });

  it("is not an own order for an id that an earlier order was continued from, if neither has a date", () => {
    const elsewhere = from("info", -30, { orderId: "8", otherIds: ["7"], placedAt: undefined });
    assert.deepEqual(orders([own("a", { orderId: "7" })], elsewhere), ["a: ", "elsewhere: 8"]);
  });

  it("is not an own order that was continued from an id which another order had before the intent", () => {
    const elsewhere = from("info", -120, { orderId: "5", status: "cancelled" });
    const continued = from("info", 5, { orderId: "6", clientId: "BSD-1", otherIds: ["5"] });
    assert.deepEqual(orders([own("a", named)], elsewhere, continued), ["a: 6", "elsewhere: 5"]);
    const after = from("info", 4, { orderId: "5" });
    assert.deepEqual(orders([own("a", named)], after, continued), ["a: 5 6"]);
    const received = own("a", { ...named, orderId: "6" });
    assert.deepEqual(orders([received], elsewhere, continued), ["a: 5 6"]);
  });

  it("is not an own order that only an event names by its client id, until a response does", () => {
    const pushed = from("push", 5, { clientId: "BSD-1" });
    assert.deepEqual(orders([own("a", named)], pushed), ["a: ", "elsewhere: 7"]);
    assert.deepEqual(orders([own("a", named)], pushed, from("info", 6, { clientId: "BSD-1" })), ["a: 7"]);
    const other = { ...own("b", { orderId: "7" }) };
    assert.deepEqual(orders([own("a", named), other], pushed), ["a: ", "b: ", "elsewhere: 7"]);
  });

  it("is one of two orders if a response lists both under one client id", () => {
    const rows = ["7", "8"].map((orderId) => testReport({ orderId, clientId: "BSD-1" }));
    const list = rows.flatMap((row) =>
      from("list", 5, row, rows).map((each) => ({ ...each, at: INTENT + 5 })),
    );
    assert.deepEqual(orders([own("a", { ...named, orderId: "7" })], list), ["a: 7", "elsewhere: 8"]);
    assert.deepEqual(
      orders([own("a", named)], list),
      ["a: 7", "elsewhere: 8"],
      "without an id in the receipt",
    );
  });

  it("is one own order under two ids if a response names it by its client id under the second", () => {
    const renamed = from("info", 60, { orderId: "3", clientId: "BSD-1" });
    assert.deepEqual(orders([own("a", { ...named, orderId: "7" })], from("list", 5), renamed), ["a: 7 3"]);
  });

  it("is one order under a new id that names the earlier one", () => {
    const continued = from("list", 9, { orderId: "3", otherIds: ["7"] });
    assert.deepEqual(orders([own("a", { orderId: "7" })], from("list", 5), continued), ["a: 7 3"]);
    assert.deepEqual(orders([], from("list", 5), continued), ["elsewhere: 7 3"]);
    const info = from("info", 9, { otherIds: ["3"], laterId: "3" });
    assert.deepEqual(orders([own("a", { orderId: "7" })], info, from("list", 10, { orderId: "3" })), [
      "a: 7 3",
    ]);
  });

  it("is one order whose every remainder names the parent and the first id", () => {
    const rests = [
      ["8", "7"],
      ["9", "8", "7"],
      ["10", "9", "7"],
    ].map(([orderId = "", ...otherIds], index) => from("list", 10 + index, { orderId, otherIds }));
    assert.deepEqual(orders([own("a", { orderId: "7" })], from("list", 5), ...rests), ["a: 7 8 9 10"]);
  });

  it("is not one order if a response lists both ids as open, then or ever", () => {
    const rows = [testReport({ orderId: "7" }), testReport({ orderId: "8", otherIds: ["7"] })];
    const together = rows.flatMap((row) => from("list", 5, { ...row, askedAt: INTENT + 5 }, rows));
    const later = from("list", 60, { orderId: "8", otherIds: ["7"] });
    assert.deepEqual(orders([own("a", { orderId: "7" })], together, later), ["a: 7", "elsewhere: 8"]);
  });

  it("is not one order if the rates differ", () => {
    const other = from("list", 9, { orderId: "8", otherIds: ["7"], rate: new Decimal("101") });
    assert.deepEqual(orders([own("a", { orderId: "7" })], from("list", 5), other), ["a: 7", "elsewhere: 8"]);
    assert.deepEqual(orders([], from("list", 5), other), ["elsewhere: 7", "elsewhere: 8"]);
  });

  it("is not one order with another that names the same parent", () => {
    const rows = ["7", "8", "9"].map((orderId, index) =>
      from("list", 5 + index, { orderId, otherIds: ["1"] }),
    );
    assert.deepEqual(orders([own("a", { orderId: "7" })], ...rows), ["a: 7", "elsewhere: 8", "elsewhere: 9"]);
  });

  it("is not one order with one that was open together with it, whichever of the two rows says so", () => {
    const rows = ["7", "8"].map((orderId) => testReport({ orderId, clientId: "BSD-9" }));
    for (const [listed, later] of [
      ["7", "8"],
      ["8", "7"],
    ] as const) {
      const open = from("list", 5, { orderId: listed, clientId: "BSD-9" }, rows);
      const link = from("list", 60, { orderId: later, otherIds: [listed] });
      assert.deepEqual(orders([], open, link), ["elsewhere: 7", "elsewhere: 8"]);
    }
  });

  it("is one order through every new id, whether ids grow or shrink", () => {
    const step = (seconds: number, orderId: string, parent: string) =>
      from("list", seconds, { orderId, otherIds: [parent] });
    assert.deepEqual(orders([], from("list", 5), step(6, "3", "7"), step(7, "2", "3")), ["elsewhere: 7 3 2"]);
  });

  it("is one order through an id that nothing was observed of", () => {
    const continued = from("info", 5, { orderId: "5", otherIds: ["1"], laterId: "1" });
    const rest = from("list", 6, { orderId: "8", otherIds: ["1"] });
    const nextRest = from("list", 7, { orderId: "9", otherIds: ["8", "1"] });
    assert.deepEqual(orders([], continued, rest), ["elsewhere: 5 8"]);
    assert.deepEqual(orders([], continued, rest, nextRest), ["elsewhere: 5 8 9"]);
  });

  it("is one order if two ids name a known parent and were never open together", () => {
    const rests = ["8", "9"].map((orderId, index) => from("list", 6 + index, { orderId, otherIds: ["7"] }));
    assert.deepEqual(orders([], from("list", 5), ...rests), ["elsewhere: 7 8 9"]);
    assert.deepEqual(orders([own("a", { orderId: "7" })], ...rests), ["a: 8 9"]);
  });

  /** A list of 8 and 9, which both name 7. */
  const siblings = ["8", "9"].map((orderId) => testReport({ orderId, otherIds: ["7"] }));
  const openTogether = siblings.map((row) =>
    from("list", 10, { orderId: row.orderId, otherIds: ["7"] }, siblings),
  );

  it("is none of the orders that name a parent if two of them were open together", () => {
    const parent = from("list", 5, { otherIds: ["5"] });
    const third = from("list", 20, { orderId: "10", otherIds: ["7"] });
    assert.deepEqual(orders([], from("list", 4, { orderId: "5" }), parent, ...openTogether, third), [
      "elsewhere: 10",
      "elsewhere: 5 7",
      "elsewhere: 8",
      "elsewhere: 9",
    ]);
    const rests = ["8", "9"].map((first, index) =>
      from("list", 20, {
        orderId: `${first}1`,
        otherIds: [first, "7"],
        askedAt: INTENT + (20 + index) * SECOND,
      }),
    );
    assert.deepEqual(orders([], from("list", 5), ...openTogether, ...rests), [
      "elsewhere: 7",
      "elsewhere: 8 81",
      "elsewhere: 9 91",
    ]);
  });

  it("is one order under the id that the order itself says it was continued under, though others name it", () => {
    const continued = from("info", 9, { otherIds: ["8"], laterId: "8" });
    assert.deepEqual(orders([], continued, ...openTogether), ["elsewhere: 7 8", "elsewhere: 9"]);
  });

  it("is a continuation of the order that had the parent's id at first", () => {
    const both = [
      own("a", { orderId: "7" }),
      own("b", { orderId: "7", at: INTENT + 100 * SECOND, exchangeAt: INTENT + 100 * SECOND }),
    ];
    const rest = (seconds: number, changes: Partial<OrderReport> = {}) =>
      from("list", seconds, { orderId: "8", otherIds: ["7"], ...changes });
    assert.deepEqual(orders(both, from("list", 2), rest(5), rest(200)), ["a: 7 8", "b: "]);
    const dated = rest(200, { placedAt: INTENT + 10 * SECOND });
    assert.deepEqual(orders(both, from("list", 2), dated, rest(210)), ["a: 7 8", "b: "]);
  });

  it("is never one order for two own ones, whatever links them", () => {
    const link = from("list", 9, { orderId: "8", otherIds: ["7"] });
    assert.deepEqual(
      orders([own("a", { orderId: "7" }), own("b", { orderId: "8" })], from("list", 5), link),
      ["a: 7", "b: 8"],
    );
  });
});
