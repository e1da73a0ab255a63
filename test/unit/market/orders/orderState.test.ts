import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import type { Observation } from "../../../../src/market/orders/observation.ts";
import { isEnd, orderState, type OrderStatusName } from "../../../../src/market/orders/orderState.ts";
import { at, cancel, from, intent, says } from "../../../support/builders/observations.ts";
import { testFill } from "../../../support/builders/reports.ts";

const receipt = (says: "accepted" | "rejected" | "notSent" | "lost", seconds = 1): Observation => ({
  source: "receipt",
  at: at(seconds),
  says,
  ...(says === "accepted" && { orderId: "7" }),
});
const list = (...times: readonly number[]): readonly Observation[] =>
  times.flatMap((seconds) => from("list", seconds, { status: "open" }));
const absent = (...times: readonly number[]): readonly Observation[] =>
  times.map((seconds) => ({ source: "absent", at: at(seconds), orderId: "7" }));
const sent7 = [intent, receipt("accepted")];
const part = [testFill("1", "4")];
const most = [testFill("1", "9.99999999")];

/** The rows of the table, and observations to which each is the first that applies. */
const rows: readonly (readonly [
  row: string,
  ...cases: readonly [OrderStatusName, readonly Observation[]][],
])[] = [
  [
    "The fills add up",
    ["filled", [...sent7, ...from("history", 5, { fills: [testFill("1", "10")] })]],
    [
      "filled",
      [...sent7, ...from("info", 5, { status: "cancelled", fills: [testFill("1", "10")] }), ...list(9, 20)],
    ],
    ["filled", from("info", 5, { fills: [testFill("1", "10")] })],
    ["accepted", from("history", 5, { fills: [testFill("1", "10")] })],
    [
      "open",
      [...from("list", 4, { status: "open" }), ...from("history", 5, { fills: [testFill("1", "10")] })],
    ],
  ],
  [
    "It ended or left the lists without a reason",
    ["filled", [...sent7, ...from("history", 5, { fills: most, closedAt: at(4) })]],
    ["filled", [...sent7, ...from("history", 5, { fills: most }), ...absent(10, 70)]],
    ["accepted", [...sent7, ...from("history", 5, { fills: most }), ...absent(10, 69)]],
    ["ended", [...sent7, ...from("history", 5, { fills: part, closedAt: at(4) })]],
  ],
  [
    "The end of the next row was stated, but something was filled",
    ["partlyFilledCancelled", [...sent7, ...from("info", 5, { status: "cancelled", fills: part })]],
    [
      "partlyFilledCancelled",
      [...sent7, ...from("push", 5, { status: "cancelled", executed: new Decimal("4") })],
    ],
    [
      "partlyFilledCancelled",
      [
        ...sent7,
        ...from("list", 3, { status: "open", quantity: new Decimal("6") }),
        ...from("info", 5, { status: "cancelled" }),
      ],
    ],
  ],
  [
    "An end was stated",
    ["cancelled", [...sent7, ...from("info", 5, { status: "cancelled" })]],
    ["cancelled", [...sent7, ...from("info", 5, { status: "cancelled" }), ...list(6, 8)]],
    ["cancelled", [...sent7, ...from("info", 5, { status: "cancelled" }), ...list(2, 4, 5)]],
    [
      "cancelled",
      [...sent7, ...from("info", 5, { status: "cancelled" }), ...from("info", 9, { status: "open" })],
    ],
  ],
  [
    "The response refused the order",
    ["rejected", [intent, receipt("rejected")]],
    ["accepted", [intent, receipt("rejected"), receipt("accepted", 9)]],
    ["rejected", [intent, receipt("rejected"), ...list(5)]],
  ],
  ["No byte of it was sent", ["notSent", [intent, receipt("notSent"), says("placed", 9)]]],
  [
    "A cancellation was accepted",
    ["ended", [...sent7, ...list(2), cancel("accepted", 5), ...absent(35)]],
    ["ended", [...sent7, ...list(2), cancel("notOpen", 5), ...absent(35)]],
    ["open", [...sent7, ...list(2), cancel("accepted", 5), ...absent(34)]],
    ["open", [...sent7, ...list(2), cancel("rejected", 5), ...absent(35)]],
    ["open", [...sent7, ...list(2), cancel("unanswered", 5), ...absent(35)]],
  ],
  [
    "The history says that it is closed",
    ["ended", [...sent7, ...from("history", 5, { fills: part, closedAt: at(4) })]],
  ],
  [
    "The complete lists of the last minute lack it",
    ["notListed", [...sent7, ...list(2), ...absent(5, 65)]],
    ["open", [...sent7, ...list(2), ...absent(5, 64)]],
    ["open", [...sent7, ...list(2, 30), ...absent(5, 65)]],
    ["open", [...sent7, ...list(2, 70), ...absent(5, 65)]],
  ],
  [
    "A list, info or event shows it open",
    ["open", [...sent7, ...list(2)]],
    ["open", [...sent7, ...from("info", 2, { status: "open" })]],
    ["open", [...sent7, ...from("push", 2, { status: "open" })]],
    ["open", [...sent7, ...from("info", 5, { status: "cancelled" }), ...list(6, 8.001)]],
    ["open", [intent, receipt("rejected"), ...list(5, 10)]],
    [
      "open",
      [
        ...sent7,
        ...from("info", 5, { status: "cancelled" }),
        ...list(6, 9),
        ...from("info", 12, { status: "cancelled" }),
      ],
    ],
  ],
  [
    "The response accepted it",
    ["accepted", sent7],
    ["accepted", [intent, receipt("lost"), ...from("history", 5, { fills: part })]],
    ["accepted", [...sent7, says("notPlaced", 9)]],
  ],
  [
    "Only the user decided",
    ["accepted", [intent, receipt("lost"), says("placed", 9)]],
    ["notPlaced", [intent, receipt("lost"), says("placed", 9), says("notPlaced", 10)]],
  ],
  [
    "The practice account was reset",
    ["accountReset", [intent, receipt("lost"), { source: "reset", at: at(9) }]],
  ],
  ["The response was lost", ["unknown", [intent, receipt("lost"), { source: "reset", at: at(-9) }]]],
  ["Only the intent", ["sending", [intent]]],
];

