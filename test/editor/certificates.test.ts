import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import * as vscode from "vscode";
import { openWebSocket, type StreamEnd } from "../../src/exchange/stream/socket.ts";
import { createTransport } from "../../src/http/transport.ts";
import { makeCertificate } from "../support/servers/certificates.ts";
import { waitFor } from "../support/waitFor.ts";

/** The editor's own settings for certificates and proxies. */
const settings: readonly (readonly [key: string, value: unknown])[] = [
  ["http.proxyStrictSSL", false],
  ["http.proxySupport", "off"],
  ["http.proxySupport", "override"],
  ["http.systemCertificates", false],
];

describe("an untrusted certificate", () => {
  for (const [key, value] of settings) {
    it(`is rejected with every editor setting: ${key} ${String(value)}`, async () => {
      let bytes = 0;
      const server = createServer(await makeCertificate(), (socket) => {
        socket.on("error", () => undefined).on("data", (chunk) => (bytes += chunk.length));
      });
      server.on("tlsClientError", () => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/api/servertime`);
      const { Global } = vscode.ConfigurationTarget;
      try {
        await vscode.workspace.getConfiguration().update(key, value, Global);
        const request = {
          label: "serverTime",
          method: "GET",
          url,
          headers: {},
          body: undefined,
          maxBytes: 1024,
        } as const;
        await assert.rejects(createTransport()(request), {
          failure: { kind: "notSent", reason: "certificate" },
        });
        const ends: StreamEnd[] = [];
        openWebSocket(new URL(`wss://${url.host}/stream`), {
          opened: () => assert.fail("the stream is open"),
          frame: () => assert.fail("the stream sent a frame"),
          ended: (end) => ends.push(end),
        });
        await waitFor("the end of the stream", () => ends.length > 0);
        assert.equal(ends[0]?.reason, "certificate");
      } finally {
        await vscode.workspace.getConfiguration().update(key, undefined, Global);
        await new Promise((resolve) => server.close(resolve));
      }
      assert.equal(bytes, 0);
    });
  }
});
