import assert from "node:assert/strict";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import type { Fill, OrderReport } from "../../../../src/market/orderReport.ts";
import type { Observation } from "../../../../src/market/orders/observation.ts";
import { essential, type OrderState, orderState } from "../../../../src/market/orders/orderState.ts";
import { at, from, intent } from "../../../support/builders/observations.ts";
import { testFill } from "../../../support/builders/reports.ts";

const receipt = (says: "rejected" | "notSent"): Observation => ({ source: "receipt", at: at(1), says });
const part = [testFill("1", "4")];

/** To spend 1000 THB on BTC at 100 THB. */
const buy = { side: "buy", amount: new Decimal("1000") } as const;
const bought = (value: string): readonly Fill[] => [
  { ...testFill("1", "9.9"), value: new Decimal(value), fee: new Decimal("0") },
];

const plain = (figure: Decimal | undefined): string | undefined => figure && plainText(figure);

describe("the limit price and the dates of an order", () => {
  it("come from the first statement that has a price, and from the earliest date", () => {
    const { rate, placedAt } = orderState([
      ...from("info", 2, { rate: undefined }),
      ...from("info", 3, { placedAt: at(-1) }),
      ...from("info", 4, { placedAt: at(-3) }),
      ...from("info", 5, { placedAt: at(-2) }),
    ]);
    assert.deepEqual([plain(rate), placedAt], ["100", at(-3)]);
  });
});

describe("the client id of an order", () => {
  it("comes from the first response that has one, never from an event", () => {
    const pushed = from("push", 2, { clientId: "pushed" });
    assert.equal(orderState([...pushed, ...from("info", 3)]).clientId, undefined);
    const named = [...from("info", 4, { clientId: "first" }), ...from("info", 5, { clientId: "second" })];
    assert.equal(orderState([...pushed, ...from("info", 3), ...named]).clientId, "first");
  });
});

describe("the trigger of a stop order", () => {
  const triggerAfter = (...triggers: readonly OrderReport["trigger"][]): string | undefined => {
    const { trigger } = orderState(
      triggers.flatMap((trigger, index) => from("info", index + 1, { status: "open", trigger })),
    );
    return typeof trigger === "object" ? plainText(trigger) : trigger;
  };
  const [first, second] = [new Decimal("90"), new Decimal("91")];

  it("is the price stated last, even if later responses do not know it", () => {
    assert.equal(triggerAfter(undefined, first, second, "unknown", undefined), "91");
  });

  it("is unknown if every response that mentions it lacks the price", () => {
    assert.equal(triggerAfter(undefined, "unknown", undefined), "unknown");
  });

  it("is gone once the order was seen in the book, whatever late responses state", () => {
    assert.equal(triggerAfter(first, "none", second, "unknown"), undefined);
  });

  it("is absent from an order that no response says to wait", () => {
    assert.equal(triggerAfter(undefined, undefined), undefined);
  });
});

describe("the amounts of an order", () => {
  it("are known from an event alone", () => {
    assert.equal(plain(orderState(from("push", 5, { status: "open" })).ordered), "10");
  });

  it("include what is left of a sell, by the reported remainder or by the list, whichever is less", () => {
    const remaining = new Decimal("3");
    const left = (...more: readonly Observation[]): string | undefined =>
      plain(orderState([...from("info", 5, { status: "open", remaining }), ...more]).left);
    assert.equal(left(), "3");
    assert.equal(left(...from("list", 6, { quantity: new Decimal("2") })), "2");
    assert.equal(left(...from("list", 6, { quantity: new Decimal("4") })), "3");
  });

  it("do not take the remainder of a buy, which is in base, for an amount in quote", () => {
    const remaining = new Decimal("3");
    assert.equal(plain(orderState(from("info", 5, { ...buy, status: "open", remaining })).left), "1000");
  });

  it("are read from the rows of a list that have one", () => {
    const rows = [undefined, new Decimal("400"), undefined].flatMap((amount, index) =>
      from("list", index + 6, { side: "buy", status: "open", amount }),
    );
    const { left, listedAmount } = orderState([...from("info", 5, buy), ...rows]);
    assert.deepEqual([plain(left), plain(listedAmount)], ["400", "400"]);
  });

  it("show no fill of a buy whose list leaves out the fee, up to 1 %", () => {
    const afterList = (amount: string): OrderState =>
      orderState([
        ...from("info", 4, buy),
        ...from("list", 5, { side: "buy", status: "open", amount: new Decimal(amount) }),
        ...from("info", 6, { ...buy, status: "cancelled" }),
      ]);
    assert.deepEqual([afterList("990").status, plain(afterList("990").left)], ["cancelled", "1000"]);
    assert.deepEqual(
      [afterList("989.99").status, plain(afterList("989.99").left)],
      ["partlyFilledCancelled", "989.99"],
    );
  });
});

