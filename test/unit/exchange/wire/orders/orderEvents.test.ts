import assert from "node:assert/strict";
import {
  decodePrivateMessage,
  type PrivateMessage,
} from "../../../../../src/exchange/wire/orders/orderEvents.ts";
import { plainText } from "../../../../../src/market/numbers/decimal.ts";
import { isNameOf } from "../../../../../src/market/pair.ts";

const BTC = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };
const AT = 1_795_000_000_000;

const nameOf = (symbol: string): typeof BTC | undefined => (isNameOf(symbol, BTC.pair) ? BTC : undefined);
const read = (message: unknown): PrivateMessage =>
  decodePrivateMessage(typeof message === "string" ? message : JSON.stringify(message), nameOf, AT);

const order = {
  order_id: "289",
  client_id: null,
  symbol: "BTC_THB",
  side: "buy",
  type: "limit",
  status: "open",
  price: "1000000",
  order_currency: "THB",
  order_amount: "1000",
  executed_currency: "THB",
  executed_amount: "0",
  received_currency: "BTC",
  received_amount: "0",
  total_fee: "0",
  credit_used: "0",
  net_fee_paid: "0",
  avg_filled_price: "0",
  post_only: false,
  canceled_by: null,
  order_created_at: 1_794_999_999_000,
  order_updated_at: null,
};
const match = {
  order_id: "289",
  txn_id: "289-1",
  client_id: "BSD-1",
  symbol: "BTC_THB",
  side: "buy",
  is_maker: true,
  price: "1000000",
  executed_amount: "400",
  received_amount: "0.000399",
  fee_rate: "0.0025",
  total_fee: "1",
  txn_ts: 1_794_999_999,
};
const update = (changes: object = {}): PrivateMessage =>
  read({ event: "order_update", data: { ...order, ...changes } });
const matched = (changes: object = {}): PrivateMessage =>
  read({ event: "match_update", data: { ...match, ...changes } });

/** The parts of a report that tests compare, with amounts as text. */
function shown(message: PrivateMessage): Record<string, unknown> {
  if (message.kind !== "order") return { kind: message.kind };
  const { report, executed } = message.event;
  return Object.fromEntries(
    Object.entries({
      id: report.orderId,
      clientId: report.clientId,
      side: report.side,
      status: report.status,
      rate: report.rate && plainText(report.rate),
      amount: report.amount && plainText(report.amount),
      quantity: report.quantity && plainText(report.quantity),
      executed: executed && plainText(executed),
      placedAt: report.placedAt,
      fills: report.fills.map(({ id, at, rate, quantity, value, fee }) =>
        [id, at, ...[rate, quantity, value, fee].map(plainText)].join(" "),
      ),
    }).filter(([, value]) => value !== undefined),
  );
}

