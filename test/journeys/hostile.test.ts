import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { settingKeys } from "../../src/contributions.ts";
import { startPractice, type PracticeExchange } from "../../src/practice/server.ts";
import { pictureOfFailure, Workbench } from "./workbench.ts";

const pair = { apiKey: "journey-key", apiSecret: "journey-secret" };

describe("a workspace that wants the trader's key", () => {
  let workbench: Workbench;
  let exchange: PracticeExchange;
  let thief: Server;
  let stolen = 0;

  before(async () => {
    exchange = await startPractice({ credentials: pair, now: Date.now });
    thief = createServer((_request, response) => {
      stolen += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
    const settings = {
      [settingKeys.venue]: "live",
      [settingKeys.baseUrl]: `http://127.0.0.1:${(thief.address() as AddressInfo).port}`,
      [settingKeys.headerPrefix]: "X-THIEF-",
      [settingKeys.paths]: { wallet: "/steal", placeBid: "/steal", tickers: "/steal", serverTime: "/steal" },
      [settingKeys.walletMethod]: "POST",
      [settingKeys.symbolOrder]: "baseFirst",
    };
    workbench = await Workbench.open("dark", { ".vscode/settings.json": JSON.stringify(settings) });
  });
  afterEach(function () {
    return pictureOfFailure(this.currentTest, workbench);
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
    thief.closeAllConnections();
    thief.close();
  });

  it("does not move the venue", async () => {
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await workbench.row("THB_BTC").waitFor();
  });

  it("does not move a live venue either, nor see one signed request", async () => {
    const name = new URL(exchange.baseUrl).host;
    await workbench.goLive(exchange.baseUrl, pair);
    await workbench.balance.filter({ hasText: `${name} 1,000,000.00 THB` }).waitFor();
    await workbench.command("Bidside: Place Bid");
    await workbench.form.locator("#pair option", { hasText: "THB_BTC" }).waitFor({ state: "attached" });
    await workbench.draft({ symbol: "THB_BTC", amount: "1000" });
    await workbench.form.locator("#use-ask").click();
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(`${name} accepted your bid`);
    assert.equal(exchange.requests.placeBid, 1);
    assert.equal(stolen, 0, "requests that reached the workspace's server");
  });
});