describe("an order that ended without a reason", () => {
  const closed = (changes: Partial<OrderReport>): string =>
    orderState(from("info", 5, { closedAt: at(4), ...changes })).status;

  it("is filled if its fills lack no more than two units of rounding for each fill and for the order", () => {
    assert.equal(closed({ fills: [testFill("1", "9.99999996")] }), "filled");
    assert.equal(closed({ fills: [testFill("1", "9.99999995")] }), "ended");
    const three = [testFill("1", "4"), testFill("2", "3"), testFill("3", "2.99999992")];
    assert.equal(closed({ fills: three }), "filled");
  });

  it("is filled if a buy lacks the value of those units and a few of the smallest amounts of its quote asset", () => {
    assert.equal(closed({ ...buy, fills: bought("999.959996") }), "filled");
    assert.equal(closed({ ...buy, fills: bought("999.959995") }), "ended");
  });

  it("is not called filled if some of its fills are unreadable, or if it had no amount", () => {
    assert.equal(closed({ fills: [testFill("1", "9.99999999")], unclearFills: 1 }), "ended");
    assert.equal(closed({ quantity: new Decimal("0") }), "ended");
  });
});

describe("a stated end", () => {
  const statusAfter = (...ends: readonly Partial<OrderReport>[]): string =>
    orderState(ends.flatMap((end, index) => from("info", index + 5, end))).status;

  it("is replaced by a later one, except by one that does not say how the order ended", () => {
    assert.equal(statusAfter({ status: "cancelled" }, { status: "filled" }), "filled");
    assert.equal(statusAfter({ closedAt: at(4) }, { status: "cancelled" }), "cancelled");
    assert.equal(statusAfter({ status: "cancelled" }, { closedAt: at(4) }), "cancelled");
  });

  it("is more than a response without a status", () => {
    assert.equal(statusAfter({}), "accepted");
  });

  it("is no refusal if something was filled", () => {
    const fills = from("history", 5, { fills: part });
    assert.equal(statusAfter({ status: "rejected", fills: part }), "partlyFilledCancelled");
    for (const says of ["rejected", "notSent"] as const)
      assert.equal(orderState([intent, receipt(says), ...fills]).status, "partlyFilledCancelled");
  });
});

describe("doubts about an order", () => {
  const doubtsAbout = (...observations: readonly Observation[]): readonly string[] =>
    orderState(observations).doubts;

  it("arise from two different ends, or from a refusal of what was partly filled", () => {
    const ended = (status: OrderReport["status"], seconds: number) => from("info", seconds, { status });
    const partly = ended("partlyFilledCancelled", 4);
    for (const one of ["cancelled", "rejected"] as const)
      assert.deepEqual(doubtsAbout(...ended(one, 5), ...ended("filled", 6)), ["endsDisagree"]);
    const three = [...partly, ...ended("cancelled", 5), ...ended("filled", 6)];
    assert.deepEqual(doubtsAbout(...three), ["endsDisagree"]);
    assert.deepEqual(doubtsAbout(...partly, ...ended("rejected", 6)), ["endsDisagree"]);
    assert.deepEqual(doubtsAbout(intent, receipt("notSent"), ...partly), ["endsDisagree"]);
  });

  it("do not arise if a service first calls an order partly filled or closed, and then filled or cancelled", () => {
    for (const status of ["filled", "cancelled"] as const) {
      const later = from("info", 6, { status });
      const partly = from("info", 5, { status: "partlyFilledCancelled" });
      assert.deepEqual(doubtsAbout(...later), []);
      assert.deepEqual(doubtsAbout(...partly, ...later), []);
    }
    const closed = from("history", 5, { closedAt: at(4) });
    assert.deepEqual(doubtsAbout(...closed, ...from("info", 6, { status: "cancelled" })), []);
  });

  it("arise from one fill with two times, prices, quantities or fees, apart from rounding", () => {
    const fill = testFill("1", "4", "100", at(2));
    const doubtsWith = (changes: Partial<Fill>): readonly string[] =>
      doubtsAbout(
        ...from("info", 5, { fills: [fill] }),
        ...from("info", 6, { fills: [{ ...fill, ...changes }] }),
      );
    const agreeing: readonly Partial<Fill>[] = [
      { at: at(2.999) },
      { quantity: new Decimal("4.0000001") },
      { value: new Decimal("401") },
    ];
    for (const changes of agreeing) assert.deepEqual(doubtsWith(changes), []);
    const disagreeing: readonly Partial<Fill>[] = [
      { at: at(3) },
      { at: at(1) },
      { rate: new Decimal("101") },
      { quantity: new Decimal("4.00000011") },
      { fee: new Decimal("0") },
    ];
    for (const changes of disagreeing) assert.deepEqual(doubtsWith(changes), ["fillsDisagree"]);
  });

  it("are in alphabetical order", () => {
    const report = { rate: new Decimal("99"), fills: [testFill("1", "11")] };
    assert.deepEqual(doubtsAbout(intent, ...from("info", 5, report)), ["filledBeyondOrder", "ratesDisagree"]);
  });
});

