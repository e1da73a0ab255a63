import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  connect as connectTls,
  type ConnectionOptions,
  getCACertificates,
  setDefaultCACertificates,
} from "node:tls";
import { testBid, testClient } from "../support/clients.ts";
import { makeAuthority, makeCertificate, type Certificate } from "../support/servers/certificates.ts";
import { serveHttp, type LoopbackServer } from "../support/servers/loopback.ts";

/** A CONNECT proxy that counts its tunnels, or refuses them. */
async function startProxy(refuse = false) {
  const count = { tunnels: 0 };
  const sockets = new Set<Socket>();
  const server = http.createServer();
  server.on("connect", (request, socket: Socket) => {
    count.tunnels += 1;
    if (refuse) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    for (const each of [socket, target]) {
      sockets.add(each.on("error", () => undefined));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { count, close, port: (server.address() as AddressInfo).port };
}

/** Tunnels every connection through the proxy, as the extension host's own agent does; hands the socket over early or late. */
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
        assert.deepEqual(await testClient(server.url).placeBid(testBid()), { orderId: "1" });
        assert.equal(proxy.count.tunnels, 2);
        assert.equal(server.seen.length, 2);
      } finally {
        proxy.close();
      }
    });

    it(`a certificate that is not trusted is refused through a tunnel handed over ${handOver}`, async () => {
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

  it("that refuses the tunnel nothing is sent", async () => {
    const proxy = await startProxy(true);
    https.globalAgent = new TunnelAgent(proxy.port, "before its handshake");
    try {
      await assert.rejects(testClient(server.url).tickers(), { kind: "notSent", reason: "unreachable" });
      assert.equal(server.seen.length, 0);
    } finally {
      proxy.close();
    }
  });

  it("the editor's settings are honoured: the modules it replaces are used, and no agent of our own", async () => {
    const source = await readFile(new URL("../../src/exchange/transport.ts", import.meta.url), "utf8");
    assert.match(source, /from "http";/);
    assert.match(source, /from "https";/);
    assert.doesNotMatch(source, /from "node:https?"|\bagent:|\bAgent\(/);
  });
});
