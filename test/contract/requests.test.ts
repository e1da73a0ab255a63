import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import type { ExchangeClient } from "../../src/exchange/client.ts";
import type { ServiceProfile } from "../../src/exchange/profile.ts";
import { specPaths } from "../../src/exchange/paths.ts";
import { parseDecimal, parseWireDecimal } from "../../src/market/numbers/decimal.ts";
import { testBid, testClient, testCredentials, endpointsAt } from "../support/builders/client.ts";
import { serveHttp, type LoopbackServer, type SeenRequest } from "../support/servers/loopback.ts";

/** Verifies the signature as a server does: from the received bytes, with independent code. */
function expectedSignature({ headers, method, path, body }: SeenRequest, prefix = "x-svc-"): string {
  const start = Buffer.from(`${String(headers[`${prefix}timestamp`])}${method}${path}`);
  return createHmac("sha256", "test-secret")
    .update(Buffer.concat([start, body]))
    .digest("hex");
}

function serve(): Promise<LoopbackServer> {
  return serveHttp((request, response) => {
    if (request.path.includes("time")) response.end(String(Date.now()));
    else if (request.path.includes("ticker")) response.end("{}");
    else response.end('{"error":0,"result":{}}');
  });
}

describe("a request", () => {
  let server: LoopbackServer;
  beforeEach(async () => {
    server = await serve();
  });
  afterEach(() => server.close());

  function lastSeen(): SeenRequest {
    return server.seen.at(-1) ?? assert.fail("no request was seen");
  }

  const profiles: [name: string, base: string, changes: Partial<ServiceProfile>][] = [
    ["as in the specification", "", {}],
    ["under a path prefix", "/exchange/v1", {}],
    ["under a path prefix with a closing slash", "/exchange/", {}],
    ["with a query string", "", { endpoints: endpointsAt({ wallet: "/w?a=1&b=%20x", placeBid: "/p?c=2" }) }],
    ["with another header prefix", "", { headerPrefix: "X-Other-Brand-" }],
    [
      "with other paths",
      "/x",
      { endpoints: endpointsAt({ wallet: "/api/v3/market/wallet", placeBid: "/bid" }) },
    ],
  ];
  for (const [name, base, changes] of profiles) {
    it(`${name} carries a signature over exactly what the server received`, async () => {
      const profile = { walletMethod: "POST", ...changes } as const;
      const client = testClient(server.url + base, profile);
      const prefix = (changes.headerPrefix ?? "X-SVC-").toLowerCase();
      await client.wallet();
      const wallet = lastSeen();
      await client.placeOrder(testBid());
      const bid = lastSeen();
      for (const [seen, endpoint] of [
        [wallet, "wallet"],
        [bid, "placeBid"],
      ] as const) {
        assert.equal(seen.method, "POST");
        assert.equal(
          seen.path,
          base.replace(/\/$/, "") + (changes.endpoints ?? endpointsAt())[endpoint].path,
        );
        assert.equal(seen.headers[`${prefix}apikey`], "test-key");
        assert.equal(seen.headers[`${prefix}sign`], expectedSignature(seen, prefix));
        assert.match(String(seen.headers[`${prefix}timestamp`]), /^\d{13}$/);
        assert.ok(Math.abs(Number(seen.headers[`${prefix}timestamp`]) - Date.now()) < 5000);
      }
    });
  }

  it("names Bidside and its version as its user agent, signed or not", async () => {
    const client = testClient(server.url, { walletMethod: "GET" }, { userAgent: "Bidside/1.2.3" });
    await client.tickers();
    await client.placeOrder(testBid());
    assert.ok(server.seen.length >= 3);
    for (const { headers } of server.seen) assert.equal(headers["user-agent"], "Bidside/1.2.3");
  });

  it("for a bid sends exactly its body's bytes, with their length, on its own connection", async () => {
    const client = testClient(server.url);
    await client.placeOrder(testBid("1000.00", "15000.5"));
    const { body, headers } = lastSeen();
    assert.equal(body.toString(), '{"sym":"THB_BTC","amt":1000,"rat":15000.5,"typ":"limit"}');
    assert.equal(headers["content-length"], String(body.length));
    assert.equal(headers["transfer-encoding"], undefined);
    assert.equal(headers.connection, "close");
    assert.equal(headers.accept, "application/json");
    assert.equal(headers["content-type"], "application/json");
    assert.equal(server.traffic.connections, server.seen.length);
  });

  it("for a wallet by GET has no body, and by POST an empty body", async () => {
    await testClient(server.url, { walletMethod: "GET" }).wallet();
    assert.equal(lastSeen().headers["content-length"], undefined);
    assert.equal(lastSeen().headers["x-svc-sign"], expectedSignature(lastSeen()));
    await testClient(server.url, { walletMethod: "POST" }).wallet();
    assert.equal(lastSeen().headers["content-length"], "0");
    assert.equal(lastSeen().headers["x-svc-sign"], expectedSignature(lastSeen()));
  });

  it("that an invalid profile makes impossible is not sent, and fails like any other request", async () => {
    const client = testClient(server.url, { headerPrefix: "X SVC\r\n" });
    await assert.rejects(client.placeOrder(testBid()), { kind: "notSent", reason: "unreachable" });
    assert.deepEqual(
      server.seen.map(({ method }) => method),
      ["GET"],
    );
  });

  it("for public data carries neither key nor signature", async () => {
    const client = testClient(server.url);
    await client.tickers();
    await client.serverTime();
    for (const { headers } of server.seen) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("x-")),
        [],
      );
    }
  });

  it("for a bid is not written if its permission ended before the connection was ready", async () => {
    const bytesOf = async (withNever: boolean): Promise<number> => {
      const own = await serve();
      const client = testClient(own.url);
      await client.measureClock();
      let asked = 0;
      if (withNever) {
        const never = client.placeOrder(testBid(), () => (asked += 1) === 0);
        await assert.rejects(never, { kind: "notSent", reason: "tooLate", provesNothingHappened: true });
      }
      await client.placeOrder(testBid(), () => (asked += 1) > 0);
      assert.deepEqual(
        own.seen.map(({ method }) => method),
        ["GET", "POST"],
      );
      await own.close();
      assert.equal(own.traffic.connections, withNever ? 3 : 2);
      return own.traffic.bytes;
    };
    assert.equal(await bytesOf(true), await bytesOf(false), "no byte of the first bid");
  });

  it("for data that another window reads by now is not written when the connection is ready", async () => {
    const client = testClient(server.url, { walletMethod: "GET" });
    const gate = { mayStillSend: () => false };
    await assert.rejects(client.tickers(gate), { kind: "notSent", reason: "tooLate" });
    await assert.rejects(client.wallet(gate), { kind: "notSent", reason: "tooLate" });
    assert.deepEqual(
      server.seen.filter(({ path }) => !path.includes("time")),
      [],
    );
    await client.tickers({ mayStillSend: () => true });
    assert.match(lastSeen().path, /ticker/);
  });

  it("is signed only with a clock that was measured after the last one was forgotten", async () => {
    let asks = 0;
    const client: ExchangeClient = testClient(
      server.url,
      { walletMethod: "GET" },
      {
        credentials: async () => {
          asks += 1;
          if (asks === 4) client.forgetClock();
          return testCredentials;
        },
      },
    );
    const paths = (): string[] => server.seen.splice(0).map(({ path }) => path);
    await client.wallet();
    assert.deepEqual([asks, paths()], [2, [specPaths.serverTime, specPaths.wallet]]);
    client.forgetClock();
    await client.wallet();
    assert.deepEqual(paths(), [specPaths.serverTime, specPaths.serverTime, specPaths.wallet]);
  });

  it("for a bid carries money that the server reads exactly as it was typed", async () => {
    const client = testClient(server.url);
    const digits = fc
      .tuple(fc.bigInt(0n, 2n ** 70n), fc.bigInt(1n, 10n ** 18n - 1n))
      .map(([whole, part]) => `${whole}.${part.toString().padStart(18, "0")}`);
    await fc.assert(
      fc.asyncProperty(digits, digits, async (amount, rate) => {
        await client.placeOrder(testBid(amount, rate));
        const [, amt = "", rat = ""] = /"amt":(.*),"rat":(.*),"typ"/.exec(lastSeen().body.toString()) ?? [];
        assert.ok(parseWireDecimal(amt)?.eq(parseDecimal(amount) ?? assert.fail()));
        assert.ok(parseWireDecimal(rat)?.eq(parseDecimal(rate) ?? assert.fail()));
        assert.doesNotMatch(amt + rat, /e/i);
      }),
      { numRuns: 100 },
    );
  });
});
