import assert from "node:assert/strict";
import { mayStreamFrom, siblingStreamHost } from "../../../../src/exchange/stream/streamHost.ts";

describe("the host of a private stream", () => {
  const from = (base: string, host: string): boolean => mayStreamFrom(new URL(base), host);

  it("is the service's own, or a sibling under one registrable domain", () => {
    assert.ok(from("https://api.example.com", "api.example.com"));
    assert.ok(from("https://api.example.com", "stream.example.com"));
    assert.ok(from("https://example.co.th", "stream.example.co.th:8443"));
  });

  it("is not another party's, even where suffixes look alike", () => {
    for (const [base, host] of [
      ["https://api.example.com", "stream.example.org"],
      ["https://api.example.com", "example.com.evil.org"],
      ["https://one.co.th", "two.co.th"],
      ["https://exchange.github.io", "other.github.io"],
      ["https://93.184.216.34", "93.184.216.35"],
      ["https://api.example.com", "localhost"],
      ["http://127.0.0.1:8123", "stream.example.com"],
    ] as const)
      assert.ok(!from(base, host), `${base} ${host}`);
  });

  it("is a host and nothing else", () => {
    for (const host of [
      "",
      "stream.example.com/path",
      "user@stream.example.com",
      "STREAM.example.com",
      "a b",
    ])
      assert.ok(!from("https://api.example.com", host), host);
  });

  it("is searched for at the usual sibling", () => {
    assert.equal(siblingStreamHost(new URL("https://api.example.co.th/v1")), "stream.example.co.th");
    assert.equal(siblingStreamHost(new URL("https://stream.example.com")), undefined);
    assert.equal(siblingStreamHost(new URL("http://127.0.0.1:1")), undefined);
  });
});
