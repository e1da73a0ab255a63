import assert from "node:assert/strict";
import { get } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { testBid, testClient } from "../support/builders/client.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { serveHttp } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

describe("a certificate", () => {
  const defaults = getCACertificates("default");
  let authority: Certificate;

  before(async () => {
    authority = await makeAuthority();
    setDefaultCACertificates([...defaults, authority.cert]);
  });
  after(() => setDefaultCACertificates(defaults));

  it("of a known authority is accepted, time after time", async () => {
    const server = await serveHttp(
      (request, response) => {
        if (request.path.includes("time")) response.end(String(Date.now()));
        else response.end('{"error":0,"result":{}}');
      },
      await makeCertificate({ authority }),
    );
    try {
      const client = testClient(server.url);
      await client.tickers();
      await client.wallet();
      assert.deepEqual(await client.placeOrder(testBid()), { orderId: undefined });
      assert.equal(server.traffic.connections, server.seen.length);
    } finally {
      await server.close();
    }
  });

  it("accepted for another host's kept connection does not put a bid on that connection", async () => {
    const server = await serveHttp(
      (request, response) => {
        if (request.path.includes("time")) response.end(String(Date.now()));
        else response.end('{"error":0}');
      },
      await makeCertificate({ authority }),
    );
    try {
      const client = testClient(server.url);
      await client.measureClock();
      let isReusable = false;
      get(`${server.url}/elsewhere`, { rejectUnauthorized: true }, (response) => {
        response.resume().on("end", () => (isReusable = true));
      });
      await waitFor("a reusable connection", () => isReusable);
      const before = server.traffic.connections;
      await client.placeOrder(testBid());
      assert.equal(server.traffic.connections, before + 1);
    } finally {
      await server.close();
    }
  });
});

describe("a connection", () => {
  it("that never finishes its handshake carries no request", async () => {
    let bytes = "";
    const server = createServer((socket) => {
      socket.on("error", () => undefined).on("data", (chunk) => (bytes += chunk.toString("latin1")));
    });
    await listen(server);
    const { port } = server.address() as AddressInfo;
    try {
      await assert.rejects(testClient(`https://127.0.0.1:${port}`, {}, { timeoutMs: 150 }).tickers(), {
        kind: "notSent",
        reason: "unreachable",
      });
      await new Promise((resolve) => server.close(resolve));
      assert.doesNotMatch(bytes, /api\/market/);
    } finally {
      server.close();
    }
  });

  it("to a server that does not speak TLS carries no request", async () => {
    const server = await serveHttp(() => undefined);
    try {
      const secure = server.url.replace("http:", "https:");
      await assert.rejects(testClient(secure).tickers(), { kind: "notSent", reason: "handshake" });
      assert.equal(server.seen.length, 0);
    } finally {
      await server.close();
    }
  });
});
