import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeHistory, type HistoryRequest } from "../../../../src/exchange/wire/history.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const wish: HistoryRequest = {
  pair: { quote: "THB", base: "BTC" },
  interval: "1m",
  from: NOON - 3_600_000,
  to: NOON,
};

function decode(content: unknown, wanted = wish) {
  return decodeHistory({ content, enveloped: false, status: 200 }, wanted);
}

/** Lists in the UDF format, from rows of time (s), open, high, low, close, volume. */
function udf(...rows: readonly (readonly unknown[])[]): Record<string, unknown> {
  const list = (column: number): unknown[] => rows.map((row) => row[column]);
  return { s: "ok", t: list(0), o: list(1), h: list(2), l: list(3), c: list(4), v: list(5) };
}

const noon = NOON / 1000;
const candle = { time: NOON, open: 10, high: 12, low: 9, close: 11, volume: 3.5 };

describe("a history in the UDF format", () => {
  it("is read with times in seconds, ms, µs or ns, as numbers or text", () => {
    for (const row of [
      [noon, 10, 12, 9, 11, 3.5],
      [NOON, 10, 12, 9, 11, 3.5],
      [NOON * 1e3, 10, 12, 9, 11, 3.5],
      [NOON * 1e6, 10, 12, 9, 11, 3.5],
      [new Date(NOON).toISOString(), 10, 12, 9, 11, 3.5],
      [String(noon), "10", "12", "9", "11", "3.5"],
    ]) {
      assert.deepEqual(decode(udf(row)), { candles: [candle], unreadable: [] });
    }
  });

  it("is sorted, and the later of two candles with the same time wins", () => {
    const decoded = decode(
      udf([noon, 1, 1, 1, 1, 1], [noon - 60, 2, 2, 2, 2, 2], [noon, 10, 12, 9, 11, 3.5]),
    );
    assert.deepEqual(
      decoded?.candles.map(({ time, open }) => [time, open]),
      [
        [NOON - 60_000, 2],
        [NOON, 10],
      ],
    );
  });

  it("is cut to the requested range, with the unfinished candle", () => {
    const far = [noon - 3601, noon - 3600, noon, noon + 59, noon + 60, 4e9];
    const decoded = decode(udf(...far.map((time) => [time, 10, 12, 9, 11, 3.5])));
    assert.deepEqual(
      decoded?.candles.map(({ time }) => time / 1000),
      [noon - 3600, noon, noon + 59],
    );
  });

  it("leaves out unreadable candles, and names their positions", () => {
    const bad = [
      [null, 10, 12, 9, 11, 1],
      [noon, 0, 12, 9, 11, 1],
      [noon, 10, -1, 9, 11, 1],
      [noon, 10, 12, "1e999", 11, 1],
      [noon, 10, 12, 9, undefined, 1],
      [noon + 0.5, 10, 12, 9, 11, 1],
      [{}, [], "x", true, null, 1],
    ];
    const decoded = decode(udf(...bad, [noon, 10, 12, 9, 11, 3.5]));
    assert.deepEqual(decoded, { candles: [candle], unreadable: bad.map((_, index) => `#${index}`) });
  });

  it("is read to the end of the shortest list, with or without volumes", () => {
    const { v: _, ...without } = udf([noon, 10, 12, 9, 11, 3.5]);
    assert.deepEqual(decode(without)?.candles, [{ ...candle, volume: undefined }]);
    const short = { ...udf([noon - 60, 1, 1, 1, 1, 1], [noon, 10, 12, 9, 11, 3.5]), c: [1], v: [] };
    assert.deepEqual(decode(short)?.unreadable, ["#1"]);
    assert.equal(decode(udf([noon, 10, 12, 9, 11, -1]))?.candles[0]?.volume, undefined);
  });

  it("is widened so that a candle contains its own first and last price", () => {
    const [found] = decode(udf([noon, 13, 12, 9, 8, 1]))?.candles ?? [];
    assert.deepEqual([found?.high, found?.low], [13, 8]);
  });

  it("may be empty, but must be in the format", () => {
    assert.deepEqual(decode({ s: "no_data" }), { candles: [], unreadable: [] });
    assert.deepEqual(decode(udf()), { candles: [], unreadable: [] });
    const { t: _, ...untimed } = udf([noon, 10, 12, 9, 11, 3.5]);
    const unread = udf([noon, 0, 0, 0, 0, 0], [noon + 60, null, null, null, null, null]);
    for (const other of [
      unread,
      null,
      1,
      "ok",
      [],
      {},
      { s: "ok" },
      untimed,
      { ...udf(), s: "OK" },
      { ...udf(), o: {} },
    ]) {
      assert.equal(decode(other), undefined, JSON.stringify(other));
    }
  });

  it("names the last candle before an empty range, and ignores a time within or after it", () => {
    const before = noon - 86_400;
    const none = { candles: [], unreadable: [] };
    for (const nextTime of [before, before * 1000, String(before)])
      assert.deepEqual(decode({ s: "no_data", nextTime }), { ...none, earlier: before * 1000 });
    assert.deepEqual(decode({ ...udf(), nextTime: before }), { ...none, earlier: before * 1000 });
    const far = udf([before, 10, 12, 9, 11, 3.5]);
    assert.deepEqual(decode({ ...far, nextTime: before }), { ...none, earlier: before * 1000 });
    for (const nextTime of [noon, noon + 60, 0, -1, null, "soon", {}])
      assert.deepEqual(decode({ s: "no_data", nextTime }), none);
    const candles = udf([noon, 10, 12, 9, 11, 3.5]);
    assert.deepEqual(decode({ ...candles, nextTime: before }), { candles: [candle], unreadable: [] });
  });

  it("contains only valid candles, for every response", () => {
    const value = fc.oneof(fc.anything(), fc.double(), fc.integer({ min: noon - 4000, max: noon + 100 }));
    const list = fc.oneof(
      { weight: 9, arbitrary: fc.array(value, { maxLength: 8 }) },
      { weight: 1, arbitrary: value },
    );
    fc.assert(
      fc.property(fc.record({ t: list, o: list, h: list, l: list, c: list, v: list }), (lists) => {
        const candles = decode({ s: "ok", ...lists })?.candles ?? [];
        for (const { time, open, high, low, close, volume } of candles) {
          assert.ok(Number.isSafeInteger(time) && time >= wish.from && time < wish.to + 60_000);
          assert.ok(0 < low && low <= open && low <= close && open <= high && close <= high);
          assert.ok(
            Number.isFinite(high) && (volume === undefined || (volume >= 0 && Number.isFinite(volume))),
          );
        }
        const times = candles.map(({ time }) => time);
        assert.deepEqual(
          times,
          [...new Set(times)].sort((a, b) => a - b),
        );
      }),
      { numRuns: 100 },
    );
  });
});
