import assert from "node:assert/strict";
import { isLoopback } from "../../../src/http/loopback.ts";
import { readProfile, type ProfileDraft } from "../../../src/exchange/profile.ts";
import { endpointsAt } from "../../support/builders/client.ts";

const draft: ProfileDraft = {
  baseUrl: "https://exchange.example",
  headerPrefix: "X-SVC-",
  paths: {},
  walletMethod: "auto",
  symbolOrder: "quoteFirst",
};

function read(changes: Partial<ProfileDraft>) {
  return readProfile({ ...draft, ...changes });
}

describe("readProfile", () => {
  it("reads a complete profile, with the paths of the specification as default", () => {
    const profile = read({
      baseUrl: " https://exchange.example/prefix/ ",
      paths: { wallet: "/w?x=1", tickers: "" },
    });
    assert.ok(!Array.isArray(profile));
    assert.equal(profile.baseUrl.href, "https://exchange.example/prefix/");
    assert.deepEqual(profile.endpoints, endpointsAt({ wallet: "/w?x=1" }));
  });

  it("gives each endpoint of the specification a form of its own", () => {
    const own = { path: "/v3/bid", symbolOrder: "baseFirst", symbolCase: "lower", envelope: "B" } as const;
    const profile = read({ paths: { placeBid: own, wallet: { method: "POST" } } });
    assert.ok(!Array.isArray(profile));
    assert.deepEqual(profile.endpoints.placeBid, { ...own, method: "POST" });
    assert.deepEqual([profile.walletMethod, profile.endpoints.tickers], ["POST", endpointsAt().tickers]);
  });

  it("lets balances stay at the path of the wallet", () => {
    const balances = { method: "POST", path: "/api/market/wallet", envelope: "A" };
    assert.ok(!Array.isArray(read({ features: { balances } })));
  });

  it("has a history path only if a path is given", () => {
    for (const [given, historyPath] of [
      ["", undefined],
      ["/tradingview/history", "/tradingview/history"],
      ["/h?symbol={base}_{quote}", "/h?symbol={base}_{quote}"],
    ] as const) {
      const profile = read({ historyPath: given });
      assert.ok(!Array.isArray(profile));
      assert.equal(profile.historyPath, historyPath);
    }
  });

  const refused: [problem: string, changes: Partial<ProfileDraft>][] = [
    ["baseUrlMissing", { baseUrl: " " }],
    ["baseUrlInvalid", { baseUrl: "exchange.example" }],
    ["baseUrlInvalid", { baseUrl: "file:///etc/passwd" }],
    ["baseUrlInvalid", { baseUrl: "javascript:alert(1)" }],
    ["baseUrlInsecure", { baseUrl: "http://exchange.example" }],
    ["baseUrlInsecure", { baseUrl: "http://localhost.exchange.example" }],
    ["baseUrlExtras", { baseUrl: "https://a:b@exchange.example" }],
    ["baseUrlExtras", { baseUrl: "https://exchange.example/?a=1" }],
    ["baseUrlExtras", { baseUrl: "https://exchange.example/#a" }],
    ["headerPrefixInvalid", { headerPrefix: "" }],
    ["headerPrefixInvalid", { headerPrefix: "X-SVC" }],
    ["headerPrefixInvalid", { headerPrefix: "X SVC-" }],
    ["headerPrefixInvalid", { headerPrefix: "X-A\r\nB-" }],
    ["pathInvalid", { paths: { wallet: "w" } }],
    ["pathInvalid", { paths: { wallet: "//evil.example/w" } }],
    ["pathInvalid", { paths: { wallet: "/w#a" } }],
    ["pathInvalid", { paths: { wallet: 5 } }],
    ["pathInvalid", { paths: { wallet: "/a b", tickers: "/c d" } }],
    ["pathInvalid", { paths: { wallet: "/a/../w" } }],
    ["pathInvalid", { paths: { wallet: "/a/%2E%2e/w" } }],
    ["pathInvalid", { paths: { wallet: "https://evil.example/w" } }],
    ["endpoint:placeBid", { paths: { placeBid: { method: "GET" } } }],
    ["endpoint:placeBid", { paths: { placeBid: { path: "//evil.example/bid" } } }],
    ["sharedPath:placeBid placeAsk", { paths: { placeBid: "/api/market/place-ask" } }],
    ["sharedPath:placeBid wallet", { paths: { wallet: "/w/", placeBid: { path: "/%77?x=1" } } }],
    ["walletMethodInvalid", { walletMethod: "PUT" }],
    ["symbolOrderInvalid", { symbolOrder: "" }],
    ["historyPathInvalid", { historyPath: "history" }],
    ["historyPathInvalid", { historyPath: "//evil.example/history" }],
    ["historyPathInvalid", { historyPath: "/history?symbol={secret}" }],
  ];
  for (const [problem, changes] of refused) {
    it(`reports ${problem} for ${JSON.stringify(changes)}`, () => {
      assert.deepEqual(read(changes), [problem]);
    });
  }

  it("has no feature unless a draft gives some, and reads these with the order of its symbols", () => {
    const none = read({ symbolOrder: "baseFirst" });
    assert.ok(!Array.isArray(none));
    assert.deepEqual(none.features, {});
    const orders = { method: "POST", path: "/o", envelope: "A" } as const;
    const profile = read({ symbolOrder: "baseFirst", features: { openOrders: orders } });
    assert.ok(!Array.isArray(profile));
    assert.equal(profile.features.openOrders?.symbolOrder, "baseFirst");
    assert.deepEqual(read({ features: { openOrders: { ...orders, path: "o" } } }), [
      "feature:openOrders.path",
    ]);
  });

  it("names every problem in one call", () => {
    const all = read({ baseUrl: "", headerPrefix: "", walletMethod: "", symbolOrder: "" });
    assert.ok(Array.isArray(all) && all.length === 4);
  });
});

describe("isLoopback", () => {
  it("distinguishes the computer's own addresses from similar addresses", () => {
    for (const host of ["localhost", "127.0.0.1", "127.9.9.9", "127.1", "[::1]"]) {
      assert.ok(isLoopback(new URL(`http://${host}:1`)), host);
    }
    const others = ["127.0.0.1.example", "localhost.example", "128.0.0.1", "0.0.0.0", "[::2]", "10.0.0.1"];
    for (const host of others) assert.ok(!isLoopback(new URL(`http://${host}`)), host);
  });
});
