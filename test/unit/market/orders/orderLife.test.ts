import assert from "node:assert/strict";
import type { OrderReport } from "../../../../src/market/orderReport.ts";
import type { Observation } from "../../../../src/market/orders/observation.ts";
import { identifyOrders } from "../../../../src/market/orders/orderIdentity.ts";
import { essential, orderState } from "../../../../src/market/orders/orderState.ts";
import { at, cancel, from, intent as unnamed, says } from "../../../support/builders/observations.ts";
import { testFill, testReport } from "../../../support/builders/reports.ts";

const intent = { ...unnamed, sent: { ...unnamed.sent, clientId: "mine" } };
const receipt = (
  says: "accepted" | "rejected" | "notSent" | "lost",
  seconds: number,
  orderId?: string,
): Observation => ({ source: "receipt", at: at(seconds), says, orderId });
const list = (
  orderId: string,
  seconds: number,
  changes: Partial<OrderReport> = {},
  listed: readonly OrderReport[] = [],
) => from("list", seconds, { ...changes, status: "open", orderId }, listed);
const absent = (seconds: number): Observation => ({ source: "absent", at: at(seconds), orderId: "7" });
const reset = (seconds: number): Observation => ({ source: "reset", at: at(seconds) });

const placed = [intent, receipt("accepted", 1, "7")];
const cancelled = from("info", 5, { status: "cancelled" });
/** Listed twice after its end. */
const contested = [...placed, ...cancelled, ...list("7", 6), ...list("7", 9)];

describe("the ids of an order", () => {
  it("lead to the newest through a chain of continuations, whichever was reported first", () => {
    const seventh = (seconds: number) => from("info", seconds, { status: "open", laterId: "8" });
    const eighth = (seconds: number) => from("info", seconds, { status: "open", orderId: "8", laterId: "9" });
    for (const chain of [
      [...seventh(3), ...eighth(5)],
      [...eighth(3), ...seventh(5)],
    ])
      assert.equal(orderState([...placed, ...list("7", 2), ...chain]).continuedAs, "9");
  });

  it("lead to what the order's own response names, also once the history has it, until it is seen open", () => {
    const listed = [...placed, ...list("7", 2)];
    const continued = from("info", 3, { status: "open", laterId: "8" });
    const history = from("history", 5, { orderId: "8", otherIds: ["7"] });
    assert.equal(orderState([...listed, ...continued, ...history]).continuedAs, "8");
    assert.equal(orderState([...listed, ...history]).continuedAs, undefined);
    const { currentId, continuedAs } = orderState([...listed, ...continued, ...history, ...list("8", 6)]);
    assert.deepEqual([currentId, continuedAs], ["8", undefined]);
  });

  it("are requested by the one that continues the others if none was seen open", () => {
    const eighth = from("history", 3, { orderId: "8", otherIds: ["7"] });
    const { ids, currentId } = orderState([...eighth, ...cancelled]);
    assert.deepEqual([ids, currentId], [["8", "7"], "8"]);
  });

  it("do not continue themselves", () => {
    const { status } = orderState(from("info", 5, { status: "cancelled", otherIds: ["7"] }));
    assert.equal(status, "cancelled");
  });
});

describe("our own records of an order", () => {
  it("prove that it was placed by a response without an id", () => {
    const accepted = [intent, receipt("accepted", 1)];
    assert.equal(orderState(accepted).status, "accepted");
    assert.equal(orderState([...accepted, says("notPlaced", 9)]).status, "accepted");
  });

  it("prove a refusal unless a response found the order under an id", () => {
    const refused = [intent, receipt("rejected", 1)];
    assert.equal(orderState([...refused, receipt("accepted", 9, "7")]).status, "accepted");
    assert.equal(orderState([...refused, receipt("accepted", 9)]).status, "rejected");
    assert.equal(orderState([intent, receipt("rejected", 1, "7")]).status, "rejected");
    assert.equal(orderState([...refused, says("placed", 9)]).status, "rejected");
  });

  it("do not call the account reset unless that was after the intent", () => {
    assert.equal(orderState([intent, receipt("lost", 1), reset(0)]).status, "unknown");
    assert.equal(orderState([intent, receipt("lost", 1), reset(0.001)]).status, "accountReset");
  });
});

