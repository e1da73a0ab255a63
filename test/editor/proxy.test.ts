import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import * as vscode from "vscode";
import { meaningOf } from "../../src/exchange/meaning.ts";
import { openWebSocket, type StreamEnd } from "../../src/exchange/stream/socket.ts";
import { testBid, testClient } from "../support/builders/client.ts";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";
import { startProxy } from "../support/servers/proxy.ts";
import { serveStreams, type StreamServing } from "../support/servers/streams.ts";
import { waitFor } from "../support/waitFor.ts";

/** A name that only the proxy can find, so that every request to the exchange came through the proxy. */
const HOST = "exchange.invalid";
const SUPPORTS = ["override", "on", "fallback"] as const;

describe("the editor's proxy", () => {
  for (const support of SUPPORTS) {
    it(`carries a bid on the tunnel from the confirmation: http.proxySupport ${support}`, async () => {
      const defaults = getCACertificates("default");
      const authority = await makeAuthority();
      setDefaultCACertificates([...defaults, authority.cert]);
      const asked: string[] = [];
      let connections = 0;
      const server = createServer(await makeCertificate({ authority, host: HOST }), (request, response) => {
        asked.push(`${request.method} ${request.url}`);
        request.resume().on("end", () => {
          const isTime = request.url?.includes("time") ?? false;
          response.end(isTime ? String(Date.now()) : '{"error":0,"result":{"id":"1"}}');
        });
      });
      server.on("secureConnection", () => (connections += 1));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      server.unref();
      const proxy = await startProxy({ host: "127.0.0.1" });
      const settings = vscode.workspace.getConfiguration();
      const { Global } = vscode.ConfigurationTarget;
      try {
        await settings.update("http.proxySupport", support, Global);
        await settings.update("http.proxy", `http://127.0.0.1:${proxy.port}`, Global);
        const client = testClient(
          `https://${HOST}:${(server.address() as AddressInfo).port}`,
          {},
          { timeoutMs: 5000 },
        );
        await client.measureClock();
        assert.deepEqual([proxy.count.tunnels, connections], [1, 1]);
        const prepared = client.prepareOrder("buy");
        await waitFor("the tunnel", () => connections === 2);
        assert.deepEqual(await client.placeOrder(testBid(), undefined, prepared), { orderId: "1" });
        assert.deepEqual([proxy.count.tunnels, connections], [2, 2]);
        assert.deepEqual(asked, ["GET /api/servertime", "POST /api/market/place-bid"]);
      } finally {
        await settings.update("http.proxy", undefined, Global);
        await settings.update("http.proxySupport", undefined, Global);
        setDefaultCACertificates(defaults);
        proxy.close();
        server.closeAllConnections();
        server.close();
      }
    });
  }
});

describe("the editor's proxy that refuses", () => {
  for (const [status, meaning] of [
    [407, "proxySignIn"],
    [403, "proxyRefused"],
  ] as const)
    it(`is named as the cause: HTTP ${status}`, async () => {
      const proxy = await startProxy({ refuse: status });
      const settings = vscode.workspace.getConfiguration();
      const { Global } = vscode.ConfigurationTarget;
      try {
        await settings.update("http.proxySupport", "override", Global);
        await settings.update("http.proxy", `http://127.0.0.1:${proxy.port}`, Global);
        const client = testClient(`https://${HOST}`, {}, { timeoutMs: 5000 });
        await assert.rejects(client.tickers(), (error) => meaningOf(error) === meaning);
        assert.ok(proxy.count.tunnels > 0);
      } finally {
        await settings.update("http.proxy", undefined, Global);
        await settings.update("http.proxySupport", undefined, Global);
        proxy.close();
      }
    });
});

/** Opens a stream, and waits for its first frame or its end. */
async function firstOf(url: string): Promise<{ frames: string[]; ends: StreamEnd[] }> {
  const [frames, ends]: [string[], StreamEnd[]] = [[], []];
  const socket = openWebSocket(new URL(url), {
    opened: () => undefined,
    frame: (text) => frames.push(text),
    ended: (end) => ends.push(end),
  });
  try {
    await waitFor("a frame or the end", () => frames.length + ends.length > 0);
    return { frames, ends };
  } finally {
    socket.close();
  }
}

describe("the editor's proxy and a stream", () => {
  const defaults = getCACertificates("default");
  const settings = vscode.workspace.getConfiguration();
  const { Global } = vscode.ConfigurationTarget;
  const hello: StreamServing = { opened: (socket) => socket.send("hello") };
  const releases: (() => unknown)[] = [];

  async function useProxy(support: string, refuse?: number): Promise<{ tunnels: number }> {
    const proxy = await startProxy({ host: "127.0.0.1", ...(refuse !== undefined && { refuse }) });
    releases.push(() => proxy.close());
    await settings.update("http.proxySupport", support, Global);
    await settings.update("http.proxy", `http://127.0.0.1:${proxy.port}`, Global);
    return proxy.count;
  }
  /** A server of streams behind a name, with a certificate of an authority that only the caller may trust. */
  async function serve(name: string, authority: Awaited<ReturnType<typeof makeAuthority>>, serving = hello) {
    const server = await serveStreams({ ...serving, tls: await makeCertificate({ authority, host: name }) });
    releases.push(() => server.close());
    return { ...server, at: `wss://${HOST}:${new URL(server.url).port}/stream` };
  }
  afterEach(async () => {
    await settings.update("http.proxy", undefined, Global);
    await settings.update("http.proxySupport", undefined, Global);
    setDefaultCACertificates(defaults);
    for (const release of releases.splice(0)) await release();
  });

  for (const support of SUPPORTS) {
    it(`carries the stream, and takes its certificates as those of a request: http.proxySupport ${support}`, async () => {
      const authority = await makeAuthority();
      const [right, other] = [await serve(HOST, authority), await serve("other.invalid", authority)];
      const count = await useProxy(support);
      const untrusted = await firstOf(right.at);
      assert.deepEqual([untrusted.ends[0]?.reason, right.asked], ["certificate", []]);
      setDefaultCACertificates([...defaults, authority.cert]);
      assert.deepEqual(await firstOf(right.at), { frames: ["hello"], ends: [] });
      assert.equal((await firstOf(other.at)).ends[0]?.reason, "certificate", "the name of another host");
      assert.deepEqual([count.tunnels, right.asked, other.asked], [3, ["/stream"], []]);
    });

    it(`is not asked for a stream on this computer: http.proxySupport ${support}`, async () => {
      const server = await serveStreams(hello);
      releases.push(() => server.close());
      const count = await useProxy(support);
      assert.deepEqual([(await firstOf(server.url)).frames, count.tunnels], [["hello"], 0]);
    });
  }

  it("that refuses the tunnel ends the stream, and no redirect behind it is followed", async () => {
    const authority = await makeAuthority();
    setDefaultCACertificates([...defaults, authority.cert]);
    const refuse = (): string =>
      `HTTP/1.1 302 Found\r\nLocation: https://${HOST}:1/other\r\nContent-Length: 0\r\n\r\n`;
    const server = await serve(HOST, authority, { refuse });
    const count = await useProxy("override");
    assert.equal((await firstOf(server.at)).ends[0]?.reason, "redirect");
    assert.deepEqual([count.tunnels, server.asked], [1, ["/stream"]]);
    const refusing = await useProxy("override", 407);
    const { ends } = await firstOf(server.at);
    assert.ok(ends[0] && ends[0].reason !== "certificate", ends[0]?.detail);
    assert.deepEqual([refusing.tunnels, server.asked.length], [1, 1]);
  });
});
