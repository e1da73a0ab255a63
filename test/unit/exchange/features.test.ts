import assert from "node:assert/strict";
import { featuresSchema, readFeatures, streamNames } from "../../../src/exchange/features.ts";
import { capabilityNames } from "../../../src/exchange/endpoints.ts";

const endpoint = { method: "GET", path: "/api/v3/market/my-open-orders", envelope: "B" } as const;

describe("readFeatures", () => {
  it("reads nothing as no feature", () => {
    assert.deepEqual(readFeatures({}, "quoteFirst"), {});
  });

  it("gives each capability the symbol order of the tickers unless it has its own", () => {
    const own = { ...endpoint, symbolOrder: "baseFirst", symbolCase: "lower" } as const;
    assert.deepEqual(readFeatures({ openOrders: endpoint, orderInfo: own }, "quoteFirst"), {
      openOrders: { ...endpoint, symbolOrder: "quoteFirst", symbolCase: "upper" },
      orderInfo: own,
    });
  });

  it("reads the properties that are no endpoints", () => {
    const draft = {
      clientOrderId: { duplicates: "refused", windowMs: 5000 },
      postOnly: true,
      historyAmountOfBuys: "base",
      tickerStream: { path: "/websocket-api/" },
      bookStream: { path: "/websocket-api/orderbook/" },
      privateStream: { path: "/v3/private" },
    };
    assert.deepEqual(readFeatures(draft, "quoteFirst"), draft);
  });

  it("knows every capability by its name", () => {
    const other = ["clientOrderId", "postOnly", "historyAmountOfBuys"];
    assert.deepEqual(Object.keys(featuresSchema.shape), [...capabilityNames, ...other, ...streamNames]);
    const all = Object.fromEntries(capabilityNames.map((name) => [name, { ...endpoint, method: "POST" }]));
    const features = readFeatures(all, "quoteFirst");
    assert.ok(!Array.isArray(features));
    assert.deepEqual(Object.keys(features), [...capabilityNames]);
  });

  const refused: [places: string[], draft: unknown][] = [
    [[""], null],
    [[""], []],
    [[""], "openOrders"],
    [["withdraw"], { withdraw: endpoint }],
    [["openOrders"], { openOrders: true }],
    [["openOrders.key"], { openOrders: { ...endpoint, key: "k" } }],
    [["openOrders.method"], { openOrders: { ...endpoint, method: "PUT" } }],
    [["openOrders.path"], { openOrders: { ...endpoint, path: "//evil.example/o" } }],
    [["openOrders.path"], { openOrders: { ...endpoint, path: "/o#a" } }],
    [["openOrders.path"], { openOrders: { ...endpoint, path: `/${"o".repeat(500)}` } }],
    [["openOrders.envelope"], { openOrders: { ...endpoint, envelope: "D" } }],
    [["openOrders.symbolOrder"], { openOrders: { ...endpoint, symbolOrder: "" } }],
    [["openOrders.symbolCase"], { openOrders: { ...endpoint, symbolCase: "title" } }],
    [["placeAsk.method"], { placeAsk: endpoint }],
    [["cancelOrder.method"], { cancelOrder: endpoint }],
    [["clientOrderId.duplicates"], { clientOrderId: {} }],
    [["clientOrderId.windowMs"], { clientOrderId: { duplicates: "unknown", windowMs: 0.5 } }],
    [["postOnly"], { postOnly: "yes" }],
    [["historyAmountOfBuys"], { historyAmountOfBuys: "thb" }],
    [["tickerStream"], { tickerStream: "/websocket-api/" }],
    [["tickerStream.path"], { tickerStream: { path: "/websocket-api" } }],
    [["tickerStream.path"], { tickerStream: { path: "//evil.example/" } }],
    [["bookStream.path"], { bookStream: { path: "/orderbook?pair=/" } }],
    [["privateStream.path"], { privateStream: { path: "wss://evil.example/private" } }],
    [["privateStream.key"], { privateStream: { path: "/private", key: "k" } }],
    [["a", "b", "depth.method"], { a: 1, b: 2, depth: { ...endpoint, method: "" } }],
  ];
  for (const [places, draft] of refused) {
    it(`names ${places.map((place) => `"${place}"`).join(", ")} in ${JSON.stringify(draft)?.slice(0, 100)}`, () => {
      const problems = readFeatures(draft, "quoteFirst");
      assert.ok(Array.isArray(problems));
      assert.deepEqual([...problems].sort(), places.map((place) => `feature:${place}`).sort());
    });
  }

  it("does not take a prototype for a capability", () => {
    const draft = JSON.parse('{"__proto__":{"openOrders":1},"constructor":1}') as unknown;
    assert.ok(Array.isArray(readFeatures(draft, "quoteFirst")));
  });
});
