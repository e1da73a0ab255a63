import assert from "node:assert/strict";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import { JsonNumber } from "../../../../src/practice/json.ts";
import { readAppendLog } from "../../../../src/storage/appendLog.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";

const NOW = Date.UTC(2026, 6, 1);

function thb(exchange: Exchange): { available: string; reserved: string } {
  const balance = exchange.wallet().get("THB") ?? assert.fail("no THB");
  return { available: balance.available.toFixed(), reserved: balance.reserved.toFixed() };
}

describe("practice exchange", () => {
  const market = createMarket(DEFAULT_SEED);
  const { last } = market.quoteAt("THB_BTC", NOW);

  function place(exchange: Exchange, amount: number, share: number, fields: object = {}): void {
    const rat = new JsonNumber(String(Math.round(last * share)));
    const body = { sym: "THB_BTC", amt: new JsonNumber(String(amount)), rat, typ: "limit", ...fields };
    assert.ok("order" in exchange.place("bid", body, NOW));
  }
  const reopen = (records: readonly unknown[]): Exchange =>
    new Exchange(market, { records, append: () => undefined });

  function someHistory(): unknown[] {
    const records: unknown[] = [];
    const exchange = new Exchange(market, { records: [], append: (record) => void records.push(record) });
    place(exchange, 400_000, 1.1);
    place(exchange, 300_000, 0.81);
    place(exchange, 200_000, 1.1);
    return JSON.parse(JSON.stringify(records)) as unknown[];
  }

  it("records the opening and each bid before responding, and replays them to the same balances", () => {
    const records = someHistory();
    assert.equal(records.length, 4);
    assert.deepEqual(thb(reopen(records)), { available: "100000", reserved: "300000" });
  });

  it("cancels a post-only order that would be filled at once, without a fill, also after a replay", () => {
    const records: unknown[] = [];
    const exchange = new Exchange(market, { records: [], append: (record) => void records.push(record) });
    place(exchange, 400_000, 1.1, { post_only: true });
    place(exchange, 300_000, 0.81, { post_only: true });
    for (const each of [exchange, reopen(JSON.parse(JSON.stringify(records)) as unknown[])]) {
      assert.deepEqual(thb(each), { available: "700000", reserved: "300000" });
      const [crossed, resting] = [...each.orders.values()];
      assert.deepEqual([crossed?.closed?.as, crossed?.matches], ["cancelled", []]);
      assert.deepEqual([resting?.closed, resting?.left.toFixed()], [undefined, "300000"]);
    }
    const refused = exchange.place(
      "bid",
      { sym: "THB_BTC", amt: new JsonNumber("10"), rat: new JsonNumber("1"), typ: "limit", post_only: "yes" },
      NOW,
    );
    assert.equal("code" in refused && refused.code, 10);
  });

  it("opens even if any single record is lost, and applies all others", () => {
    const records = someHistory();
    const expected = [
      { available: "100000", reserved: "300000" },
      { available: "500000", reserved: "300000" },
      { available: "400000", reserved: "0" },
      { available: "300000", reserved: "300000" },
    ];
    for (const [lost, balance] of expected.entries()) {
      assert.deepEqual(thb(reopen(records.toSpliced(lost, 1))), balance, `record ${lost} lost`);
    }
  });

  it("begins a new account after a reset, also when it opens again without any single record", () => {
    const records: unknown[] = [];
    const exchange = new Exchange(market, { records: [], append: (record) => void records.push(record) });
    place(exchange, 400_000, 1.1);
    place(exchange, 300_000, 0.81);
    exchange.reset(NOW);
    assert.deepEqual(
      [...exchange.wallet()].map(([asset, { available }]) => [asset, available.toFixed()]),
      [["THB", "1000000"]],
    );
    place(exchange, 900_000, 0.81);
    const stored = JSON.parse(JSON.stringify(records)) as unknown[];
    assert.deepEqual(thb(reopen(stored)), { available: "100000", reserved: "900000" });
    for (let lost = 0; lost < stored.length - 1; lost++) {
      assert.deepEqual(thb(reopen(stored.toSpliced(lost, 1))), { available: "100000", reserved: "900000" });
    }
  });

  it("never gives an order of the previous account a number again", () => {
    const exchange = reopen(someHistory());
    exchange.reset(NOW);
    const rat = new JsonNumber(String(Math.round(last)));
    const placed = exchange.place(
      "bid",
      { sym: "THB_BTC", amt: new JsonNumber("10"), rat, typ: "limit" },
      NOW,
    );
    assert.equal("order" in placed && placed.order.id, 4);
  });

  it("opens without a second start balance, for any number of openings", () => {
    const records: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const exchange = new Exchange(market, {
        records: [...records],
        append: (record) => void records.push(record),
      });
      assert.deepEqual(thb(exchange), { available: "1000000", reserved: "0" });
    }
    assert.equal(records.length, 1);
  });

  it("continues the numbers after the highest known id", () => {
    const exchange = reopen(someHistory());
    const body = {
      sym: "THB_BTC",
      amt: new JsonNumber("10"),
      rat: new JsonNumber(String(Math.round(last))),
      typ: "limit",
    };
    const placed = exchange.place("bid", body, NOW);
    assert.equal("order" in placed && placed.order.id, 4);
  });

  /** A ledger with every kind of record: bids and asks, filled at once, in parts, cancelled and open. */
  function allRecords(): unknown[] {
    const { records, skippedLines } = readAppendLog("test/fixtures/practice/ledger.log");
    assert.deepEqual([records.length, skippedLines], [11, []]);
    return records.map(({ record }) => record);
  }
  const states = (exchange: Exchange): unknown =>
    Array.from(exchange.orders.values(), ({ placed, matches, left, closed }) => [
      placed.id,
      matches.map(({ txn }) => txn),
      left.toFixed(),
      closed?.as,
    ]);

  it("reads a ledger with every kind of record to the same orders and balances", () => {
    const exchange = reopen(allRecords());
    assert.deepEqual(states(exchange), [
      [1, ["1-1"], "0", "filled"],
      [2, ["2-1", "2-2"], "0", "filled"],
      [3, ["3-1"], "0", "cancelled"],
      [4, ["4-1"], "0", "filled"],
      [5, ["5-1"], "0.05", undefined],
    ]);
    assert.deepEqual(
      [...exchange.wallet()].map(([asset, { available, reserved }]) => [
        asset,
        available.toFixed(),
        reserved.toFixed(),
      ]),
      [
        ["THB", "976865.68580875", "0"],
        ["ETH", "0.20015362", "0.05"],
      ],
    );
  });

  it("opens without any single record, also one whose base was sold later, and keeps every other order", () => {
    const records = allRecords();
    for (const lost of records.keys()) {
      const exchange = reopen(records.toSpliced(lost, 1));
      const order = [1, 2, 3, 4, undefined, undefined, undefined, undefined, 5];
      const remaining = [1, 2, 3, 4, 5].filter((id) => id !== order[lost - 1]);
      assert.deepEqual([...exchange.orders.keys()], remaining, `record ${lost} lost`);
      for (const { available, reserved } of exchange.wallet().values()) {
        assert.ok(available.gte("0") && reserved.gte("0"), `record ${lost} lost`);
      }
    }
  });
});