describe("a message of the private stream", () => {
  it("reports a buy order by what it spends", () => {
    assert.deepEqual(shown(update()), {
      id: "289",
      side: "buy",
      status: "open",
      rate: "1000000",
      amount: "1000",
      executed: "0",
      placedAt: 1_794_999_999_000,
      fills: [],
    });
  });

  it("reports a sell order by its quantity", () => {
    const sell = { side: "sell", order_currency: "BTC", order_amount: "0.5", executed_amount: "0.2" };
    assert.deepEqual(shown(update({ ...sell, client_id: "BSD-9" })), {
      id: "289",
      clientId: "BSD-9",
      side: "sell",
      status: "open",
      rate: "1000000",
      quantity: "0.5",
      executed: "0.2",
      placedAt: 1_794_999_999_000,
      fills: [],
    });
  });

  for (const [word, executed, status] of [
    ["new", "0", "open"],
    ["open", "0", "open"],
    ["untriggered", "0", "open"],
    ["partial_filled", "400", "open"],
    ["filled", "1000", "filled"],
    ["FILLED", "1000", "filled"],
    ["partial_filled_canceled", "400", "partlyFilledCancelled"],
    ["canceled", "0", "cancelled"],
    ["canceled", "400", "partlyFilledCancelled"],
    ["rejected", "0", "rejected"],
  ] as const)
    it(`means ${status} by ${word} with ${executed} executed`, () => {
      assert.equal(shown(update({ status: word, executed_amount: executed }))["status"], status);
    });

  it("reports a match with quantity, value and fee of either side", () => {
    assert.deepEqual(shown(matched())["fills"], ["289-1 1794999999000 1000000 0.000399 399 1"]);
    const sell = { side: "sell", executed_amount: "0.2", received_amount: "199500", total_fee: "500" };
    assert.deepEqual(shown(matched(sell))["fills"], ["289-1 1794999999000 1000000 0.2 200000 500"]);
  });

  it("reports for a sell exactly what was received, as truncated by the exchange", () => {
    const sell = { side: "sell", executed_amount: "0.00012345", received_amount: "123.14", total_fee: "0.3" };
    assert.deepEqual(shown(matched(sell))["fills"], ["289-1 1794999999000 1000000 0.00012345 123.44 0.3"]);
  });

  it("reports no fee if credits paid it", () => {
    assert.deepEqual(shown(matched({ received_amount: "0.0004" }))["fills"], [
      "289-1 1794999999000 1000000 0.0004 400 0",
    ]);
  });

  it("is unclear if its fee is too small to show whether credits paid it", () => {
    // The last match of an order also makes up for earlier truncation.
    const last = {
      side: "sell",
      price: "103169.51",
      executed_amount: "0.00002229",
      received_amount: "2.32",
      total_fee: "0.00574912094475",
    };
    assert.deepEqual(matched(last), { kind: "unclear", named: BTC });
    const seventh = {
      price: "3099866.15",
      executed_amount: "55.55069142",
      received_amount: "0.00001791",
      total_fee: "0.13887672855",
    };
    assert.deepEqual(matched(seventh), { kind: "unclear", named: BTC });
  });

  it("has the trigger of a stop order until it enters the book", () => {
    const stop = { type: "stop_limit", stop_price: "990000", executed_amount: "0" };
    const triggerOf = (changes: object): string => {
      const message = update(changes);
      return message.kind === "order" ? String(message.event.report.trigger) : message.kind;
    };
    assert.equal(triggerOf({ ...stop, status: "untriggered" }), "990000");
    assert.equal(triggerOf({ status: "UNTRIGGERED", executed_amount: "0" }), "unknown");
    assert.equal(triggerOf({ ...stop, status: "new" }), "none");
  });

  it("is unclear if it has a key twice", () => {
    const text = JSON.stringify({ event: "match_update", data: match });
    assert.deepEqual(read(text.replace('"total_fee"', '"total_fee":"2","total_fee"')), {
      kind: "unclear",
      named: BTC,
    });
    assert.deepEqual(read('{"event":"auth","code":"401","code":"200"}'), { kind: "other" });
  });

  it("is unclear if its figures contradict each other, or its status is not known", () => {
    for (const message of [
      matched({ received_amount: "0.0005" }),
      matched({ total_fee: "x" }),
      matched({ txn_id: null }),
      matched({ side: "both" }),
      update({ status: "frozen" }),
      update({ order_id: {} }),
    ])
      assert.deepEqual(message, { kind: "unclear", named: BTC });
  });

  it("may have any fee, also a maker's rebate", () => {
    for (const [total_fee, executed_amount] of [
      ["0", "399"],
      ["0.6", "399.6"],
      ["-0.2", "398.8"],
    ] as const) {
      const given = { ...match, price: "1000000", received_amount: "0.000399", executed_amount, total_fee };
      assert.deepEqual(shown(read({ event: "match_update", data: given }))["fills"], [
        `289-1 1794999999000 1000000 0.000399 399 ${total_fee}`,
      ]);
    }
  });

  it("may be rounded to the decimals of its currency", () => {
    const pair = { quote: "JPY", base: "BTC" };
    const given = {
      ...match,
      symbol: "BTC_JPY",
      price: "10000001",
      received_amount: "0.0003",
      executed_amount: "3002",
      total_fee: "3",
    };
    const text = JSON.stringify({ event: "match_update", data: given });
    const message = decodePrivateMessage(text, () => ({ symbol: "JPY_BTC", pair }), 1);
    assert.deepEqual(shown(message)["fills"], ["289-1 1794999999000 10000001 0.0003 2999 3"]);
  });

  it("may name its channel apart from its event, and numbers may be numbers", () => {
    const given = {
      ...match,
      price: 1_000_000,
      executed_amount: 400,
      received_amount: 0.000399,
      total_fee: 1,
    };
    assert.deepEqual(shown(read({ channel: "match_update", data: given }))["fills"], [
      "289-1 1794999999000 1000000 0.000399 399 1",
    ]);
  });

  it("answers client messages", () => {
    assert.deepEqual(read({ event: "auth", code: "200", message: "x" }), {
      kind: "response",
      to: "auth",
      code: "200",
    });
    assert.deepEqual(read({ event: "subscribe", channel: "order_update", code: 401 }), {
      kind: "response",
      to: "subscribe",
      code: "401",
    });
    assert.deepEqual(read({ event: "ping", data: { message: "pong" } }), {
      kind: "response",
      to: "ping",
      code: "",
    });
  });

  for (const text of [
    "",
    "{",
    "null",
    "[]",
    "17",
    '{"event":"order_update"}',
    '{"event":"order_update","data":{"symbol":"ETH_THB","order_id":"1"}}',
    '{"event":["auth"]}',
    "[".repeat(100_000),
  ])
    it(`is nothing if it is ${text.slice(0, 60)}`, () => {
      assert.deepEqual(read(text), { kind: "other" });
    });
});
