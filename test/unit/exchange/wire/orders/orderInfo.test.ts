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

function decode(changes: object, side: "buy" | "sell" = "buy", generation: "A" | "B" | "C" = "B") {
  const payload = answerRead(inEnvelope({ ...orderInfo, ...changes }, generation), "orderInfo");
  return withPlainDecimals(decodeOrderInfo(payload, { ...asked, side }, "quote")) as
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
        ...asked,
        otherIds: ["316"],
        rate: "291000",
        status: "filled",
        amount: "4000",
        fills: [
          {
            id: "BTC-1",
            at: 1_702_466_375_000,
            rate: "291000",
            quantity: "0.00033642",
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

  it("does not take what a cancelled sell reserves, which is nothing, for a part that was not filled", () => {
    const read = decode({ amount: 2, remaining: 0, filled: 0, status: "cancelled", history: [] }, "sell");
    assert.deepEqual([read?.["status"], read?.["remaining"]], ["cancelled", undefined]);
  });

  const statuses: [status: unknown, changes: object, read: string | undefined][] = [
    ["filled", {}, "filled"],
    ["FILLED", {}, "filled"],
    ["unfilled", { history: [], filled: 0 }, "open"],
    ["unfilled", {}, "open"],
    ["cancelled", { history: [], filled: 0 }, "cancelled"],
    ["canceled", { history: [], filled: 0 }, "cancelled"],
    ["cancelled", {}, "partlyFilledCancelled"],
    ["cancelled", { history: [], filled: "3" }, "partlyFilledCancelled"],
    ["cancelled", { history: [], filled: 0, partial_filled: true }, "partlyFilledCancelled"],
    ["rejected", { history: [], filled: 0 }, "rejected"],
    ["untriggered", {}, undefined],
    [undefined, {}, undefined],
    [5, {}, undefined],
  ];
  for (const [status, changes, read] of statuses) {
    it(`reads the status ${String(status)} with ${JSON.stringify(changes)} as ${String(read)}`, () => {
      assert.equal(decode({ ...changes, status })?.["status"], read);
    });
  }

  it("reads an answer under the id that the order has now", () => {
    const read = decode({ id: "316", first: "289", last: "316" });
    assert.deepEqual([read?.["orderId"], read?.["otherIds"]], ["289", ["316"]]);
  });

  it("does not read an answer about another order, side or pair", () => {
    for (const changes of [
      { id: "1", first: "1", last: "1" },
      { id: undefined, first: undefined },
      { side: "sell" },
      { sym: "THB_ETH" },
    ])
      assert.equal(decode(changes), undefined);
  });

  it("does not read an answer with a key twice, or in another shape", () => {
    const text = inEnvelope(orderInfo, "B").replace('"status":', '"status":"cancelled","status":');
    assert.equal(decodeOrderInfo(answerRead(text), asked, "quote"), undefined);
    for (const content of [null, [], "289", 289])
      assert.equal(decodeOrderInfo(answerRead(inEnvelope(content, "B")), asked, "quote"), undefined);
    assert.equal(decode({ history: {} }), undefined);
  });

  it("reads an order without a match", () => {
    for (const history of [[], null, undefined]) assert.deepEqual(decode({ history })?.["fills"], []);
  });

  it("counts a match that is told twice once, and none of it if the figures differ", () => {
    const twice = decode({ history: [match, match] });
    assert.deepEqual([fillsOf(twice).length, twice?.["unclearFills"]], [1, undefined]);
    const differing = decode({ history: [match, { ...match, rate: 5 }, match] });
    assert.deepEqual([differing?.["fills"], differing?.["unclearFills"]], [[], 1]);
  });

  it("counts matches that it cannot read, and adds up the others", () => {
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
