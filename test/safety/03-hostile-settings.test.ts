import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SecretStorage } from "vscode";
import { settingKeys } from "../../src/contributions.ts";
import { createClient } from "../../src/exchange/client.ts";
import { NotSentError } from "../../src/exchange/errors.ts";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { startProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { loadUi, workspace } from "../support/fakes/vscode.ts";
import { isFull } from "../support/rounds.ts";
import { safetyLine } from "./safetyLine.ts";

const pair = { apiKey: "settings-key", apiSecret: "settings-secret" };

/** Settings with which a workspace tries to get signed requests, orders beyond the limits, or fills without a notification. */
function hostileSettings(url: string): Record<string, unknown> {
  return {
    [settingKeys.confirmAbovePercent]: 20,
    [settingKeys.refuseAbovePercent]: 100,
    [settingKeys.maximumAmount]: "1",
    [settingKeys.maximumPriceAgeSeconds]: 60,
    [settingKeys.refreshSeconds]: 3600,
    [settingKeys.announceFills]: "off",
    [settingKeys.csvFormat]: "semicolon",
    "http.proxy": url,
    "http.proxySupport": "override",
  };
}

describe("a workspace that wants the trader's key", () => {
  it("can set only a setting that affects no request", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      contributes: { configuration: { properties: Record<string, { scope?: string }> }[] };
    };
    const settings = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries(properties),
    );
    // A workspace can set neither of these two; `machine` also stays on its computer.
    const isOfUser = (scope: string | undefined): boolean => scope === "application" || scope === "machine";
    assert.deepEqual(
      settings.filter(([, { scope }]) => !isOfUser(scope)).map(([key]) => key),
      [settingKeys.invertColors],
    );
    const hostile = Object.keys(hostileSettings("")).filter((key) => key.startsWith("bidside."));
    const steering = settings.map(([key]) => key).filter((key) => key.startsWith("bidside.orders."));
    assert.deepEqual(
      hostile.sort(),
      [...steering, settingKeys.refreshSeconds].sort(),
      "each setting that affects requests is tried below",
    );
  });

  safetyLine(
    3,
    "A setting of a workspace or a folder is ignored, and a key goes only to the origin it was entered for",
    async (proof) => {
      const { orderLimits, refreshIntervalMs, announcedFills } = await loadUi(
        () => import("../../src/ui/settings.ts"),
      );
      const { openLive } = await loadUi(() => import("../../src/ui/venue/liveVenue.ts"));
      const { CredentialStore } = await loadUi(() => import("../../src/ui/venue/credentialStore.ts"));
      const exchange = await startProxiedPractice({ credentials: pair, now: Date.now });
      const thief = await startThief();
      const stored = new Map<string, string>();
      const secrets = {
        get: async (key: string) => stored.get(key),
        store: async (key: string, value: string) => void stored.set(key, value),
        delete: async (key: string) => void stored.delete(key),
      };
      const store = new CredentialStore(secrets as unknown as SecretStorage);
      const usual = workspace.getConfiguration;
      const counts = { answered: 0, asked: 0 };
      const { origin, port } = new URL(exchange.baseUrl);
      const main = { id: "1".repeat(16), label: "Main", kind: "live" } as const;
      await store.save(
        { account: main.id, origin },
        {
          apiKey: new Secret(pair.apiKey),
          apiSecret: new Secret(pair.apiSecret),
        },
      );
      // Each is another origin: another port, another name of the same computer, another scheme.
      const others = [thief.url, `${thief.url}/api`, `http://localhost:${port}`, `https://127.0.0.1:${port}`];
      const same = [origin, `${origin}/`, exchange.baseUrl.replace("127.0.0.1", "127.000.000.001")];
      try {
        const rounds = await proof.each(1000, async ({ random }) => {
          const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
          const own = random() < 0.5;
          const baseUrl = pick(own ? same : others);
          const [limits, refreshMs] = [orderLimits(), refreshIntervalMs()];
          const hostile = hostileSettings(pick(others));
          const level = pick(["workspaceValue", "workspaceFolderValue", "workspaceFolderLanguageValue"]);
          workspace.getConfiguration = () => ({
            ...usual(),
            inspect: (key) => ({ ...usual().inspect(key), [level]: hostile[key] }),
            get: (key, fallback) => hostile[key] ?? usual().get(key, fallback),
          });
          assert.deepEqual(orderLimits(), limits);
          // With this setting, prices and alerts would not change for an hour.
          assert.equal(refreshIntervalMs(), refreshMs);
          assert.equal(announcedFills(), "on");
          const opening = openLive(store, { live: [{ ...main, profile: { baseUrl } }] }, main);
          workspace.getConfiguration = usual;
          const client = createClient({ ...opening, now: Date.now });
          if (own) {
            assert.ok((await client.wallet()).size > 0);
            counts.answered += 1;
          } else {
            await assert.rejects(
              client.wallet(),
              (error) => error instanceof NotSentError && error.reason === "noCredentials",
            );
            counts.asked += 1;
          }
        });
        assert.equal(exchange.requests.wallet, counts.answered);
        assert.equal(thief.requests, 0);
        return `${rounds} hostile settings: ${counts.answered} signed requests to the key's origin, ${counts.asked} times asked for another key, 0 requests to the other server`;
      } finally {
        workspace.getConfiguration = usual;
        await thief.close();
        await exchange.close();
      }
    },
  );

  // The settings of a workspace and of its folder want the same, so neither hides the other. A full run tries each alone.
  const brief = [{ isRestricted: false, place: "both.code-workspace" }];
  const full = [undefined, "whole.code-workspace", "folder.code-workspace"].flatMap((place) =>
    [false, true].map((isRestricted) => ({ isRestricted, place })),
  );
  for (const { isRestricted, place } of isFull() ? full : brief) {
    const what = `${place ?? "a folder"}, ${isRestricted ? "not trusted" : "trusted"}`;
    safetyLine(3, `In a real editor, a hostile workspace gets 0 requests: ${what}`, async () => {
      const exchange = await startProxiedPractice({ credentials: pair, now: Date.now });
      const thief = await startThief();
      const settings = hostileSettings(thief.url);
      const workbench = await Workbench.open("dark", {
        isRestricted,
        workspace: place,
        files: {
          ".vscode/settings.json": JSON.stringify(settings),
          "whole.code-workspace": JSON.stringify({ folders: [{ path: "plain" }], settings }),
          "folder.code-workspace": JSON.stringify({ folders: [{ path: "one" }, { path: "plain" }] }),
          "both.code-workspace": JSON.stringify({ folders: [{ path: "one" }, { path: "plain" }], settings }),
          "one/.vscode/settings.json": JSON.stringify(settings),
          "plain/file.txt": "",
        },
      });
      try {
        await workbench.goLive(exchange.baseUrl, pair);
        const mode = workbench.page.locator(".statusbar-item", { hasText: "Restricted Mode" });
        if (isRestricted) await mode.waitFor();
        else assert.equal(await mode.count(), 0);
        await bid(workbench, new URL(exchange.baseUrl).host);
        assert.equal(exchange.requests.placeBid, 1);
        assert.equal(thief.requests, 0);
        const { wallet, placeBid } = exchange.requests;
        return `${what}: ${wallet + placeBid} signed requests to the trader's exchange, ${thief.requests} requests to the other server`;
      } catch (error) {
        await workbench.screenshot(`failed-hostile-${isRestricted}`);
        throw error;
      } finally {
        await workbench.close();
        await thief.close();
        await exchange.close();
      }
    });
  }

  /** Places a bid above the workspace's maximum, and is asked about a bid that the workspace's limits would allow. */
  async function bid(workbench: Workbench, name: string): Promise<void> {
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC", amount: "1000" });
    await workbench.form.locator("#available", { hasText: "THB" }).waitFor();
    await workbench.form.locator("#use-best-ask").click();
    await workbench.submit();
    await workbench.modal.filter({ hasText: `on Live ${name} with real money?` }).waitFor();
    await workbench.answerModal("Buy");
    await workbench.outcome(`${name} accepted your order`);
    const last = (await workbench.form.locator("#last").innerText()).replaceAll(",", "");
    await workbench.draft({ amount: "1000", rate: (Number(last) * 1.1).toFixed(2) });
    await workbench.submit();
    await workbench.modal.filter({ hasText: "above the last price" }).waitFor();
    await workbench.answerModal("Cancel");
    await workbench.outcome("Not sent: you cancelled.");
  }
});

/** The server that a hostile workspace names. The server counts every request. */
async function startThief(): Promise<{
  readonly url: string;
  readonly requests: number;
  close(): Promise<void>;
}> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
