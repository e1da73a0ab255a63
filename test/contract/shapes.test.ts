import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { knownBalance } from "../../src/market/balance.ts";
import { plainText } from "../../src/market/numbers/decimal.ts";
import { testBid, testClient } from "../support/builders/client.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { acceptances, serverTimeShapes, tickerShapes, walletShapes } from "../support/servers/shapes.ts";

/** A service whose endpoints return the given texts; server time is correct by default. */
function serve(answers: Record<string, string>, packed?: [encoding: string, pack: (text: string) => Buffer]) {
  return serveHttp((request, response) => {
    const last = request.path.slice(request.path.lastIndexOf("/") + 1);
    const text = answers[last] ?? (last === "servertime" ? String(Date.now()) : undefined);
    if (text === undefined) response.writeHead(404).end();
    else if (packed) response.writeHead(200, { "Content-Encoding": packed[0] }).end(packed[1](text));
    else response.end(text);
  });
}

describe("a service's response", () => {
  let server: LoopbackServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  for (const [name, body] of Object.entries(tickerShapes)) {
    it(`with tickers as ${name} is read`, async () => {
      server = await serve({ ticker: body });
      const { tickers, unreadable } = await testClient(server.url).tickers();
      assert.equal(unreadable, 0);
      if (name.includes("empty")) assert.equal(tickers.size, 0);
      else assert.equal(tickers.get("THB_BTC")?.last, 216415);
    });
  }

  it("with an unreadable pair keeps all others, counts the pair, and logs it once", async () => {
    const evil = "THB_\\u001b[31m\\u202e<script>" + "x".repeat(1000);
    server = await serve({ ticker: `{"THB_BTC":{"last":1},"THB_ETH":null,"${evil}":{"last":1}}` });
    const lines: string[] = [];
    const log = { debug: () => undefined, warn: (line: string) => void lines.push(line) };
    const client = testClient(server.url, {}, { log });
    const { tickers, unreadable } = await client.tickers();
    assert.deepEqual([[...tickers.keys()], unreadable], [["THB_BTC"], 2]);
    await client.tickers();
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^tickers: 2 unreadable, left out: "THB_ETH", /);
    assert.ok((lines[0] ?? "").length < 300);
    assert.doesNotMatch(lines[0] ?? "", /[\p{Cc}\p{Cf}]/u);
  });

  for (const [name, [body, ms]] of Object.entries(serverTimeShapes)) {
    it(`with server time as ${name} is read`, async () => {
      server = await serve({ servertime: body });
      assert.equal(await testClient(server.url).serverTime(), ms);
    });
  }

  for (const [name, body] of Object.entries(walletShapes)) {
    it(`with a wallet as ${name} is read`, async () => {
      server = await serve({ wallet: body });
      const available = knownBalance(await testClient(server.url).wallet(), "THB")?.available;
      assert.equal(plainText(available ?? assert.fail()), "188379.27");
    });
  }

  for (const [name, [body, orderId]] of Object.entries(acceptances)) {
    it(`to a bid with ${name} proves that the bid was accepted`, async () => {
      server = await serve({ "place-bid": body });
      const receipt = await testClient(server.url).placeOrder(testBid("1000", "15000"));
      assert.deepEqual([receipt.orderId, receipt.differences], [orderId, undefined]);
    });
  }

  for (const body of ['{"result":{"id":"1"}}', '{"id":"1"}', '{"ok":true}', "[]", '"1"', '{"error":null}']) {
    it(`to a bid with ${body} proves no outcome`, async () => {
      server = await serve({ "place-bid": body });
      await assert.rejects(testClient(server.url).placeOrder(testBid()), {
        kind: "unreadable",
        reason: "shape",
        provesNothingHappened: false,
      });
    });
  }

  const packings: [string, (text: string) => Buffer][] = [
    ["gzip", gzipSync],
    ["GZIP", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["identity", Buffer.from],
  ];
  for (const packing of packings) {
    it(`in ${packing[0]} is read`, async () => {
      const time = String(Date.now());
      server = await serve({ servertime: time, wallet: walletShapes["no envelope"] ?? "" }, packing);
      assert.equal((await testClient(server.url).wallet()).size, 1);
    });
  }
});
