import assert from "node:assert/strict";
import { parseSymbol } from "../../../../src/market/pair.ts";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { thisSystem } from "../../../../src/files/operatingSystem.ts";
import type { Candle } from "../../../../src/market/candle.ts";
import { intervals } from "../../../../src/market/intervals.ts";
import { openPriceHistory, type PriceHistory } from "../../../../src/storage/prices/history.ts";
import { NEWER_LOG } from "../../../support/builders/journalFolder.ts";
import { tickerOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";
import { assertProperty } from "../../../support/rounds.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = intervals["1m"].ms;
const HERE = "https://api.example.com";
const MEGABYTE = 1024 * 1024;

describe("the price history", () => {
  let folder: string;

  beforeEach(() => void (folder = temporaryFolder()));

  const open = (options: Partial<Parameters<typeof openPriceHistory>[0]> = {}): PriceHistory =>
    openPriceHistory({ directory: folder, maximumBytes: () => MEGABYTE, ...options });

  const all = (history: PriceHistory, symbol = "THB_BTC", source = HERE): Promise<Candle[]> =>
    history.candles(
      source,
      parseSymbol(symbol, "quoteFirst") ?? assert.fail(symbol),
      0,
      Number.MAX_SAFE_INTEGER,
    );

  /** The files of all sources with their sizes. */
  function files(): { name: string; bytes: number }[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".log"))
      .map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
  }

  const totalBytes = (): number => files().reduce((sum, { bytes }) => sum + bytes, 0);

  function onlyFile(): string {
    const [file, ...others] = files();
    assert.equal(others.length, 0);
    return join(folder, file?.name ?? assert.fail("no file"));
  }

  /** Records `minutes` of one pair: a poll at each start, priced as its number; the last stays open. */
  function recordMinutes(history: PriceHistory, minutes: number, first = 1): void {
    for (let minute = first; minute < first + minutes; minute += 1) {
      history.record(HERE, NOON + minute * MINUTE, [tickerOf("THB_BTC", { last: minute })]);
    }
  }

  const minuteOf = ({ open }: Candle): number => open;

  it("returns one-minute candles by source and pair, from polls of the whole market", async () => {
    const history = open();
    const read = (seconds: number, btc: number, eth: number, volume: number): void =>
      history.record(HERE, NOON + seconds * 1000, [
        tickerOf("THB_BTC", { last: btc, baseVolume: volume }),
        tickerOf("THB_ETH", { last: eth, baseVolume: undefined }),
      ]);
    read(1, 100, 7, 50);
    read(20, 110.5, 7, 50.25);
    read(40, 90, 7, 49);
    read(59, 95, 7, 49.5);
    read(61, 96, 8.5, 49.5);
    read(120, 97, 8.5, 49.5);
    assert.deepEqual(await all(history), [
      { time: NOON, open: 100, high: 110.5, low: 90, close: 95, volume: 0.75 },
      { time: NOON + MINUTE, open: 96, high: 96, low: 96, close: 96, volume: 0 },
    ]);
    assert.deepEqual(await all(history, "THB_ETH"), [
      { time: NOON, open: 7, high: 7, low: 7, close: 7, volume: undefined },
      { time: NOON + MINUTE, open: 8.5, high: 8.5, low: 8.5, close: 8.5, volume: undefined },
    ]);
    assert.deepEqual(await all(history, "THB_BT"), []);
    assert.deepEqual(await all(history, "THB_BTC", "https://other.example.com"), []);
  });

  it("keeps prices exactly, from the smallest to the largest", async () => {
    const price = fc.double({ min: 1e-12, max: 1e15, noNaN: true });
    await fc.assert(
      fc.asyncProperty(fc.array(price, { minLength: 1, maxLength: 8 }), async (prices) => {
        const history = openPriceHistory({
          directory: mkdtempSync(join(folder, "run-")),
          maximumBytes: () => MEGABYTE,
        });
        for (const [index, last] of prices.entries()) {
          history.record(HERE, NOON + index * 1000, [tickerOf("THB_X-1.A", { last, baseVolume: undefined })]);
        }
        history.pause();
        const candle = { open: prices[0], high: Math.max(...prices), low: Math.min(...prices) };
        assert.deepEqual(await all(history, "THB_X-1.A"), [
          { time: NOON, ...candle, close: prices.at(-1), volume: undefined },
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it("returns only candles in the requested range", async () => {
    const history = open();
    recordMinutes(history, 11);
    const found = await history.candles(
      HERE,
      { quote: "THB", base: "BTC" },
      NOON + 3 * MINUTE,
      NOON + 6 * MINUTE,
    );
    assert.deepEqual(found.map(minuteOf), [3, 4, 5]);
  });

  it("never records a frozen pair, an invalid price, or a name that is none of a pair", async () => {
    const history = open();
    const bad = [0, -1, Number.NaN, Infinity].map((last, index) => tickerOf(`THB_A${index}`, { last }));
    for (const seconds of [0, 60]) {
      history.record(HERE, NOON + seconds * 1000, [
        ...bad,
        tickerOf("THB_ICE", { frozen: true }),
        tickerOf("THB_A;THB_BTC 1"),
        tickerOf("THB_B\nx"),
        tickerOf("THB_BTC", { last: 5 }),
      ]);
    }
    for (const symbol of ["THB_A0", "THB_A1", "THB_A2", "THB_A3", "THB_ICE", "THB_B"]) {
      assert.deepEqual(await all(history, symbol), [], symbol);
    }
    assert.deepEqual((await all(history)).map(minuteOf), [5]);
  });

  it("writes a minute when the minute has ended, or when the recording pauses", async () => {
    const history = open();
    recordMinutes(history, 1);
    assert.deepEqual(files(), []);
    history.pause();
    assert.deepEqual((await all(history)).map(minuteOf), [1]);
    history.pause();
    assert.deepEqual((await all(history)).map(minuteOf), [1]);
  });

  it("merges the halves of a minute that two windows recorded in turn", async () => {
    const [one, other] = [open(), open()];
    one.record(HERE, NOON + 1000, [tickerOf("THB_BTC", { last: 10, baseVolume: 1 })]);
    one.record(HERE, NOON + 2000, [tickerOf("THB_BTC", { last: 14, baseVolume: 3 })]);
    one.pause();
    other.record(HERE, NOON + 30_000, [tickerOf("THB_BTC", { last: 8, baseVolume: 4 })]);
    other.record(HERE, NOON + 60_000, [tickerOf("THB_BTC", { last: 9, baseVolume: 4 })]);
    other.pause();
    const [first, second] = await all(one);
    assert.deepEqual(first, { time: NOON, open: 10, high: 14, low: 8, close: 8, volume: 2 });
    assert.equal(second?.close, 9);
  });

  it("returns the same minute if two windows recorded it at the same time", async () => {
    const histories = [open(), open()];
    for (const seconds of [0, 10, 50, 60]) {
      for (const history of histories) {
        history.record(HERE, NOON + seconds * 1000, [
          tickerOf("THB_BTC", { last: 100 + seconds, baseVolume: 7 + seconds }),
        ]);
      }
    }
    const candle = { time: NOON, open: 100, high: 150, low: 100, close: 150, volume: 50 };
    assert.deepEqual(await all(open()), [candle]);
  });

  it("continues after the clock was set back", async () => {
    const history = open();
    recordMinutes(history, 3, 60);
    recordMinutes(history, 3, 1);
    assert.deepEqual((await all(history)).map(minuteOf), [1, 2, 60, 61, 62]);
  });

  it("starts again with another source, and compares no volumes across the two sources", async () => {
    const history = open();
    history.record(HERE, NOON, [tickerOf("THB_BTC", { last: 1, baseVolume: 1 })]);
    history.record("https://other.example.com", NOON + 1000, [
      tickerOf("THB_BTC", { last: 9, baseVolume: 99 }),
    ]);
    history.pause();
    assert.deepEqual((await all(history)).map(minuteOf), [1]);
    const [other] = await all(history, "THB_BTC", "https://other.example.com");
    assert.deepEqual(other, { time: NOON, open: 9, high: 9, low: 9, close: 9, volume: undefined });
  });

  it("is readable by its owner only", function () {
    if (process.platform === "win32") return;
    const history = open();
    recordMinutes(history, 2);
    assert.equal(statSync(onlyFile()).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, encodeURIComponent(HERE))).mode & 0o777, 0o700);
  });

  describe("with a maximum size", () => {
    it("deletes the oldest prices first and never exceeds any maximum", async () => {
      const market = Array.from({ length: 40 }, (_, index) =>
        tickerOf(`THB_A${index}`, { last: 1234.56 + index }),
      );
      for (const maximum of [10_000, 40_000, 100_000]) {
        rmSync(folder, { recursive: true });
        const history = open({ maximumBytes: () => maximum });
        for (let minute = 0; minute < 300; minute += 1) {
          history.record(HERE, NOON + minute * MINUTE, market);
          assert.ok(totalBytes() <= maximum, `${totalBytes()} of ${maximum} bytes`);
        }
        const remaining = await all(history, "THB_A0");
        assert.equal(remaining.at(-1)?.time, NOON + 298 * MINUTE);
        assert.deepEqual(
          remaining.map(({ time }) => time),
          remaining.map((_, index) => NOON + (299 - remaining.length + index) * MINUTE),
          "no gap in the kept prices",
        );
        assert.ok(totalBytes() >= maximum * 0.8, `only ${totalBytes()} of ${maximum} bytes are used`);
      }
    });

    it("counts every source, and deletes the oldest prices of any source", async () => {
      const history = open({ maximumBytes: () => 4000 });
      recordMinutes(history, 50);
      for (let minute = 100; minute < 300; minute += 1) {
        history.record("https://other.example.com", NOON + minute * MINUTE, [
          tickerOf("THB_BTC", { last: minute }),
        ]);
      }
      assert.ok(totalBytes() <= 4000);
      assert.deepEqual(await all(history), []);
      assert.equal((await all(history, "THB_BTC", "https://other.example.com")).at(-1)?.open, 298);
    });

    it("shrinks when the maximum does, and keeps its files unchanged if the maximum is 0", async () => {
      let maximum = MEGABYTE;
      const history = open({ maximumBytes: () => maximum });
      recordMinutes(history, 500);
      const before = totalBytes();
      maximum = Math.floor(before / 2);
      recordMinutes(history, 2, 600);
      assert.ok(totalBytes() <= maximum);
      maximum = 0;
      const remaining = totalBytes();
      recordMinutes(history, 100, 700);
      history.pause();
      assert.equal(totalBytes(), remaining);
    });

    it("rejects a minute that exceeds the maximum, and reports it", () => {
      const history = open({ maximumBytes: () => 100 });
      const market = Array.from({ length: 40 }, (_, index) => tickerOf(`THB_A${index}`));
      history.record(HERE, NOON, market);
      assert.throws(() => history.record(HERE, NOON + MINUTE, market), /of 100 are in use/);
      assert.equal(totalBytes(), 0);
    });
  });

  it("leaves files of a newer version as they are, also without room, records beside them, and reports them once", async () => {
    const reported: string[] = [];
    const history = open({ maximumBytes: () => 4000, onNewer: (path) => reported.push(path) });
    recordMinutes(history, 3);
    const newer = ["prices-20261121T0000.log", "prices-20261121T2359.log"].map((name) =>
      join(folder, encodeURIComponent(HERE), name),
    );
    for (const path of newer) writeFileSync(path, NEWER_LOG);
    recordMinutes(history, 200, 3);
    history.pause();
    recordMinutes(history, 3, 300);
    history.pause();
    for (const path of newer) assert.equal(readFileSync(path, "utf8"), NEWER_LOG);
    for (let time = 0; time < 2; time += 1)
      assert.deepEqual((await all(history)).map(minuteOf).slice(-3), [300, 301, 302]);
    assert.deepEqual(reported, newer);
  });

  describe("with failing files", () => {
    it("reports a minute that could not be written, and records the next", async () => {
      let isFull = false;
      const history = open({
        files: {
          ...thisSystem.files,
          writeSync: (fd, bytes, offset) => {
            const written = thisSystem.files.writeSync(fd, isFull ? bytes.subarray(0, 20) : bytes, offset);
            if (isFull) throw new Error("ENOSPC");
            return written;
          },
        },
      });
      recordMinutes(history, 3);
      isFull = true;
      assert.throws(() => recordMinutes(history, 1, 4), /ENOSPC/);
      isFull = false;
      recordMinutes(history, 2, 5);
      assert.deepEqual((await all(history)).map(minuteOf), [1, 2, 4, 5]);
    });

    it("loses to a damaged byte only its own minute, and the minute whose newline it was", async () => {
      const history = open();
      recordMinutes(history, 9);
      const path = onlyFile();
      const whole = readFileSync(path);
      await assertProperty(
        2000,
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (place, flip) => {
          const damaged = Buffer.from(whole);
          damaged[place] = (damaged[place] ?? 0) ^ flip;
          writeFileSync(path, damaged);
          const left = await all(history);
          assert.ok(left.length >= (whole[place] === 0x0a ? 6 : 7), `${left.length} left`);
          for (const candle of left) assert.equal(candle.time, NOON + minuteOf(candle) * MINUTE);
        }),
      );
    });

    it("keeps every whole minute of a file cut off at any place, and the prices added later", async () => {
      const history = open();
      recordMinutes(history, 6);
      const path = onlyFile();
      const whole = readFileSync(path);
      const lines = whole.toString("latin1").split("\n").slice(0, -1);
      // A line is whole without its newline.
      const ends = lines.map((_, index) => lines.slice(0, index + 1).join("\n").length);
      for (let size = 0; size < whole.length; size += 1) {
        writeFileSync(path, whole.subarray(0, size));
        const later = open();
        recordMinutes(later, 2, 50);
        later.pause();
        // The first is the header's.
        const intact = ends.slice(1).filter((end) => end <= size).length;
        assert.deepEqual((await all(history)).map(minuteOf), [
          ...Array.from({ length: intact }, (_, index) => index + 1),
          50,
          51,
        ]);
      }
    });

    it("reads files of any bytes without an error, and returns only valid candles", async () => {
      const history = open();
      recordMinutes(history, 2);
      const path = onlyFile();
      await assertProperty(
        300,
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          writeFileSync(path, bytes);
          assert.deepEqual(await all(history), []);
        }),
      );
    });

    it("returns nothing from a missing folder", async () => {
      assert.deepEqual(await all(open({ directory: join(folder, "nowhere") })), []);
    });

    it("has every written minute after its process is killed", async () => {
      const script = `
        import { openPriceHistory } from ${JSON.stringify(import.meta.resolve("../../../../src/storage/prices/history.ts"))};
        import { tickerOf } from ${JSON.stringify(import.meta.resolve("../../../support/fakes/venue.ts"))};
        const history = openPriceHistory({ directory: process.argv[1], maximumBytes: () => 1e8 });
        for (let minute = 0; minute < 1e6; minute += 1) {
          history.record("${HERE}", ${NOON} + minute * 60_000, [tickerOf("THB_BTC", { last: minute + 1 })]);
          if (minute > 0) process.stdout.write(minute + "\\n");
        }`;
      const child = spawn(
        process.execPath,
        [
          "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
          "--input-type=module-typescript",
          "-e",
          script,
          folder,
        ],
        { stdio: ["ignore", "pipe", "inherit"], timeout: 300_000 },
      );
      let message = "";
      child.stdout.on("data", (text: Buffer) => (message += text.toString()));
      const ended = new Promise((resolve) => child.on("close", resolve));
      await waitFor("a hundred minutes to be written", () => message.split("\n").length > 100);
      child.kill("SIGKILL");
      await ended;
      const written = Number(message.slice(0, message.lastIndexOf("\n")).split("\n").at(-1));
      const minutes = (await all(open())).map(minuteOf);
      assert.ok(minutes.length >= written, `${minutes.length} of ${written}`);
      assert.deepEqual(
        minutes,
        minutes.map((_, index) => index + 1),
      );
    });
  });
});