describe("the end of an order", () => {
  it("is contradicted by lists only, not by other responses or events", () => {
    const open = [6, 9].flatMap((seconds) => [
      ...from("info", seconds, { status: "open" }),
      ...from("push", seconds + 1, { status: "open" }),
    ]);
    const { status, doubts } = orderState([...placed, ...cancelled, ...open]);
    assert.deepEqual([status, doubts], ["cancelled", []]);
  });

  it("is not contradicted by a list requested in the same moment", () => {
    const state = orderState([...placed, ...cancelled, ...list("7", 5), ...list("7", 8)]);
    assert.deepEqual([state.status, state.doubts], ["cancelled", []]);
  });

  it("is confirmed by the next complete list although an event showed the order open in between", () => {
    const again = [...contested, ...from("info", 12, { status: "cancelled" })];
    assert.equal(
      orderState([...again, ...from("push", 13, { status: "open" }), absent(14)]).status,
      "cancelled",
    );
  });

  it("is overdue after a cancellation only if a list still shows the order", () => {
    const requested = [...placed, cancel("accepted", 5)];
    assert.equal(orderState([...requested, ...from("info", 36, { status: "open" })]).cancel, "cancelling");
    assert.equal(orderState([...requested, ...from("push", 36, { status: "open" })]).cancel, "cancelling");
    assert.equal(orderState([...requested, ...list("7", 36)]).cancel, "stillOpen");
  });
});

describe("the essential observations of an order", () => {
  it("lead to the same state as all of them", () => {
    const histories: readonly (readonly Observation[])[] = [
      placed,
      [intent, receipt("rejected", 1), receipt("accepted", 9, "7")],
      [intent, receipt("lost", 1)],
      [intent, receipt("lost", 1), says("placed", 5), says("notPlaced", 9)],
      [intent, receipt("lost", 1), reset(9), reset(20)],
      [...placed, ...list("7", 2), cancel("requested", 5), cancel("rejected", 6)],
      [...placed, ...list("7", 2), cancel("requested", 5), ...list("7", 36)],
      contested,
    ];
    for (const all of histories) {
      const state = orderState(all);
      assert.deepEqual(orderState(essential(all)), state);
      assert.deepEqual(orderState(essential(all.toReversed())), state);
    }
  });

  it("are no more after a contradiction recurs", () => {
    const fill = (seconds: number, quantity: string) =>
      from("history", seconds, { fills: [testFill("1", quantity)] });
    const doubted = [...placed, ...fill(5, "4"), ...fill(6, "5")];
    assert.deepEqual(orderState(doubted).doubts, ["fillsDisagree"]);
    assert.deepEqual(essential([...doubted, ...fill(7, "6"), ...fill(8, "7")]), doubted);
  });

  it("include the client id by which each id was recognised", () => {
    const own = { id: "a", at: at(0), sent: intent.sent };
    const observed = [
      ...list("7", 2, { clientId: "mine" }),
      ...from("info", 3, { status: "open", clientId: "mine" }),
      ...list("8", 5),
      ...from("info", 6, { orderId: "8", status: "open", clientId: "mine" }),
      ...list("8", 7),
    ];
    const needed = new Set<Observation>(essential([intent, ...observed]));
    const [order, ...others] = identifyOrders(
      [own],
      observed.filter((each) => needed.has(each)),
    );
    assert.deepEqual([order?.own, others], ["a", []]);
    assert.deepEqual(orderState([intent, ...(order?.observed ?? [])]).ids, ["7", "8"]);
  });

  it("include each other order that was open at the same time", () => {
    const row = (orderId: string, otherIds: readonly string[] = []) => testReport({ orderId, otherIds });
    const [seventh, eighth, ninth] = [row("7"), row("8", ["7", "9"]), row("9")];
    const ofEighth = [
      ...list("8", 2, { otherIds: ["7", "9"] }, [seventh, eighth]),
      ...list("8", 5, { otherIds: ["7", "9"] }, [seventh, eighth, ninth]),
      ...list("8", 8, { otherIds: ["7", "9"] }, [eighth]),
    ];
    const needed = new Set<Observation>(essential(ofEighth));
    const others = [...list("7", 2), ...list("9", 5)];
    const found = identifyOrders([], [...others, ...ofEighth.filter((each) => needed.has(each))]);
    assert.deepEqual(found.map(({ firstId }) => firstId).sort(), ["7", "8", "9"]);
  });

  it("need something that says which order it is", () => {
    assert.throws(() => essential([absent(1)]), {
      name: "RangeError",
      message: "An order needs an intent or a statement of the exchange.",
    });
  });
});