describe("the fills of an order", () => {
  it("are sorted by their time, and by id within a millisecond, whenever they were read", () => {
    const { fills } = orderState([
      ...from("history", 5, { fills: [testFill("2", "1", "100", at(3)), testFill("3", "1", "100", at(4))] }),
      ...from("history", 6, { fills: [testFill("1", "1", "100", at(3)), testFill("4", "1", "100", at(2))] }),
      ...from("info", 7),
    ]);
    assert.deepEqual(
      fills.map(({ id }) => id),
      ["4", "1", "2", "3"],
    );
  });

  it("count up to the ordered amount, by their value for a buy, and all if it is unknown", () => {
    const fills = [testFill("1", "6", "100", at(2)), testFill("2", "5", "100", at(3))];
    const surplusOf = (changes: Partial<OrderReport>): readonly string[] =>
      orderState(from("info", 5, { fills, ...changes })).surplus.map(({ id }) => id);
    assert.deepEqual(surplusOf(buy), ["2"]);
    assert.deepEqual(surplusOf({ ...buy, amount: new Decimal("1100") }), []);
    assert.deepEqual(surplusOf({ quantity: undefined }), []);
  });

  it("are still to be read if a filled order has none, even if its amount is unknown", () => {
    const filled = (fills: readonly Fill[]): OrderState =>
      orderState(from("info", 5, { status: "filled", quantity: undefined, fills }));
    assert.ok(!filled([]).hasAllFills);
    assert.ok(filled(part).hasAllFills);
  });
});

describe("what is essential of an order", () => {
  const assertSameAfter = (
    observations: readonly Observation[],
    later: readonly Observation[],
  ): OrderState => {
    const state = orderState([...observations, ...later]);
    assert.deepEqual(orderState([...essential(observations), ...later]), state);
    return state;
  };

  it("includes the statements that its figures come from", () => {
    const observations = [2, 4, 3].flatMap((executed, index) =>
      from("info", index + 1, { status: "open", executed: new Decimal(String(executed)) }),
    );
    assert.equal(plain(assertSameAfter(observations, []).filled), "4");
  });

  it("includes its fills", () => {
    const fills = [testFill("1", "1"), testFill("2", "2")];
    const observations = [
      ...from("history", 5, { fills }),
      ...from("history", 6, { fills }),
      ...from("info", 7),
    ];
    assert.equal(plain(assertSameAfter(observations, []).filled), "3");
    assert.equal(essential(observations).length, 3);
  });

  it("includes how each of its ids ended, because one may turn out to have been continued under another", () => {
    const ended = (orderId: string, seconds: number, status: OrderReport["status"]) =>
      from("info", seconds, { orderId, status });
    const observations = [
      ...from("list", 1, { orderId: "7", status: "open" }),
      ...from("list", 2, { orderId: "8", status: "open" }),
      ...ended("7", 5, "cancelled"),
      ...ended("7", 6, "filled"),
      ...ended("8", 7, "filled"),
      ...ended("8", 8, "cancelled"),
      ...ended("8", 9, "filled"),
      ...from("history", 10, { orderId: "8", closedAt: at(9) }),
      ...ended("7", 11, "cancelled"),
    ];
    assert.equal(assertSameAfter(observations, []).status, "cancelled");
    const linked = assertSameAfter(observations, from("info", 12, { orderId: "8", otherIds: ["7"] }));
    assert.deepEqual([linked.status, linked.doubts], ["filled", ["endsDisagree"]]);
  });
});
