import assert from "node:assert/strict";
import { decodeOrderInfo } from "../../../../../src/exchange/wire/orders/orderInfo.ts";
import { answerRead, inEnvelope, withPlainDecimals } from "../../../../support/builders/answers.ts";
import { orderInfo } from "../../../../support/builders/orderRows.ts";

const asked = {
  symbol: "THB_BTC",
  pair: { quote: "THB", base: "BTC" },
  askedAt: 77,
  orderId: "289",
  side: "buy",
} as const;

const hints = { usual: "quote" } as const;

function decode(changes: object, side: "buy" | "sell" = "buy", generation: "A" | "B" | "C" = "B") {
  const payload = answerRead(inEnvelope({ ...orderInfo, ...changes }, generation), "orderInfo");
  return withPlainDecimals(decodeOrderInfo(payload, { ...asked, side }, hints)) as
    | Record<string, unknown>
    | undefined;
}

const [match] = orderInfo.history;

function fillsOf(read: Record<string, unknown> | undefined): readonly unknown[] {
  return (read?.["fills"] ?? []) as unknown[];
}

describe("decodeOrderInfo", () => {
  it("reads a filled buy in every envelope", () => {
    for (const generation of ["A", "B", "C"] as const)
      assert.deepEqual(decode({}, "buy", generation), {
        source: "info",
        ...asked,
        otherIds: ["316"],
        laterId: "316",
        rate: "291000",
        status: "filled",
        amount: "4000",
        fills: [
          {
            id: "BTC-1",
            at: 1_702_466_375_000,
            rate: "291000",
            quantity: "0.00033642",
            isQuantityAbout: true,
            value: "97.89848",
            fee: "0.25",
          },
        ],
      });
  });

  it("reads a sell, whose amounts are in base", () => {
    const history = [{ ...match, amount: "0.5", fee: 363.75 }];
    const read = decode({ amount: 2, remaining: "1.5", status: "unfilled", history }, "sell");
    const { status, quantity, amount, remaining, fills } = read ?? {};
    assert.deepEqual([status, quantity, amount, remaining], ["open", "2", undefined, "1.5"]);
    assert.deepEqual(fills, [
      { id: "BTC-1", at: 1_702_466_375_000, rate: "291000", quantity: "0.5", value: "145500", fee: "363.75" },
    ]);
  });

  it("does not read the zero that a cancelled sell reserves as its unfilled part", () => {
    const read = decode({ amount: 2, remaining: 0, filled: 0, status: "cancelled", history: [] }, "sell");
    assert.deepEqual([read?.["status"], read?.["remaining"]], ["cancelled", undefined]);
  });

  const statuses: [status: unknown, changes: object, read: string | undefined][] = [
    ["filled", {}, "filled"],
    ["FILLED", {}, "filled"],
    ["unfilled", { history: [], filled: 0 }, "open"],
    ["unfilled", {}, "open"],
    ["open", { history: [], filled: 0 }, "open"],
    ["NEW", { history: [], filled: 0 }, "open"],
    ["partial_filled", {}, "open"],
    ["partial_filled_canceled", {}, "partlyFilledCancelled"],
    ["cancelled", { history: [{ txn_id: "1" }], filled: 0 }, "partlyFilledCancelled"],
    ["cancelled", { history: [match, { txn_id: "2" }], filled: 0 }, "partlyFilledCancelled"],
    ["cancelled", { history: [], filled: 0 }, "cancelled"],
    ["canceled", { history: [], filled: 0 }, "cancelled"],
    ["cancelled", {}, "partlyFilledCancelled"],
    ["cancelled", { history: [], filled: "3" }, "partlyFilledCancelled"],
    ["cancelled", { history: [], filled: 0, partial_filled: true }, "partlyFilledCancelled"],
    ["rejected", { history: [], filled: 0 }, "rejected"],
    ["untriggered", { history: [], filled: 0 }, "open"],
    ["frozen", {}, undefined],
    [undefined, {}, undefined],
    [5, {}, undefined],
  ];
  for (const [status, changes, read] of statuses) {
    it(`reads the status ${String(status)} with ${JSON.stringify(changes)} as ${String(read)}`, () => {
      assert.equal(decode({ ...changes, status })?.["status"], read);
    });
  }

  it("reads the trigger of a stop order that waits for it", () => {
    const waiting = { status: "untriggered", history: [], filled: 0 };
    assert.equal(decode({ ...waiting, type: "stop_limit", stop_price: "280000" })?.["trigger"], "280000");
    assert.equal(decode(waiting)?.["trigger"], "unknown");
    assert.equal(decode({ ...waiting, status: "unfilled", type: "limit" })?.["trigger"], "none");
    assert.equal(decode({ ...waiting, status: "unfilled" })?.["trigger"], undefined);
  });

  it("accepts a response under the order's current id", () => {
    const read = decode({ id: "316", first: "289", last: "316" });
    assert.deepEqual([read?.["orderId"], read?.["otherIds"]], ["289", ["316"]]);
  });

  it("names the id that the order goes on under, if that is another one", () => {
    assert.equal(decode({ id: "316", first: "289", last: undefined })?.["laterId"], "316");
    assert.equal(decode({ id: "316", first: "289", last: "320" })?.["laterId"], "320");
    assert.equal(decode({ last: "289" })?.["laterId"], undefined);
  });

  it("names the order that it is the rest of, and no other id if it has none", () => {
    const changes = { first: "12", parent: "34", last: "289" };
    assert.deepEqual(decode(changes)?.["otherIds"], ["12", "34"]);
    assert.equal(decode({ last: "289" })?.["otherIds"], undefined);
    assert.equal(decode({ first: undefined, parent: undefined, last: undefined })?.["orderId"], "289");
  });

  it("reads the short field names of an order response, and the client id in both", () => {
    assert.equal(decode({ client_id: undefined, ci: "BS-1" })?.["clientId"], "BS-1");
    assert.equal(decode({ client_id: "BS-1", ci: "BS-2" })?.["clientId"], "BS-1");
    assert.equal(decode({ sd: "sell" }), undefined);
    assert.equal(decode({ amount: undefined })?.["amount"], "4000");
  });

  it("ignores the remainder of a buy, whose unit is undocumented", () => {
    assert.equal(decode({ status: "unfilled", remaining: 3 })?.["remaining"], undefined);
  });

  it("takes the part that credits paid out of a fee, and no part where none can be read", () => {
    for (const [credit, fee] of [
      [undefined, "0.25"],
      ["x", "0.25"],
      ["0.05", "0.2"],
      ["0.25", "0"],
    ]) {
      const fills = fillsOf(decode({ history: [match, { ...match, txn_id: "BTC-2", credit }] }));
      assert.equal((fills[1] as Record<string, unknown> | undefined)?.["fee"], fee);
    }
  });

  it("reads a maker's rebate as a negative fee", () => {
    const [fill] = fillsOf(decode({ history: [{ ...match, fee: "-0.05" }] }));
    assert.deepEqual(fill, {
      id: "BTC-1",
      at: 1_702_466_375_000,
      rate: "291000",
      quantity: "0.00033745",
      isQuantityAbout: true,
      value: "98.19848",
      fee: "-0.05",
    });
  });

  it("reads a buy without a fee by the amount of the order, in either unit", () => {
    for (const [amount, value] of [
      ["500", "500"],
      ["15", "495"],
    ] as const) {
      const partly = {
        amount: "1000",
        total: undefined,
        filled: value,
        remaining: 1000 - Number(value),
        rate: 33,
      };
      const history = [{ ...match, amount, rate: "33", fee: 0 }];
      const [fill] = fillsOf(decode({ ...partly, status: "partial_filled", history }));
      assert.deepEqual((fill as Record<string, unknown> | undefined)?.["value"], value);
    }
  });

  it("reads a buy whose fee fits both units by what the order spent, once it is filled", () => {
    const history = [{ ...match, amount: "1000", rate: "0.5", fee: 1 }];
    const valuesOf = (changes: object): unknown =>
      fillsOf(decode({ amount: "1000", filled: 0, history, ...changes })).map(
        (fill) => (fill as { value: string }).value,
      );
    assert.deepEqual(valuesOf({ status: "filled" }), ["999"]);
    assert.deepEqual(valuesOf({ status: "cancelled" }), []);
  });

  it("does not take the filled part as evidence of the unit unless the rest adds up to the order", () => {
    const partly = { status: "partial_filled", amount: "1000", filled: 15, rate: 33 };
    const history = [{ ...match, amount: "15", rate: "33", fee: 0 }];
    assert.deepEqual(fillsOf(decode({ ...partly, remaining: 500, history })), []);
    assert.equal(fillsOf(decode({ ...partly, remaining: 985, history })).length, 1);
  });

  it("reads an open buy of which nothing is filled", () => {
    const read = decode({ status: "unfilled", filled: 0, remaining: 4000, history: [] });
    assert.deepEqual([read?.["status"], read?.["amount"]], ["open", "4000"]);
  });

  it("rejects a response about another order, side or pair", () => {
    for (const changes of [
      { id: "1", first: "1", last: "1" },
      { id: undefined, first: undefined },
      { side: "sell" },
      { sym: "THB_ETH" },
    ])
      assert.equal(decode(changes), undefined);
  });

  it("rejects a response with a duplicate key or of another shape", () => {
    const text = inEnvelope(orderInfo, "B").replace('"status":', '"status":"cancelled","status":');
    assert.equal(decodeOrderInfo(answerRead(text), asked, hints), undefined);
    for (const content of [null, [], "289", 289])
      assert.equal(decodeOrderInfo(answerRead(inEnvelope(content, "B")), asked, hints), undefined);
    assert.equal(decode({ history: {} }), undefined);
  });

  it("reads an order without a match", () => {
    for (const history of [[], null, undefined]) assert.deepEqual(decode({ history })?.["fills"], []);
  });

  it("counts a duplicate match once, and not at all if the figures differ", () => {
    const twice = decode({ history: [match, match] });
    assert.deepEqual([fillsOf(twice).length, twice?.["unclearFills"]], [1, undefined]);
    const at = match?.timestamp ?? 0;
    for (const change of [{ rate: 5 }, { timestamp: at + 1000 }, { amount: 98.2 }, { fee: 0.251 }]) {
      const differing = decode({ history: [match, { ...match, ...change }, match] });
      assert.deepEqual([differing?.["fills"], differing?.["unclearFills"]], [[], 1], JSON.stringify(change));
    }
  });

  it("counts unreadable matches, and sums the others", () => {
    const odd = [
      { txn_id: undefined },
      { txn_id: "2", amount: "x" },
      { txn_id: "3", rate: 0 },
      { txn_id: "4", timestamp: "yesterday" },
      { txn_id: "5", fee: 25_000 },
      { txn_id: "6", fee: undefined },
    ];
    const read = decode({ history: [match, ...odd.map((changes) => ({ ...match, ...changes })), null] });
    assert.deepEqual([fillsOf(read).length, read?.["unclearFills"]], [1, odd.length + 1]);
  });
});
