import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { WebSocket } from "ws";
import { startPractice, type PracticeExchange } from "../../src/practice/http/server.ts";
import { Exchange } from "../../src/practice/account/exchange.ts";
import { createMarket, DEFAULT_SEED } from "../../src/practice/market/market.ts";
import { fillOrder } from "../support/builders/fillOrder.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { ownerOf } from "../support/builders/practiceOrders.ts";
import { testPair } from "../support/builders/practiceRequest.ts";
import { proofAt } from "../support/servers/practiceStream.ts";
import { waitFor } from "../support/waitFor.ts";

const TICKERS = "/websocket-api/market.ticker.thb_btc";

describe("the streams of the practice exchange, over real sockets", function () {
  this.timeout(20_000);
  let practice: PracticeExchange;
  let account: Exchange;
  let sockets: WebSocket[];

  beforeEach(async () => {
    sockets = [];
    account = new Exchange(createMarket(DEFAULT_SEED));
    practice = await startPractice({
      credentials: testPair,
      now: Date.now,
      account,
    });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.terminate();
    await practice.close();
  });

  interface Heard {
    readonly socket: WebSocket;
    readonly frames: Record<string, unknown>[];
  }
  async function open(
    path: string,
    headers: Record<string, string> = { "User-Agent": "test" },
  ): Promise<Heard> {
    const socket = new WebSocket(`${practice.baseUrl.replace("http", "ws")}${path}`, { headers });
    sockets.push(socket);
    const frames: Record<string, unknown>[] = [];
    socket.on("message", (data: Buffer) =>
      frames.push(JSON.parse(data.toString("utf8")) as Record<string, unknown>),
    );
    await once(socket, "open");
    return { socket, frames };
  }
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

  it("report the same prices as the ticker endpoint", async () => {
    const { frames } = await open(TICKERS);
    await waitFor("the frames arrived", () => frames.length > 0);
    const answer = await fetch(`${practice.baseUrl}/api/market/ticker`);
    const { result } = (await answer.json()) as { result: Record<string, Record<string, number>> };
    const [told, read] = [frames.at(-1), result["THB_BTC"]];
    assert.equal(told?.["id"], read?.["id"]);
    const [streamed, asked] = [Number(told?.["last"]), read?.["last"] ?? 0];
    assert.ok(Math.abs(streamed - asked) < asked / 100, `${streamed} and ${asked}`);
  });

  it("report orders placed over HTTP, once authenticated", async () => {
    const { socket, frames } = await open("/v3/private");
    const say = (message: unknown): void => socket.send(JSON.stringify(message));
    say(proofAt(Date.now()));
    say({ event: "subscribe", channel: "order_update" });
    say({ event: "subscribe", channel: "match_update" });
    await waitFor("the frames arrived", () => frames.length === 3);
    assert.deepEqual(
      frames.map(({ code }) => code),
      ["200", "200", "200"],
    );
    const tickers = await (await fetch(`${practice.baseUrl}/api/market/ticker`)).json();
    const { last = 0 } = (tickers as { result: Record<string, { last: number }> }).result["THB_ETH"] ?? {};
    const placed = await ownerOf(practice, Date.now).post("/api/market/place-bid", {
      sym: "THB_ETH",
      amt: 1000,
      rat: Math.floor(last * 0.9),
      typ: "limit",
    });
    const { id } = placed.result as { id: string };
    assert.ok(fillOrder(account, id, new Decimal("1000"), Date.now()));
    await waitFor("the frames arrived", () => frames.length === 7);
    assert.deepEqual(
      frames.slice(3).map(({ event, data }) => [event, (data as { status?: string }).status]),
      [
        ["order_update", "new"],
        ["order_update", "open"],
        ["match_update", undefined],
        ["order_update", "filled"],
      ],
    );
  });

  it("answer 401 and close when the key is wrong", async () => {
    const { socket, frames } = await open("/v3/private");
    socket.send(JSON.stringify(proofAt(Date.now(), { ...testPair, apiSecret: "wrong" })));
    const [code] = (await once(socket, "close")) as [number];
    assert.equal(code, 1008);
    assert.equal(frames[0]?.["code"], "401");
  });

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

  it("respond to pings", async () => {
    const { socket } = await open(TICKERS);
    socket.ping();
    await once(socket, "pong");
  });

  it("end with the exchange", async () => {
    const { socket } = await open(TICKERS);
    const closed = once(socket, "close");
    await practice.close();
    await closed;
  });
});
