import assert from "node:assert/strict";
import { get } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { getCACertificates, setDefaultCACertificates, createServer as createTlsServer } from "node:tls";
import { testBid, testClient } from "../support/clients.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { serveHttp } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";

/** A TLS server that counts the bytes it decrypts. */
async function countDecrypted(certificate: Certificate) {
  const count = { bytes: 0 };
  const server = createTlsServer(certificate, (socket) => {
    socket.on("error", () => undefined).on("data", (chunk) => (count.bytes += chunk.length));
  });
  server.on("tlsClientError", () => undefined);
  await listen(server);
  return { count, server, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

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

  const refused: [name: string, make: () => Promise<Certificate>][] = [
    ["signed by itself", () => makeCertificate()],
    ["of an unknown authority", async () => makeCertificate({ authority: await makeAuthority() })],
    ["that has expired", () => makeCertificate({ authority, expired: true })],
    ["of another host", () => makeCertificate({ authority, host: "other.example" })],
  ];
  for (const [name, make] of refused) {
    for (const environment of [undefined, "0"]) {
      const switched = environment ? ", with verification switched off in the environment" : "";
      it(`${name} is refused before one byte of a request is sent${switched}`, async () => {
        const { server, count, url } = await countDecrypted(await make());
        const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
        if (environment) process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = environment;
        try {
          const refusal = { kind: "notSent", reason: "certificate", provesNothingHappened: true };
          await assert.rejects(testClient(url).tickers(), refusal);
          await assert.rejects(testClient(url).placeBid(testBid()), {
            kind: "notSent",
            reason: "clockUnknown",
          });
          // Closed only when every connection has ended, so that nothing is still on its way.
          await new Promise((resolve) => server.close(resolve));
          assert.equal(count.bytes, 0);
        } finally {
          if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
          else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
          server.close();
        }
      });
    }
  }

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
      assert.deepEqual(await client.placeBid(testBid()), { orderId: undefined });
      assert.equal(server.traffic.connections, server.seen.length);
    } finally {
      await server.close();
    }
  });

  it("accepted for somebody else's kept connection does not put a bid on that connection", async () => {
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
      let kept = false;
      get(`${server.url}/elsewhere`, { rejectUnauthorized: true }, (response) => {
        response.resume().on("end", () => (kept = true));
      });
      await waitFor("a kept connection", () => kept);
      const before = server.traffic.connections;
      await client.placeBid(testBid());
      assert.equal(server.traffic.connections, before + 1);
    } finally {
      await server.close();
    }
  });
});

describe("a connection", () => {
  it("in plain http to another machine is refused before it is opened", async () => {
    const hosts = ["http://192.0.2.1", "http://exchange.example", "http://localhost.exchange.example"];
    for (const host of hosts) {
      const refusal = { kind: "notSent", reason: "insecure", provesNothingHappened: true };
      await assert.rejects(testClient(host).serverTime(), refusal);
      await assert.rejects(testClient(host, { walletMethod: "POST" }).tickers(), refusal);
    }
  });

  it("that never finishes its handshake was sent nothing", async () => {
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

  it("to a server that does not speak TLS was sent nothing", async () => {
    const server = await serveHttp(() => undefined);
    try {
      const secure = server.url.replace("http:", "https:");
      await assert.rejects(testClient(secure).tickers(), { kind: "notSent", reason: "unreachable" });
      assert.equal(server.seen.length, 0);
    } finally {
      await server.close();
    }
  });
});
