import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { Exchange } from "../../../../src/practice/account/exchange.ts";
import { createMarket, DEFAULT_SEED } from "../../../../src/practice/market/market.ts";
import {
  startPractice,
  type PracticeExchange,
  type PracticeOptions,
} from "../../../../src/practice/http/server.ts";
import {
  getWallet,
  postBid,
  send,
  signedHeaders,
  testPair,
} from "../../../support/builders/practiceRequest.ts";

const NOW = Date.UTC(2026, 2, 3, 4, 5, 6, 789);
const WALLET = "/api/market/wallet";
const PLACE_BID = "/api/market/place-bid";

describe("practice server, protected against bad requests", () => {
  let exchange: PracticeExchange;
  let clock: number;
  let appended: unknown[];

  async function start(options: Partial<PracticeOptions> = {}): Promise<void> {
    await exchange?.close();
    appended = [];
    clock = NOW;
    const log = { records: [], append: (record: unknown) => void appended.push(record) };
    const account = new Exchange(createMarket(DEFAULT_SEED), log);
    exchange = await startPractice({ credentials: testPair, now: () => clock, account, ...options });
  }
  /** A bid as text fields, placed now. */
  const bid = (body: string) => postBid(exchange.baseUrl, body, clock);

  beforeEach(() => start());
  afterEach(() => exchange.close());

  describe("refuses without a change of state", () => {
    afterEach(async () => {
      assert.equal(appended.length, 1, "only the opening was recorded");
      assert.equal((await getWallet(exchange.baseUrl, NOW)).text, '{"error":0,"result":{"THB":1000000}}');
    });

    it("a body of more than 64 KB, announced or not", async () => {
      const large = `{"pad":"${"x".repeat(64 * 1024)}"}`;
      const headers = signedHeaders("POST", PLACE_BID, large, NOW);
      for (const framing of [
        { "Content-Length": String(large.length) },
        { "Transfer-Encoding": "chunked" },
      ]) {
        const answer = await send(exchange.baseUrl, "POST", PLACE_BID, {
          headers: { ...headers, ...framing },
          body: large,
        });
        assert.deepEqual([answer.status, answer.error], [413, 10]);
      }
    });

    it("an endless body, after a megabyte at most", async () => {
      const { port } = new URL(exchange.baseUrl);
      const socket = connect({ port: Number(port), host: "127.0.0.1" });
      socket.write(
        `POST ${PLACE_BID} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
      let sent = 0;
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      socket.on("drain", pump);
      socket.on("error", () => undefined);
      pump();
      await new Promise((resolve) => socket.on("close", resolve));
      assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes were taken`);
    });

    it("an unknown path or method", async () => {
      for (const path of [
        "/",
        "/api",
        "/api/servertime/",
        "/API/servertime",
        "/api/market/place-asks",
        "/api/v3/market/place-ask",
        "/api/v4/wallet/balances",
        "/__proto__",
      ]) {
        const answer = await send(exchange.baseUrl, "GET", path);
        assert.deepEqual([answer.status, answer.error], [404, 10], path);
      }
      for (const [method, path, allow] of [
        ["POST", "/api/servertime", "GET"],
        ["DELETE", "/api/market/ticker", "GET"],
        ["PUT", WALLET, "GET, POST"],
        ["GET", PLACE_BID, "POST"],
        ["OPTIONS", PLACE_BID, "POST"],
        ["GET", "/api/market/place-ask", "POST"],
        ["GET", "/api/market/my-open-orders", "POST"],
        ["POST", "/api/market/depth", "GET"],
        ["POST", "/tradingview/history", "GET"],
      ] as const) {
        const answer = await send(exchange.baseUrl, method, path);
        assert.deepEqual([answer.status, answer.error, answer.headers["allow"]], [405, 10, allow], path);
      }
    });

    it("a reset that is unsigned, signed for something else, or not sent with POST", async () => {
      const path = "/practice/reset";
      const bad: [string, Record<string, string>][] = [
        ["POST", {}],
        ["POST", signedHeaders("POST", WALLET, "", NOW)],
        ["POST", signedHeaders("POST", path, "", NOW, { ...testPair, apiSecret: "other" })],
        ["POST", signedHeaders("POST", path, "", NOW - 60_000)],
        ["GET", signedHeaders("GET", path, "", NOW)],
      ];
      const answers = bad.map(([method, headers]) => send(exchange.baseUrl, method, path, { headers }));
      assert.deepEqual(
        (await Promise.all(answers)).map(({ status, error }) => [status, error]),
        [
          [200, 2],
          [200, 6],
          [200, 6],
          [200, 8],
          [405, 10],
        ],
      );
    });

    it("bytes that are no HTTP request", async () => {
      const { port } = new URL(exchange.baseUrl);
      const socket = connect({ port: Number(port), host: "127.0.0.1" });
      socket.end("hello?\r\n\r\n");
      let text = "";
      for await (const chunk of socket) text += String(chunk);
      assert.match(text, /^HTTP\/1\.1 400 .*\{"error":10,/s);
    });
  });

  it("ends any number of incomplete requests soon after their time limit", async () => {
    await start({ requestMs: 300 });
    const { port } = new URL(exchange.baseUrl);
    const half = [
      "GET /api/servertime HTTP/1.1\r\nHost: ",
      `POST ${PLACE_BID} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n\r\n{`,
    ];
    const sockets = Array.from({ length: 100 }, (_, index) => {
      // Its own side stays open, as an attacker would keep it.
      const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
      socket.write(half[index % 2] ?? "");
      return socket;
    });
    const answers = sockets.map(async (socket) => {
      let text = "";
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => (text += String(chunk)));
      await new Promise((resolve) => socket.once("end", resolve));
      socket.destroy();
      return text;
    });
    for (const text of await Promise.all(answers)) assert.match(text, /^HTTP\/1\.1 408 .*\{"error":10,/s);
    assert.equal((await send(exchange.baseUrl, "GET", "/api/servertime")).error, 0);
  });

  it("accepts a body of exactly 64 KB", async () => {
    const body = `{"pad":"${"x".repeat(64 * 1024 - 10)}"}`;
    assert.equal(body.length, 64 * 1024);
    assert.equal((await bid(body)).error, 10);
  });

  it("ends open connections when it is closed", async () => {
    const { hostname, port } = new URL(exchange.baseUrl);
    const waiting = connect({ port: Number(port), host: hostname });
    waiting.on("error", () => undefined);
    const ended = new Promise((resolve) => waiting.once("close", resolve));
    await once(waiting, "connect");
    waiting.write(`POST ${PLACE_BID} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n\r\n{`);
    await exchange.close();
    await ended;
    await assert.rejects(send(exchange.baseUrl, "GET", "/api/servertime"), /ECONNREFUSED/);
  });
});
