import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { settingKeys, viewIds } from "../../src/contributions.ts";
import {
  alertProgram,
  fillsGoOutside,
  orderLimits,
  profileSetting,
  refreshIntervalMs,
  statusBalance,
  venueSetting,
  webhookIsOn,
} from "../../src/ui/settings.ts";
import { applySettings } from "../support/editorSettings.ts";
import { waitFor } from "../support/waitFor.ts";

const { Global, Workspace } = vscode.ConfigurationTarget;

async function set(key: string, value: unknown, target: vscode.ConfigurationTarget = Global): Promise<void> {
  await vscode.workspace.getConfiguration().update(key, value, target);
}

/** A service that answers every request with an empty market, and keeps the requests. */
async function emptyService(): Promise<{ url: string; seen: IncomingMessage[]; close: () => void }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.setHeader("Content-Type", "application/json");
    response.end(
      request.url?.includes("time")
        ? `{"error":0,"result":${Math.floor(Date.now() / 1000)}}`
        : '{"error":0,"result":{}}',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/prefix`, seen, close: () => void server.close() };
}

describe("the settings", () => {
  afterEach(async () => {
    await applySettings();
  });

  it("start on the practice exchange, with the specification's profile", () => {
    assert.equal(venueSetting(), "practice");
    assert.deepEqual(profileSetting(), {
      baseUrl: "",
      headerPrefix: "X-SVC-",
      paths: {
        serverTime: "/api/servertime",
        tickers: "/api/market/ticker",
        wallet: "/api/market/wallet",
        placeBid: "/api/market/place-bid",
      },
      walletMethod: "auto",
      symbolOrder: "quoteFirst",
      historyPath: "",
      features: {},
    });
  });

  it("limit the refresh interval to 1 to 3600 seconds", async () => {
    for (const [given, ms] of [
      [1, 1000],
      [0, 1000],
      [99_999, 3_600_000],
    ] as const) {
      await set(settingKeys.refreshSeconds, given);
      assert.equal(refreshIntervalMs(), ms);
    }
  });

  it("choose the figure in the status bar, and show what is available for anything unknown", async () => {
    for (const [given, shown] of [
      ["todaysResult", "todaysResult"],
      ["total", "total"],
      ["off", "off"],
      ["yesterday", "available"],
      [undefined, "available"],
    ] as const) {
      await set(settingKeys.statusBalance, given);
      assert.equal(statusBalance(), shown);
    }
  });

  it("accept the maximum per order as text or number, and report an unreadable one", async () => {
    const seen: unknown[] = [];
    for (const given of ["50000", 50000, 0.0000001, "50,000", "0", 0, -1, " ", "1e5", ["50000"]]) {
      await set(settingKeys.maximumAmount, given);
      seen.push(orderLimits().maximumAmount?.toString());
    }
    await set(settingKeys.maximumAmount, "");
    assert.deepEqual(seen, ["50000", "50000", "1e-7", ...Array.from({ length: 7 }, () => "unreadable")]);
    assert.equal(orderLimits().maximumAmount, undefined);
  });

  it("that control signed traffic cannot come from a workspace", async () => {
    for (const key of Object.values(settingKeys).filter((each) => each.startsWith("bidside.exchange."))) {
      await assert.rejects(set(key, "https://evil.example.com", Workspace), key);
    }
    assert.equal(profileSetting().baseUrl, "");
  });

  it("that decide where alerts go cannot come from a workspace", async () => {
    for (const [key, value] of [
      [settingKeys.alertWebhook, true],
      [settingKeys.alertSendFills, true],
      [settingKeys.alertProgram, ["touch", "owned"]],
    ] as const)
      await assert.rejects(set(key, value, Workspace), key);
    assert.deepEqual([webhookIsOn(), fillsGoOutside(), alertProgram()], [false, false, []]);
  });

  it("apply at once: requests go to a changed exchange, address and path", async () => {
    const service = await emptyService();
    try {
      // Prices are only requested while a view shows them.
      await vscode.commands.executeCommand(`${viewIds.markets}.focus`);
      await set(settingKeys.paths, { tickers: "/api/v3/market/ticker" });
      await set(settingKeys.baseUrl, service.url);
      await set(settingKeys.venue, "live");
      await waitFor("the request for the live ticker", () =>
        service.seen.some(({ url }) => url === "/prefix/api/v3/market/ticker"),
      );
      for (const { headers } of service.seen) {
        assert.equal(
          Object.keys(headers).some((name) => name.startsWith("x-svc-")),
          false,
          "nothing signed without a key",
        );
      }
    } finally {
      await set(settingKeys.venue, undefined);
      service.close();
    }
  });
});
