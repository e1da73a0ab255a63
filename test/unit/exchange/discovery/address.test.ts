import assert from "node:assert/strict";
import { readPastedAddress } from "../../../../src/exchange/discovery/address.ts";

function basesOf(text: string): string[] {
  const address = readPastedAddress(text);
  return typeof address === "string" ? [address] : address.bases.map(({ href }) => href);
}

describe("a pasted address", () => {
  it("may be a host, a base URL, an endpoint or a page: the API's base is the part before its paths", () => {
    const root = "https://api.example.com/";
    for (const text of [
      "api.example.com",
      " https://api.example.com ",
      "https://API.example.com/",
      "https://api.example.com/api/v3/market/ticker?sym=thb_btc#top",
      "https://someone:secret@api.example.com/tradingview/history",
    ])
      assert.deepEqual(basesOf(text), [root], text);
    assert.deepEqual(basesOf("https://api.example.com/trading/api/market/ticker"), [
      "https://api.example.com/trading",
      root,
    ]);
  });

  it("may have a version or API segment in the base itself, so the path is also tried with it", () => {
    const host = "http://127.0.0.1:8123";
    for (const [path, ...bases] of [
      ["/gw/v1", "/gw/v1", "/gw", "/"],
      ["/gw/v1/", "/gw/v1", "/gw", "/"],
      ["/gw/v1/api/market/ticker", "/gw/v1", "/gw", "/"],
      ["/v2/api/v3/market/ticker", "/v2", "/"],
      ["/gw/api", "/gw", "/gw/api", "/"],
      ["/api/v3", "/", "/api/v3"],
    ] as const) {
      const expected = bases.map((base) => host + base);
      assert.deepEqual(basesOf(host + path), expected, path);
      const address = readPastedAddress(host + path);
      assert.ok(typeof address === "object");
      assert.deepEqual(basesOf(address.address), expected, "what is stored gives the same");
    }
  });

  it("keeps no long path, because a key may be pasted in it", () => {
    assert.deepEqual(basesOf("https://api.example.com/0123456789abcdef0123456789"), [
      "https://api.example.com/",
    ]);
  });

  it("is plain http on this computer only", () => {
    assert.deepEqual(basesOf("http://127.0.0.1:8123"), ["http://127.0.0.1:8123/"]);
    assert.deepEqual(basesOf("http://localhost:8123/api/servertime"), ["http://localhost:8123/"]);
    assert.deepEqual(basesOf("http://api.example.com"), ["insecure"]);
  });

  it("is refused if it is none", () => {
    assert.deepEqual(basesOf(" "), ["missing"]);
    for (const text of [
      "exchange",
      "ftp://api.example.com",
      "https://",
      "a b.example",
      // A key and a secret, pasted into the wrong box.
      "p6*q{ig+bh=e4se.zj2/x 9sd8f7",
      "key.9f8e7d secret",
      "https://k3y.example.4f",
    ])
      assert.deepEqual(basesOf(text), ["invalid"], text);
  });

  it("of pages for people names the sibling that may serve the API", () => {
    const hostOf = (text: string) => {
      const address = readPastedAddress(text);
      return typeof address === "string" ? address : address.apiHost;
    };
    assert.equal(hostOf("www.example.com"), "api.example.com");
    assert.equal(hostOf("https://docs.example.co.uk/rest"), "api.example.co.uk");
    assert.equal(hostOf("example.com"), "api.example.com");
    assert.equal(hostOf("api.example.com"), undefined);
  });
});
