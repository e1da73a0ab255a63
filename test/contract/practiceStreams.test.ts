import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { WebSocket } from "ws";
import { startPractice, type PracticeExchange } from "../../src/practice/http/server.ts";
import { testPair } from "../support/builders/practiceRequest.ts";

const TICKERS = "/websocket-api/market.ticker.thb_btc";

describe("the streams of the practice exchange, over real sockets", () => {
  let practice: PracticeExchange;

  beforeEach(async () => {
    practice = await startPractice({ credentials: testPair, now: Date.now });
  });
  afterEach(() => practice.close());

  /** HTTP status of an upgrade request. */
  async function statusOf(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
    const { hostname, port } = new URL(practice.baseUrl);
    const outgoing = request({
      host: hostname,
      port,
      path,
      agent: false,
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      },
    });
    outgoing.end();
    const status = Promise.race([
      once(outgoing, "response").then(([answer]: { statusCode?: number }[]) => answer?.statusCode),
      once(outgoing, "upgrade").then(() => 101),
    ]);
    return await status.finally(() => outgoing.destroy());
  }

  it("are refused at a wrong path, an address that is too long, and without a User-Agent if private", async () => {
    assert.equal(await statusOf("/websocket-api/"), 404);
    assert.equal(await statusOf("/api/servertime"), 404);
    assert.equal(await statusOf(`${TICKERS},${"market.ticker.thb_btc,".repeat(366)}`), 414);
    assert.equal(await statusOf("/v3/private"), 403);
    assert.equal(await statusOf(TICKERS), 101);
  });

  it("accept only programs on this computer, like the endpoints", async () => {
    assert.equal(await statusOf(TICKERS, { Host: "example.com" }), 403);
    assert.equal(await statusOf(TICKERS, { Origin: "https://example.com" }), 403);
  });

  it("end with the exchange", async () => {
    const url = `${practice.baseUrl.replace("http", "ws")}${TICKERS}`;
    const socket = new WebSocket(url, { headers: { "User-Agent": "test" } });
    await once(socket, "open");
    const closed = once(socket, "close");
    await practice.close();
    await closed;
  });
});
