import assert from "node:assert/strict";
import { RefusedError } from "../../src/exchange/errors.ts";
import { intervals, startOf, type Interval } from "../../src/market/intervals.ts";
import { startPractice } from "../../src/practice/http/server.ts";
import { testClient, testCredentials } from "../support/builders/client.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { historyShapes } from "../support/servers/shapes.ts";

const PATH = "/tradingview/history";
const FROM = Date.UTC(2026, 10, 21, 12);
const TO = FROM + intervals["1h"].ms;

describe("a price history", () => {
  let server: LoopbackServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function serve(body: string | Buffer, status = 200): Promise<ReturnType<typeof testClient>> {
    await server?.close();
    server = await serveHttp((_request, response) => void response.writeHead(status).end(body));
    return testClient(server.url, { historyPath: PATH });
  }

  const ask = (client: ReturnType<typeof testClient>, interval: Interval = "1m") =>
    client.history?.({ quote: "THB", base: "BTC" }, interval, FROM, TO) ?? assert.fail("no history");

  it("is not requested if the profile has no path", () => {
    assert.equal(testClient("http://127.0.0.1:1").history, undefined);
  });

  for (const [name, body] of Object.entries(historyShapes(FROM / 1000))) {
    it(`with ${name} is read`, async () => {
      const candles = await ask(await serve(body));
      const volume = name.includes("without volumes") ? undefined : 3.5;
      assert.deepEqual(candles, [{ time: FROM, open: 10, high: 12, low: 9, close: 11, volume }]);
    });
  }

  it("is requested in public: without key, signature and body", async () => {
    await ask(await serve('{"s":"no_data"}'), "1h");
    const [seen, ...others] = server?.seen ?? [];
    assert.equal(others.length, 0);
    assert.equal(seen?.method, "GET");
    assert.equal(seen.path, `${PATH}?symbol=THB_BTC&resolution=60&from=${FROM / 1000}&to=${TO / 1000}`);
    assert.deepEqual(
      Object.keys(seen.headers).filter((name) => name.startsWith("x-")),
      [],
    );
    assert.equal(seen.body.length, 0);
    const { apiKey, apiSecret } = testCredentials;
    for (const secret of [apiKey, apiSecret]) {
      assert.ok(!JSON.stringify(seen.headers).includes(secret.reveal()));
    }
  });

  it("without candles in the range is requested once more, up to the last candle, if older ones will do", async () => {
    const last = FROM / 1000 - 86_400;
    const span = (TO - FROM) / 1000;
    const old = JSON.stringify({ s: "ok", t: [last], o: [10], h: [12], l: [9], c: [11], v: [1] });
    for (const [orEarlier, count] of [
      [true, 1],
      [false, 0],
    ] as const) {
      server = await serveHttp((request, response) => {
        const isSecond = request.path.includes(`to=${last}`);
        response.end(isSecond ? old : `{"s":"no_data","nextTime":${last}}`);
      });
      const client = testClient(server.url, { historyPath: PATH });
      const candles = await client.history?.({ quote: "THB", base: "BTC" }, "1h", FROM, TO, orEarlier);
      assert.equal(candles?.length, count);
      const ranges = server.seen.map(({ path }) => path.replace(/^.*&from/, "from"));
      const first = `from=${FROM / 1000}&to=${TO / 1000}`;
      assert.deepEqual(ranges, orEarlier ? [first, `from=${last - span}&to=${last}`] : [first]);
      await server.close();
      server = undefined;
    }
  });

  it("that is refused gives the exchange's message in one clean line", async () => {
    const client = await serve('{"s":"error","errmsg":"unknown\\u202e\\nsymbol"}');
    await assert.rejects(ask(client), (error) => {
      assert.ok(error instanceof RefusedError);
      assert.deepEqual(
        [error.code, error.serviceMessage, error.endpoint],
        ["UDF", "unknown symbol", "history"],
      );
      return true;
    });
    await assert.rejects(ask(await serve('{"s":"error"}')), { code: "UDF", serviceMessage: undefined });
    await assert.rejects(ask(await serve('{"error":11}')), { code: 11 });
  });

  it("that is rate-limited is not requested again until the rate limit ends", async () => {
    const client = await serve("", 429);
    await assert.rejects(ask(client), { code: 429 });
    await assert.rejects(ask(client), { reason: "rateLimit" });
    assert.equal(server?.seen.length, 1);
  });

  it("of a hostile service makes only valid candles, and no other damage", async () => {
    const lists = '"o":[1e999,-1,0,"0x10",{"a":1},[5],1],"h":[],"l":null,"c":"11"';
    for (const body of [
      `{"s":"ok","t":[1,2,3,4,5,6,7],${lists}}`,
      `{"s":"ok","t":[${FROM / 1000}],"o":["NaN"],"h":[true],"l":[{}],"c":[[1]]}`,
      `{"s":"ok","t":[${FROM / 1000}],"o":{"length":1,"0":10},"h":[12],"l":[9],"c":[11]}`,
      `{"s":"ok","__proto__":{"t":[1]},"constructor":{},"o":[],"h":[],"l":[],"c":[]}`,
    ]) {
      await assert.rejects(ask(await serve(body)), { kind: "unreadable", reason: "shape" });
      await server?.close();
    }
    assert.equal(({} as Record<string, unknown>)["t"], undefined);
  });

  it("of many thousand candles is read up to a megabyte, and refused above that", async () => {
    const rows = (count: number): string => {
      const list = (value: (index: number) => unknown): string =>
        JSON.stringify(Array.from({ length: count }, (_, index) => value(index)));
      return `{"s":"ok","t":${list((index) => FROM / 1000 + (index % 60) * 60)},"o":${list(() => 10)},"h":${list(() => 12)},"l":${list(() => 9)},"c":${list(() => 11)},"v":${list(() => 1)}}`;
    };
    assert.equal((await ask(await serve(rows(30_000)))).length, 60);
    await server?.close();
    await assert.rejects(ask(await serve(rows(60_000))), { kind: "unreadable", reason: "tooLarge" });
  });

  it("of the practice exchange is its past, for each name of the pair, up to its last price", async () => {
    const clock = Date.UTC(2026, 10, 21, 12, 34, 56);
    const practice = await startPractice({
      credentials: { apiKey: "test-key", apiSecret: "test-secret" },
      now: () => clock,
    });
    try {
      const histories = await Promise.all(
        [PATH, `${PATH}?symbol={base}_{quote}`].map(async (historyPath) => {
          const client = testClient(practice.baseUrl, { historyPath }, { timeoutMs: 5000 });
          const { tickers } = await client.tickers();
          for (const interval of Object.keys(intervals) as Interval[]) {
            const candles = await client.history?.(
              { quote: "THB", base: "BTC" },
              interval,
              clock - 50 * intervals[interval].ms,
              clock,
            );
            assert.equal(candles?.length, 50);
            assert.equal(candles.at(-1)?.time, startOf(clock, intervals[interval].ms));
            assert.equal(candles.at(-1)?.close, tickers.get("THB_BTC")?.last);
          }
          return client.history?.({ quote: "THB", base: "BTC" }, "1m", clock - 3_600_000, clock);
        }),
      );
      assert.deepEqual(histories[0], histories[1]);
    } finally {
      await practice.close();
    }
  });
});
