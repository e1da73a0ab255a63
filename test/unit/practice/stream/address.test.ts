import assert from "node:assert/strict";
import { streamAddressOf } from "../../../../src/practice/stream/address.ts";

describe("the address of a stream", () => {
  for (const [target, address] of [
    [
      "/websocket-api/market.ticker.thb_btc,market.ticker.thb_eth",
      { kind: "ticker", symbols: ["THB_BTC", "THB_ETH"] },
    ],
    [
      "/websocket-api/market.ticker.thb_btc%2Cmarket.ticker.thb_eth",
      { kind: "ticker", symbols: ["THB_BTC", "THB_ETH"] },
    ],
    [
      "/websocket-api/market.ticker.thb_btc,market.ticker.thb_btc?a=1",
      { kind: "ticker", symbols: ["THB_BTC"] },
    ],
    ["/websocket-api/market.trade.thb_btc,nonsense", { kind: "ticker", symbols: [] }],
    ["/websocket-api/orderbook/17", { kind: "book", pairingId: 17 }],
    ["/v3/private", { kind: "private" }],
    ["/websocket-api/orderbook/x", undefined],
    ["/websocket-api/", undefined],
    ["/websocket-api/%ff", undefined],
    ["/v3/private/more", undefined],
    ["/api/servertime", undefined],
  ] as const)
    it(`is read from ${target}`, () => {
      assert.deepEqual(streamAddressOf(target), address);
    });
});
