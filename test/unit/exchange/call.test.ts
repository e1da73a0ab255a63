import assert from "node:assert/strict";
import { callOf, targetOf } from "../../../src/exchange/call.ts";
import { endpoints, type EndpointForm } from "../../../src/exchange/endpoints.ts";
import type { HistoryRequest } from "../../../src/exchange/wire/history.ts";

describe("the URL of a request", () => {
  it("joins prefix, path and query string, with and without a closing slash", () => {
    for (const base of ["https://a.example/x/y", "https://a.example/x/y/"])
      assert.equal(targetOf(new URL(base), "/w?a=1&b=2?").href, "https://a.example/x/y/w?a=1&b=2?");
    assert.equal(
      targetOf(new URL("https://a.example"), "/api/market/place-bid").href,
      "https://a.example/api/market/place-bid",
    );
  });

  it("never leaves the base URL's origin", () => {
    for (const path of ["/../../w", "/\\evil.example/w", "/@evil.example"])
      assert.equal(targetOf(new URL("https://a.example/p"), path).origin, "https://a.example");
  });
});

describe("the request for a price history", () => {
  const noon = Date.UTC(2026, 10, 21, 12) / 1000;
  const wish: HistoryRequest = {
    pair: { quote: "THB", base: "BTC" },
    interval: "1m",
    from: (noon - 3600) * 1000,
    to: noon * 1000,
  };
  const target = (path: string, given: Partial<HistoryRequest> = {}): URL => {
    const form: EndpointForm = {
      method: "GET",
      path,
      symbolOrder: "quoteFirst",
      symbolCase: "upper",
      envelope: undefined,
    };
    const parameters = endpoints.history.read.parameters({ ...wish, ...given }, form);
    return callOf("history", new URL("https://a.example/p/"), form, parameters).url;
  };

  it("has the query of the UDF format", () => {
    assert.equal(
      target("/tradingview/history").href,
      `https://a.example/p/tradingview/history?symbol=THB_BTC&resolution=1&from=${noon - 3600}&to=${noon}`,
    );
  });

  it("keeps a symbol that is part of the path", () => {
    assert.ok(
      target("/h?x=1&symbol=BTC-THB").href.startsWith(
        "https://a.example/p/h?x=1&symbol=BTC-THB&resolution=1&",
      ),
    );
  });

  it("names each interval as the format does, and whole seconds around the range", () => {
    const names = (["1m", "5m", "15m", "1h", "4h", "1d"] as const).map((interval) =>
      target("/h", { interval }).searchParams.get("resolution"),
    );
    assert.deepEqual(names, ["1", "5", "15", "60", "240", "1D"]);
    const query = target("/h", { from: noon * 1000 - 1, to: noon * 1000 + 1 }).searchParams;
    assert.deepEqual([query.get("from"), query.get("to")], [String(noon - 1), String(noon + 1)]);
  });

  it("stays within its own parameter", () => {
    const odd = target("/h", { pair: { quote: "A", base: "B&to=9#x" } });
    assert.equal(odd.searchParams.get("symbol"), "A_B&to=9#x");
    assert.equal(odd.searchParams.getAll("to").length, 1);
  });
});
