import assert from "node:assert/strict";
import { systemTimers } from "../../../../src/time/timers.ts";
import { discoveryPorts } from "../../../../src/exchange/discovery/discovery.ts";
import { RefusedError } from "../../../../src/exchange/errors.ts";
import { startProxiedPractice, type ProxiedPractice } from "../../../support/servers/proxiedPractice.ts";
import type { Endpoint } from "../../../../src/exchange/endpoints.ts";
import { testProfile } from "../../../support/builders/client.ts";
import { testPair } from "../../../support/builders/practiceRequest.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { offerMovedPath } = await loadUi(() => import("../../../../src/ui/venue/movedPath.ts"));

describe("an exchange that moved a path", () => {
  let practice: ProxiedPractice;

  async function missing(endpoint: Endpoint, path: string): Promise<string[]> {
    const profile = testProfile(practice.baseUrl);
    const error = new RefusedError(endpoint, { code: 404, httpStatus: 404, path });
    const { now, after } = systemTimers;
    await offerMovedPath(
      { name: "127.0.0.1", profile },
      error,
      discoveryPorts({ userAgent: "Bidside/test", now, after }),
    );
    return shownMessages.filter(({ how }) => how === "warning").map(({ text }) => text);
  }

  beforeEach(async () => {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      api: "current",
    });
    shownMessages.length = 0;
  });
  afterEach(async () => {
    await practice.close();
    person.choose = () => undefined;
  });

  it("is reported with the old and new path of the prices, and leads to the connection test", async () => {
    person.choose = ([button]) => button;
    assert.deepEqual(await missing("tickers", "/api/market/ticker"), [
      "127.0.0.1 moved its price endpoint from /api/market/ticker to /api/v3/market/ticker.",
    ]);
    assert.ok(shownMessages.some(({ how, text }) => how === "command" && text === "bidside.testConnection"));
    const { wallet, balances } = practice.requests;
    assert.ok(wallet + balances <= 2, "nothing but the refusals without a key");
  });

  it("offers to find a path that only a key can find", async () => {
    await practice.changeApi("spec");
    assert.deepEqual(await missing("wallet", "/api/market/wallet"), [
      "127.0.0.1 no longer serves /api/market/wallet, the path for: Balance.",
    ]);
  });

  it("offers nothing if the prices are back or not found elsewhere", async () => {
    await practice.changeApi("spec");
    assert.deepEqual(await missing("tickers", "/api/market/ticker"), []);
    await practice.close();
    assert.deepEqual(await missing("tickers", "/api/market/ticker"), []);
  });
});
