import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import type { Duplex } from "node:stream";
import {
  connect as connectTls,
  type ConnectionOptions,
  getCACertificates,
  setDefaultCACertificates,
} from "node:tls";
import { testBid, testClient } from "../support/builders/client.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";
import { startProxy } from "../support/servers/proxy.ts";
import { waitFor } from "../support/waitFor.ts";

/** Tunnels every connection through the proxy, as the extension host's agent does; `handOver` says when. */
class TunnelAgent extends https.Agent {
  readonly #proxyPort: number;
  readonly #handOver: "before its handshake" | "after its handshake";

  constructor(proxyPort: number, handOver: "before its handshake" | "after its handshake") {
    super();
    this.#proxyPort = proxyPort;
    this.#handOver = handOver;
  }

  override createConnection(
    options: https.RequestOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const { host, port } = options;
    const fail = (error: Error): void => callback?.(error, undefined as unknown as Duplex);
    http
      .request({
        port: this.#proxyPort,
        host: "127.0.0.1",
        method: "CONNECT",
        path: `${host}:${port}`,
        agent: false,
      })
      .on("connect", (answer, tunnel) => {
        if (answer.statusCode !== 200) {
          fail(new Error(`the proxy answered ${answer.statusCode}`));
          return;
        }
        const secured = connectTls({ ...options, socket: tunnel } as ConnectionOptions);
        if (this.#handOver === "before its handshake") callback?.(null, secured);
        else secured.once("secureConnect", () => callback?.(null, secured)).once("error", fail);
      })
      .on("error", fail)
      .end();
  }
}

describe("behind a proxy", () => {
  const defaults = getCACertificates("default");
  const usualAgent = https.globalAgent;
  let authority: Certificate;
  let server: LoopbackServer;

  before(async () => {
    authority = await makeAuthority();
    setDefaultCACertificates([...defaults, authority.cert]);
    server = await serveHttp(
      (request, response) => {
        if (request.path.includes("time")) response.end(String(Date.now()));
        else response.end('{"error":0,"result":{"id":"1"}}');
      },
      await makeCertificate({ authority }),
    );
  });
  afterEach(() => {
    https.globalAgent = usualAgent;
    server.seen.length = 0;
  });
  after(async () => {
    setDefaultCACertificates(defaults);
    await server.close();
  });

  for (const handOver of ["before its handshake", "after its handshake"] as const) {
    it(`a bid goes through a tunnel handed over ${handOver}`, async () => {
      const proxy = await startProxy();
      https.globalAgent = new TunnelAgent(proxy.port, handOver);
      try {
        assert.deepEqual(await testClient(server.url).placeOrder(testBid()), { orderId: "1" });
        assert.equal(proxy.count.tunnels, 2);
        assert.equal(server.seen.length, 2);
      } finally {
        proxy.close();
      }
    });

    it(`a bid goes through the tunnel that was prepared for it, handed over ${handOver}`, async () => {
      const proxy = await startProxy();
      https.globalAgent = new TunnelAgent(proxy.port, handOver);
      const client = testClient(server.url);
      try {
        await client.measureClock();
        const before = server.traffic.connections;
        const prepared = client.prepareOrder("buy");
        await waitFor("the tunnel", () => server.traffic.connections > before);
        assert.deepEqual(await client.placeOrder(testBid(), undefined, prepared), { orderId: "1" });
        assert.deepEqual([proxy.count.tunnels, server.traffic.connections - before], [2, 1]);
        assert.equal(server.seen.length, 2);
      } finally {
        proxy.close();
      }
    });

    it(`an untrusted certificate is refused through a tunnel handed over ${handOver}`, async () => {
      const proxy = await startProxy();
      const untrusted = await serveHttp(() => assert.fail("was asked"), await makeCertificate());
      https.globalAgent = new TunnelAgent(proxy.port, handOver);
      try {
        await assert.rejects(testClient(untrusted.url).tickers(), { kind: "notSent" });
        assert.equal(untrusted.seen.length, 0);
      } finally {
        proxy.close();
        await untrusted.close();
      }
    });
  }

  it("a bid is not sent if the proxy refuses the tunnel", async () => {
    const proxy = await startProxy({ refuse: 407 });
    https.globalAgent = new TunnelAgent(proxy.port, "before its handshake");
    try {
      const client = testClient(server.url);
      const refused = { kind: "notSent", reason: "unreachable" };
      await assert.rejects(client.tickers(), refused);
      const prepared = client.prepareOrder("buy");
      await assert.rejects(client.placeOrder(testBid(), undefined, prepared), { kind: "notSent" });
      prepared.close();
      assert.equal(server.seen.length, 0);
    } finally {
      proxy.close();
    }
  });

  it("the editor's settings apply, because requests use its modules without an own agent", async () => {
    const folder = new URL("../../src/", import.meta.url);
    const source = await readFile(new URL("http/connection.ts", folder), "utf8");
    assert.match(source, /from "http";/);
    assert.match(source, /from "https";/);
    assert.doesNotMatch(source, /\bAgent\(/);
    assert.deepEqual(
      source.match(/^.*\bagent:.*$/gm)?.map((line) => line.trim()),
      ["if (!secure) return http.request({ ...options, agent: false });"],
    );
    for (const file of globSync("{exchange,http}/**/*.ts", { cwd: folder })) {
      const text = await readFile(new URL(file.replaceAll("\\", "/"), folder), "utf8");
      assert.doesNotMatch(text, /^import (?!type )[^;]*"node:(?:https?|net)"/m, file);
    }
  });
});
