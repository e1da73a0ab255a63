import assert from "node:assert/strict";
import { decodeOpenOrders } from "../../../../../src/exchange/wire/orders/openOrders.ts";
import { answerRead, inEnvelope, withPlainDecimals } from "../../../../support/builders/answers.ts";
import { openBuyB, openSellA } from "../../../../support/builders/orderRows.ts";

const asked = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" }, askedAt: 77 };

function decode(rows: unknown, generation: "A" | "B" | "C" = "B") {
  return decodeText(inEnvelope(rows, generation));
}

function decodeText(text: string) {
  return withPlainDecimals(decodeOpenOrders(answerRead(text), asked)) as
    | { orders: Record<string, unknown>[]; unreadable: string[] }
    | undefined;
}

const buy = {
  source: "list",
  ...asked,
  orderId: "278465822",
  clientId: "BS-1",
  side: "buy",
  rate: "10",
  status: "open",
  trigger: "none",
  quantity: "9.975",
  amount: "100",
  fills: [],
  placedAt: 1_707_220_636_000,
};

describe("decodeOpenOrders", () => {
  it("reads the trigger of a stop order that waits for it, in the names of several services", () => {
    const triggerOf = (changes: object) => decode([{ ...openBuyB, ...changes }])?.orders[0]?.["trigger"];
    for (const changes of [
      { type: "stop_limit", stop_price: "9.5" },
      { type: "STOP-LIMIT", trigger_price: 9.5 },
      { type: undefined, typ: "stop", stopPrice: "9.50" },
      { type: "take_profit_limit", triggerPrice: "9.5", triggered: false },
    ])
      assert.equal(triggerOf(changes), "9.5", JSON.stringify(changes));
    assert.equal(triggerOf({ type: "stop_limit" }), "unknown");
    assert.equal(triggerOf({ type: "stop_limit", stop_price: "9.5", is_triggered: 1 }), "none");
    assert.equal(triggerOf({ type: "limit", stop_price: "0" }), "none");
    assert.equal(triggerOf({ type: undefined }), undefined);
  });

  it("reads a row of text, in every envelope and bare", () => {
    for (const generation of ["A", "B", "C"] as const)
      assert.deepEqual(decode([openBuyB], generation), { orders: [buy], unreadable: [] });
    assert.deepEqual(decodeText(JSON.stringify([openBuyB]))?.orders, [buy]);
  });

  it("reads a row of numbers: base leaves in a sell, times in seconds, words in upper case", () => {
    assert.deepEqual(decode([openSellA])?.orders, [
      {
        source: "list",
        ...asked,
        orderId: "54",
        side: "sell",
        rate: "1533438.83",
        status: "open",
        trigger: "none",
        quantity: "0.001",
        fills: [],
        placedAt: 1_533_834_844_000,
      },
    ]);
  });

  it("reads no orders, also from a service that writes null for an empty list", () => {
    for (const rows of [[], null]) assert.deepEqual(decode(rows), { orders: [], unreadable: [] });
  });

  it("treats a missing or different list as an unknown shape, never as no orders", () => {
    for (const text of [
      "null",
      '{"error":0}',
      '{"error":0,"result":{}}',
      "{}",
      '"x"',
      '{"error":0,"result":0}',
    ])
      assert.equal(decodeText(text), undefined, text);
  });

  it("keeps ids above 2^53 to the last digit", () => {
    const text = inEnvelope([{ ...openBuyB, id: "#" }], "A").replace('"#"', "90071992547409931");
    assert.equal(decodeText(text)?.orders[0]?.["orderId"], "90071992547409931");
  });

  it("names the earlier ids of an order whose rest got a new one", () => {
    const row = { ...openBuyB, parent_id: "5", super_id: "3" };
    assert.deepEqual(decode([row])?.orders[0]?.["otherIds"], ["5", "3"]);
    const withParent = (id: string) => decode([{ ...openBuyB, parent_id: id }])?.orders[0]?.["otherIds"];
    assert.equal(withParent(openBuyB.id), undefined);
    assert.deepEqual(withParent("999999999"), ["999999999"], "not every exchange counts up");
  });

  it("has no client id if the text means none, or is not an id", () => {
    for (const client_id of [null, "", "0", 5, true, "a b", "x".repeat(65), "\u202e", undefined])
      assert.equal(decode([{ ...openBuyB, client_id }])?.orders[0]?.["clientId"], undefined);
  });

  it("reads a row without a rate, a receipt or a time", () => {
    const { rate: _, receive: __, ts: ___, ...row } = openBuyB;
    const { rate, quantity, placedAt, ...rest } = buy;
    assert.deepEqual(decode([row])?.orders, [rest]);
    assert.ok(rate && quantity && placedAt);
  });

  const odd: [what: string, changes: object][] = [
    ["no id", { id: undefined }],
    ["an id with a line break", { id: "1\n2" }],
    ["no side", { side: undefined }],
    ["an unknown side", { side: "hold" }],
    ["no amount", { amount: undefined }],
    ["an amount of zero", { amount: "0" }],
    ["a negative amount", { amount: "-1" }],
    ["an amount with a comma", { amount: "1,000" }],
    ["an amount beyond any number", { amount: "1e999" }],
    ["another pair", { sym: "THB_ETH" }],
    ["another pair in the longer word", { symbol: "THB_ETH" }],
    ["a pair that is none", { sym: 5 }],
    ["a list as its pair", { sym: ["THB_BTC"] }],
  ];
  for (const [what, changes] of odd) {
    it(`leaves a row with ${what} out, and keeps the others`, () => {
      const read = decode([{ ...openBuyB, id: "1", ...changes }, openBuyB]);
      assert.deepEqual([read?.orders.length, read?.unreadable], [1, ["#0"]]);
      assert.equal(decode([{ ...openBuyB, ...changes }]), undefined);
    });
  }

  it("accepts a pair that is named in another order or letter case", () => {
    for (const sym of ["THB_BTC", "btc_thb"]) assert.equal(decode([{ ...openBuyB, sym }])?.orders.length, 1);
  });

  it("assigns a row without a pair to the requested pair", () => {
    for (const none of [undefined, null, ""])
      for (const row of [{ sym: none }, { symbol: none }])
        assert.equal(decode([{ ...openBuyB, ...row }])?.orders.length, 1);
  });

  it("reads the short field names of an order response", () => {
    const { side, amount, receive, rate, client_id, ...row } = openBuyB;
    const short = { ...row, sd: side, amt: amount, rec: receive, rat: rate, ci: client_id };
    assert.deepEqual(decode([short])?.orders, [buy]);
  });

  it("lists a duplicate order once, and skips it if the rows differ", () => {
    assert.equal(decode([openBuyB, openBuyB])?.orders.length, 1);
    const other = { ...openBuyB, amount: "200" };
    const read = decode([openBuyB, other, openBuyB, openSellA]);
    assert.deepEqual([read?.orders.length, read?.unreadable], [1, ["#0", "#1", "#2"]]);
  });

  it("leaves a row with a repeated key out", () => {
    const text = inEnvelope([openBuyB, openSellA], "B").replace(
      '"amount":"100"',
      '"amount":"100","amount":"900"',
    );
    const read = decodeText(text);
    assert.deepEqual([read?.orders.map(({ orderId }) => orderId), read?.unreadable], [["54"], ["#0"]]);
  });
});
