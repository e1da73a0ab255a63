import assert from "node:assert/strict";
import type { Payload } from "../../../../src/exchange/wire/payload.ts";
import { parseExact } from "../../../../src/exchange/wire/exactJson.ts";
import { decodeReceipt } from "../../../../src/exchange/wire/receipt.ts";
import { testAsk, testBid } from "../../../support/builders/client.ts";

/** A bid of 1000 THB for BTC at 15000.5. */
const BID = testBid();

function payload(json: string, enveloped = false): Payload {
  return { content: parseExact(json), enveloped, status: 200 };
}

describe("decodeReceipt", () => {
  it("keeps the order id as text, also an integer above 2^53", () => {
    const ids = { '"1"': "1", "1": "1", "9007199254740993": "9007199254740993", '"a-b"': "a-b" };
    for (const [id, text] of Object.entries(ids)) {
      assert.deepEqual(decodeReceipt(payload(`{"id":${id}}`, true), BID), { orderId: text });
    }
  });

  it("drops an id that cannot be shown, or is longer than the ids of all known exchanges", () => {
    const valid = ["!~", "a".repeat(128), "1".repeat(128)];
    for (const id of valid)
      assert.deepEqual(decodeReceipt(payload(`{"id":"${id}"}`, true), BID), { orderId: id });
    const refused = [" ", "a b", "a".repeat(129), "é", "1\u0020", "\u007f"].map((id) => JSON.stringify(id));
    for (const id of [...refused, "-1", "1e3", "1".repeat(41), "true", "{}"])
      assert.deepEqual(decodeReceipt(payload(`{"id":${id}}`, true), BID), { orderId: undefined }, id);
    assert.deepEqual(decodeReceipt(payload(`{"id":${"1".repeat(40)}}`, true), BID), {
      orderId: "1".repeat(40),
    });
  });

  it("accepts an envelope with error 0, for every result in it", () => {
    for (const json of [
      "null",
      "{}",
      "[]",
      '"ok"',
      '{"id":null}',
      '{"id":1.5}',
      '{"id":""}',
      '{"id":"a\\nb"}',
    ]) {
      assert.deepEqual(decodeReceipt(payload(json, true), BID), { orderId: undefined }, json);
    }
    assert.deepEqual(decodeReceipt({ content: undefined, enveloped: true, status: 200 }, BID), {
      orderId: undefined,
    });
  });

  it("accepts a response without envelope only if it has an id and echoes a field of the bid", () => {
    for (const field of ['"typ":"limit"', '"amt":1000', '"rat":15000.5'])
      assert.deepEqual(decodeReceipt(payload(`{"id":"7",${field}}`), BID), { orderId: "7" }, field);
    for (const json of ["{}", "null", "[]", '{"id":"7"}', '{"id":"7","message":"denied"}', '{"amt":1}']) {
      assert.equal(decodeReceipt(payload(json), BID), undefined, json);
    }
  });

  it("names each difference from the sent bid with both values, and accepts the bid", () => {
    const cases: [fields: string, field: string, sent: string, returned: string][] = [
      ['"amt":10000', "amount", "1000", "10000"],
      ['"amt":"1000.01"', "amount", "1000", "1000.01"],
      ['"amount":1e4', "amount", "1000", "10000"],
      ['"rat":15000', "rate", "15000.5", "15000"],
      ['"rat":-1', "rate", "15000.5", "-1"],
      ['"rate":"0"', "rate", "15000.5", "0"],
      ['"sym":"THB_ETH"', "symbol", "THB_BTC", "THB_ETH"],
      ['"symbol":"USDT_BTC"', "symbol", "THB_BTC", "USDT_BTC"],
      ['"sym":"k3y of the trader"', "symbol", "THB_BTC", "[…] of the trader"],
      ['"sd":"sell"', "side", "buy", "sell"],
      ['"side":"SELL"', "side", "buy", "SELL"],
      ['"typ":"market"', "type", "limit", "market"],
    ];
    for (const [fields, field, sent, returned] of cases) {
      const receipt = decodeReceipt(payload(`{"id":"7",${fields}}`, true), BID);
      assert.deepEqual(receipt, { orderId: "7", differences: [{ field, sent, returned }] }, fields);
    }
    const all = decodeReceipt(payload('{"id":"7","amt":1,"rat":2,"sym":"A_B","sd":"sell","typ":"x"}'), BID);
    assert.equal(all?.differences?.length, 5);
  });

  it("finds no difference in another spelling of the same value, or in an incomparable value", () => {
    for (const fields of [
      '"amt":1000,"rat":15000.5,"sym":"THB_BTC","sd":"buy","typ":"limit"',
      '"amt":"1000.00","rat":"1.50005e4","sym":"btc_thb","side":"BUY","typ":"LIMIT"',
      '"amt":null,"rat":"1,5","sym":5,"sd":"","typ":false,"fee":7,"rec":0.1',
    ])
      assert.deepEqual(decodeReceipt(payload(`{"id":"7",${fields}}`, true), BID), { orderId: "7" }, fields);
  });

  it("matches the receipt of a sale by its expected proceeds", () => {
    // 1,000 THB at 15,000.5 buys 0.0665; 1,000 BTC sold at that rate would bring 15 million.
    for (const returned of ["14963000", "0.2", "0.0000665"])
      assert.deepEqual(decodeReceipt(payload(`{"id":"7","rec":${returned}}`, true), BID)?.differences, [
        { field: "quantity", sent: "0", returned },
      ]);
    for (const agrees of ["0.06649778", "0.0664", "0.06", "0.08"])
      assert.deepEqual(decodeReceipt(payload(`{"id":"7","rec":${agrees}}`, true), BID), { orderId: "7" });
  });
});

describe("the receipt of an ask", () => {
  const ASK = testAsk("0.5", "15000");
  const of = (fields: string) => decodeReceipt(payload(`{"id":"7",${fields}}`, true), ASK)?.differences;

  it("agrees if it names the side, base sold, and quote after the fee", () => {
    for (const fields of [
      '"amt":0.5,"rat":15000,"typ":"limit","fee":18.75,"rec":7481.25',
      '"amt":"0.5","rat":"15000.00","rec":"7500"',
      // Sold to a better bid than the limit.
      '"rec":"7561.2345"',
      '"sd":"sell"',
      '"side":"SELL","sym":"btc_thb"',
      '"sd":"ask"',
    ])
      assert.equal(of(fields), undefined, fields);
  });

  it("differs if it names a bid, the value as the amount, or base as what arrives", () => {
    assert.deepEqual(of('"sd":"buy"'), [{ field: "side", sent: "sell", returned: "buy" }]);
    assert.deepEqual(of('"amt":7500'), [{ field: "amount", sent: "0.5", returned: "7500" }]);
    for (const returned of ["0.5", "15000.01", "7349.99", "0"]) {
      assert.deepEqual(of(`"rec":${returned}`), [{ field: "quantity", sent: "0", returned }], returned);
    }
  });
});
