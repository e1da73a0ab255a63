import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import * as vscode from "vscode";
import { testBid, testClient } from "../support/builders/client.ts";
import { makeAuthority, makeCertificate } from "../support/servers/certificates.ts";
import { startProxy } from "../support/servers/proxy.ts";
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
