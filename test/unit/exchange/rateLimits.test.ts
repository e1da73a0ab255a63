import assert from "node:assert/strict";
import type { Endpoint } from "../../../src/exchange/endpoints.ts";
import { askedWaitMs, rateLimitEnd, RateLimits, readHttpDate } from "../../../src/exchange/rateLimits.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("rateLimitEnd", () => {
  const cases: [retryAfter: string | undefined, seconds: number][] = [
    [undefined, 30],
    ["", 30],
    ["soon", 30],
    ["-5", 30],
    ["1", 30],
    ["45", 45],
    ["600", 600],
    ["3600", 3600],
    ["86400", 86_400],
    ["86401", 86_400],
    ["99999999999999999999", 86_400],
    ["45.5", 30],
    ["2027", 2027],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 30],
    ["Thu, 01 Jan 2026 12:00:00 GMT", 43_200],
    ["Thursday, 01-Jan-26 12:00:00 GMT", 43_200],
    ["Thu Jan  1 12:00:00 2026", 43_200],
    ["Fri, 01 Jan 2027 00:00:00 GMT", 86_400],
    ["2026-01-01T12:00:00Z", 30],
  ];
  for (const [retryAfter, seconds] of cases) {
    it(`waits ${seconds} s on Retry-After ${JSON.stringify(retryAfter)}`, () => {
      assert.equal(rateLimitEnd(retryAfter, { now: NOW, serverNow: NOW }), NOW + seconds * 1000);
    });
  }

  it("is what the exchange asks for without a least wait", () => {
    const asked = (text: string | undefined) => askedWaitMs(text, NOW);
    assert.deepEqual(
      [asked(undefined), asked("soon"), asked("0"), asked("2")],
      [undefined, undefined, 0, 2000],
    );
    assert.equal(asked("Thu, 01 Jan 2026 00:01:00 GMT"), 60_000);
    assert.equal(asked("Wed, 31 Dec 2025 00:00:00 GMT"), 0);
    assert.equal(asked("99999999999"), 86_400_000);
  });

  it("measures a date by the service's clock, and seconds without a clock", () => {
    const date = new Date(NOW + 90_000).toUTCString();
    for (const offset of [-7_200_000, 0, 7_200_000]) {
      const clocks = { now: NOW + offset, serverNow: NOW };
      assert.equal(rateLimitEnd(date, clocks), NOW + offset + 90_000);
      assert.equal(rateLimitEnd("90", clocks), NOW + offset + 90_000);
    }
  });

  it("reads the three forms of a date in HTTP, and nothing else as a date", () => {
    const NOVEMBER = Date.UTC(1994, 10, 6, 8, 49, 37);
    for (const text of [
      "Sun, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
    ]) {
      assert.equal(readHttpDate(text), NOVEMBER, text);
    }
    for (const text of [undefined, "", "784111777", "45.5", "1994-11-06T08:49:37Z", "Sunday", "Sun, soon"]) {
      assert.equal(readHttpDate(text), undefined, text);
    }
  });
});

describe("rate limits", () => {
  const HOST = "https://a.example";
  const endOf = (limits: RateLimits, endpoint: Endpoint, now: number, origin = HOST) =>
    limits.of(origin, endpoint, now)?.retryAt;

  it("stop the rate-limited endpoint until the end, and no other endpoint or host", () => {
    const limits = new RateLimits();
    limits.add(HOST, "wallet", NOW, NOW + 30_000);
    assert.deepEqual(limits.of(HOST, "wallet", NOW + 29_999), { retryAt: NOW + 30_000, limitsHost: false });
    assert.equal(endOf(limits, "wallet", NOW + 30_000), undefined);
    assert.equal(endOf(limits, "tickers", NOW), undefined);
    assert.equal(endOf(limits, "wallet", NOW, "https://b.example"), undefined);
  });

  it("stop all endpoints of a rate-limited host, and an endpoint longer if its own limit is longer", () => {
    const limits = new RateLimits();
    limits.add(HOST, undefined, NOW, NOW + 30_000);
    limits.add(HOST, "wallet", NOW, NOW + 60_000);
    assert.deepEqual(limits.of(HOST, "tickers", NOW), { retryAt: NOW + 30_000, limitsHost: true });
    assert.deepEqual(limits.of(HOST, "wallet", NOW), { retryAt: NOW + 60_000, limitsHost: false });
    assert.equal(endOf(limits, "tickers", NOW, "https://b.example"), undefined);
  });

  it("are never shortened by a later response", () => {
    const limits = new RateLimits();
    limits.add(HOST, "wallet", NOW, NOW + 60_000);
    limits.add(HOST, "wallet", NOW + 1000, NOW + 31_000);
    assert.equal(endOf(limits, "wallet", NOW + 31_000), NOW + 60_000);
    limits.add(HOST, "wallet", NOW + 60_000, NOW + 90_000);
    assert.equal(endOf(limits, "wallet", NOW + 89_999), NOW + 90_000);
  });

  it("end when the local clock is set back, so that no trader is locked out", () => {
    const limits = new RateLimits();
    limits.add(HOST, "wallet", NOW, NOW + 30_000);
    assert.equal(endOf(limits, "wallet", NOW - 3_600_000), undefined);
    limits.endAheadOf(NOW - 90_000);
    assert.equal(endOf(limits, "wallet", NOW + 1000), undefined, "also at that time by the clock");
  });
});
