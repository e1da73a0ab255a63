import assert from "node:assert/strict";
import fc from "fast-check";
import { realisedByPeriod } from "../../../../src/market/holdings/realisedResults.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { fillsExportText } from "../../../../src/storage/orders/fillsExport.ts";
import { localPeriod } from "../../../../src/time/localDay.ts";
import type { PairTrades, RecordedTrade } from "../../../../src/storage/orders/tradeBook.ts";

const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 8 }))
  .map(([digits, places]) => new Decimal(`${digits}e-${places}`));
const zone = fc.constantFrom("UTC", "Asia/Bangkok", "America/New_York", "Pacific/Kiritimati");
const trade = fc.record({
  at: fc.integer({ min: Date.UTC(2024, 10), max: Date.UTC(2026, 1) }),
  side: fc.constantFrom("buy" as const, "sell" as const),
  quantity: amount,
  value: amount,
  fee: amount,
});
const pairTrades = fc
  .record({
    pair: fc.constantFrom({ quote: "THB", base: "BTC" }, { quote: "USDT", base: "BTC" }),
    trades: fc.array(trade, { maxLength: 12 }),
    opening: fc.option(fc.record({ quantity: amount, cost: amount }), { nil: undefined }),
  })
  .map(({ pair, trades, opening }): PairTrades => ({
    account: { venue: "practice", origin: "http://127.0.0.1:1" },
    pair,
    trades: trades.map((each, index): RecordedTrade => ({
      ...each,
      id: String(index),
      orderId: "1",
      txn: String(index),
      rate: each.value,
      isMaker: undefined,
    })),
    entered: opening && { ...opening, at: 0 },
    get average() {
      return assert.fail("is not needed");
    },
  }));

/** Sums of the export's lot rows, by the start of their date and the quote asset. */
function sumsOfExport(all: readonly PairTrades[], length: number): Map<string, string> {
  const [heading = "", ...lines] = fillsExportText(all, "comma").slice(1).trim().split("\r\n");
  const cellsOf = (line: string): string[] => line.slice(1, -1).split('","');
  const columns = cellsOf(heading);
  const sums = new Map<string, Decimal>();
  for (const line of lines) {
    const cells = cellsOf(line);
    const cell = (name: string): string => cells[columns.indexOf(name)] ?? assert.fail(name);
    if (cell("row") !== "lot" || cell("result") === "") continue;
    const key = `${cell("date").slice(0, length)} ${cell("quote")}`;
    sums.set(key, (sums.get(key) ?? new Decimal("0")).plus(cell("result")));
  }
  return new Map([...sums].map(([key, sum]) => [key, plainText(sum)]));
}

describe("realised results by period", () => {
  const usual = process.env["TZ"];
  afterEach(() => {
    if (usual === undefined) delete process.env["TZ"];
    else process.env["TZ"] = usual;
  });

  for (const [what, length] of [
    ["day", 10],
    ["month", 7],
    ["year", 4],
  ] as const)
    it(`of each ${what} in the user's time zone are the sums of the export`, () => {
      fc.assert(
        fc.property(zone, fc.array(pairTrades, { maxLength: 3 }), (timeZone, all) => {
          process.env["TZ"] = timeZone;
          const found = realisedByPeriod(all, (at) => localPeriod(at, what));
          assert.deepEqual(
            new Map(found.map(({ period, quote, result }) => [`${period} ${quote}`, plainText(result)])),
            sumsOfExport(all, length),
          );
          const periods = found.map(({ period }) => period);
          assert.deepEqual(periods, periods.toSorted().toReversed());
        }),
      );
    });
});