describe("the table of an order's state", () => {
  const table = readFileSync("docs/orders.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|") && line.endsWith("|"));
  const start = table.findIndex((line) => line.startsWith("| What was observed"));
  const printed = table.slice(start + 2, start + 2 + rows.length);

  for (const [index, [row, ...cases]] of rows.entries()) {
    it(`has row ${index + 1}: ${row}`, () => {
      assert.ok(printed[index]?.startsWith(`| ${row}`), printed[index]);
      assert.ok(cases.some(([status]) => printed[index]?.split("|")[2]?.includes(status)));
      for (const [status, observations] of cases) {
        assert.equal(orderState(observations).status, status);
        assert.equal(orderState(observations.toReversed()).status, status);
      }
    });
  }
});

describe("the state of an order", () => {
  it("doubts an end after which two lists show the order, and then believes an end only if the next list agrees", () => {
    const doubted = [...sent7, ...from("info", 5, { status: "cancelled" }), ...list(6, 9)];
    assert.deepEqual(orderState(doubted).doubts, ["listedAfterEnd"]);
    const again = [...doubted, ...from("info", 12, { status: "cancelled" })];
    assert.equal(orderState([...again, ...list(13), ...absent(14)]).status, "open");
    assert.equal(orderState([...again, ...absent(13)]).status, "cancelled");
    assert.deepEqual(orderState([...again, ...absent(13)]).doubts, ["listedAfterEnd"]);
  });

  it("counts each kind of doubt once, however often it recurs", () => {
    const reports = Array.from({ length: 50 }, (_, index) => [
      ...from("info", index + 2, {
        status: index % 2 === 0 ? "cancelled" : "rejected",
        rate: new Decimal("99"),
      }),
      ...from("info", index + 2, { fills: [testFill("1", String(index % 3))] }),
    ]);
    assert.deepEqual(orderState([...sent7, ...reports.flat()]).doubts, [
      "endsDisagree",
      "fillsDisagree",
      "ratesDisagree",
    ]);
  });

  it("takes a list's amount for a remainder, never for the order", () => {
    const { ordered, listedAmount, left, filled, status } = orderState([
      ...from("list", 5, { status: "open", quantity: new Decimal("3") }),
      ...from("history", 6, { fills: [testFill("1", "7")] }),
    ]);
    assert.deepEqual([ordered, left, status], [undefined, undefined, "open"]);
    assert.deepEqual([String(listedAmount), String(filled)], ["3", "7"]);
    const own = orderState([...sent7, ...from("list", 5, { status: "open", quantity: new Decimal("3") })]);
    assert.deepEqual([String(own.ordered), String(own.left), String(own.filled)], ["10", "3", "0"]);
  });

  it("counts fills up to what was ordered, and shows the rest", () => {
    const fills = [testFill("1", "6", "100", 1), testFill("2", "5", "100", 2), testFill("3", "4", "100", 3)];
    const state = orderState([...sent7, ...from("history", 5, { fills })]);
    assert.deepEqual(
      [state.fills.map(({ id }) => id), state.surplus.map(({ id }) => id)],
      [["1", "3"], ["2"]],
    );
    assert.deepEqual([plainText(state.filled), state.doubts], ["10", ["filledBeyondOrder"]]);
  });

  it("lets a rebate pay for a part of a buy", () => {
    const fill = { ...testFill("1", "10", "100"), fee: new Decimal("-1") };
    const buy = { side: "buy", quantity: undefined, amount: new Decimal("999") } as const;
    const state = orderState(from("info", 5, { ...buy, fills: [fill] }));
    assert.deepEqual([state.status, state.surplus], ["filled", []]);
  });

  it("names another id that it was continued under, and keeps the one that a list shows", () => {
    const continued = from("info", 3, { status: "open", otherIds: ["9"], laterId: "9" });
    const { currentId, continuedAs } = orderState([...sent7, ...list(2), ...continued]);
    assert.deepEqual([currentId, continuedAs], ["7", "9"]);
    const listed = from("list", 4, { orderId: "9", otherIds: ["7"], status: "open" });
    const state = orderState([...sent7, ...list(2), ...continued, ...listed]);
    assert.deepEqual([state.currentId, state.continuedAs], ["9", undefined]);
  });

  it("requests and cancels an order by the id seen open last, not by the greatest", () => {
    const continued = [
      ...from("list", 2, { orderId: "900", status: "open" }),
      ...from("list", 5, { orderId: "23", otherIds: ["900"], status: "open" }),
    ];
    const { ids, currentId } = orderState(continued);
    assert.deepEqual([ids, currentId], [["900", "23"], "23"]);
  });

  it("ends under the last of its ids only", () => {
    const continued = [
      ...sent7,
      ...from("info", 5, { status: "filled", otherIds: ["8"], laterId: "8", fills: part }),
      ...from("list", 6, { orderId: "8", otherIds: ["7"], status: "open" }),
    ];
    assert.equal(orderState(continued).status, "open");
    const ended = [...continued, ...from("info", 9, { orderId: "8", otherIds: ["7"], status: "cancelled" })];
    assert.equal(orderState(ended).status, "partlyFilledCancelled");
  });

  it("is cancelling until it ends, is rejected, even in the same millisecond, or is listed half a minute later", () => {
    const of = (...more: readonly Observation[]) => orderState([...sent7, ...list(2), ...more]).cancel;
    assert.equal(of(cancel("requested", 5)), "cancelling");
    assert.equal(of(cancel("accepted", 5), ...list(35)), "cancelling");
    assert.equal(of(cancel("accepted", 5), ...list(35.001)), "stillOpen");
    for (const answer of ["rejected", "notOpen"] as const)
      for (const at of [5, 6]) assert.equal(of(cancel(answer, at), cancel("requested", 5)), undefined);
    assert.equal(of(cancel("accepted", 5), ...absent(35)), undefined);
    assert.equal(of(), undefined);
  });

  it("is complete once its end and all its fills are known", () => {
    const isComplete = (...more: readonly Observation[]): boolean =>
      orderState([...sent7, ...more]).isComplete;
    assert.ok(isComplete(...from("info", 5, { status: "cancelled" })));
    assert.ok(!isComplete(...from("info", 5, { status: "filled" })));
    assert.ok(!isComplete(...from("info", 5, { status: "filled", fills: part })));
    assert.ok(isComplete(...from("info", 5, { status: "filled", fills: [testFill("1", "9.95")] })));
    assert.ok(isComplete(...from("info", 5, { status: "filled", unclearFills: 1 })));
    assert.ok(!isComplete(...from("info", 5, { status: "partlyFilledCancelled" })));
    assert.ok(
      !isComplete(...from("push", 5, { status: "cancelled", executed: new Decimal("5"), fills: part })),
    );
    assert.ok(
      isComplete(...from("push", 5, { status: "cancelled", executed: new Decimal("4"), fills: part })),
    );
    assert.ok(!isComplete(...from("history", 5, { fills: part, closedAt: at(4) })));
    assert.ok(!isComplete(...list(5)));
  });

  it("is not confirmed while only events name it", () => {
    const pushed = from("push", 5, { status: "open", fills: part });
    assert.ok(!orderState(pushed).isConfirmed);
    assert.ok(orderState([...pushed, ...list(6)]).isConfirmed);
    assert.ok(orderState([...sent7, ...pushed]).isConfirmed);
  });

  it("needs an intent or a statement of the exchange", () => {
    assert.throws(() => orderState(absent(1)), RangeError);
  });
});

describe("the end of an order", () => {
  it("is every status in which nothing can happen any more", () => {
    const open: readonly OrderStatusName[] = ["sending", "unknown", "accepted", "open", "notListed"];
    assert.deepEqual(open.filter(isEnd), []);
    assert.ok(
      (["ended", "accountReset", "notSent", "notPlaced", "filled", "cancelled", "rejected"] as const).every(
        isEnd,
      ),
    );
  });
});
