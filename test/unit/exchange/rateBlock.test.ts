import assert from "node:assert/strict";
import { blockEnd, RateBlocks } from "../../../src/exchange/rateBlock.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("blockEnd", () => {
  const cases: [retryAfter: string | undefined, seconds: number][] = [
    [undefined, 30],
    ["", 30],
    ["soon", 30],
    ["-5", 30],
    ["1", 30],
    ["45", 45],
    ["600", 600],
    ["86400", 600],
    ["99999999999999999999", 30],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60],
    ["Wed, 31 Dec 2025 00:00:00 GMT", 30],
    ["Fri, 01 Jan 2027 00:00:00 GMT", 600],
  ];
  for (const [retryAfter, seconds] of cases) {
    it(`waits ${seconds} s on Retry-After ${JSON.stringify(retryAfter)}`, () => {
      assert.equal(blockEnd(retryAfter, NOW), NOW + seconds * 1000);
    });
  }
});

describe("rate blocks", () => {
  it("hold the blocked key until the end, and no other", () => {
    const blocks = new RateBlocks();
    blocks.add("wallet", NOW, NOW + 30_000);
    assert.equal(blocks.until("wallet", NOW + 29_999), NOW + 30_000);
    assert.equal(blocks.until("wallet", NOW + 30_000), undefined);
    assert.equal(blocks.until("tickers", NOW), undefined);
  });

  it("are not made shorter by another answer, while they run", () => {
    const blocks = new RateBlocks();
    blocks.add("wallet", NOW, NOW + 60_000);
    blocks.add("wallet", NOW + 1000, NOW + 31_000);
    assert.equal(blocks.until("wallet", NOW + 31_000), NOW + 60_000);
    blocks.add("wallet", NOW + 60_000, NOW + 90_000);
    assert.equal(blocks.until("wallet", NOW + 89_999), NOW + 90_000);
  });

  it("end when the local clock goes back, instead of locking the trader out", () => {
    const blocks = new RateBlocks();
    blocks.add("wallet", NOW, NOW + 30_000);
    assert.equal(blocks.until("wallet", NOW - 3_600_000), undefined);
  });
});
