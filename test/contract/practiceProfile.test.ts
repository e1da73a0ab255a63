import assert from "node:assert/strict";
import { capabilityNames } from "../../src/exchange/endpoints.ts";
import { readProfile, type ServiceProfile } from "../../src/exchange/profile.ts";
import { targetOf } from "../../src/exchange/call.ts";
import { practiceProfile } from "../../src/practice/http/profile.ts";
import type { Api } from "../../src/practice/http/routes.ts";
import { startPractice, type PracticeExchange } from "../../src/practice/http/server.ts";
import { ownerOf } from "../support/builders/practiceOrders.ts";
import { testPair } from "../support/builders/practiceRequest.ts";

describe("the profile of the practice exchange", () => {
  let practice: PracticeExchange;
  afterEach(() => practice.close());

  async function start(api: Api): Promise<ServiceProfile> {
    practice = await startPractice({ credentials: testPair, now: Date.now, api });
    const profile = readProfile({ paths: {}, ...practiceProfile(practice.baseUrl, api) });
    return Array.isArray(profile) ? assert.fail(profile.join()) : profile;
  }
  /** The HTTP status of an empty signed request to a capability. */
  async function statusOf(profile: ServiceProfile, method: string, path: string): Promise<number> {
    const { pathname, search } = targetOf(profile.baseUrl, path);
    const owner = ownerOf(practice, Date.now);
    const answer = await (method === "GET" ? owner.get(pathname + search) : owner.post(pathname, {}));
    return answer.status;
  }

  for (const [api, missing] of [
    ["spec", ["status", "feeCredits"]],
    ["current", []],
  ] as const)
    it(`lists every endpoint of the ${api} API, each of which responds`, async () => {
      const profile = await start(api);
      const offered = capabilityNames.filter((name) => profile.features[name] !== undefined);
      assert.deepEqual(
        offered,
        capabilityNames.filter((name) => !missing.some((each) => each === name)),
      );
      for (const name of offered) {
        const { method, path } = profile.features[name] ?? assert.fail(name);
        assert.equal(await statusOf(profile, method, path), 200, name);
      }
    });

  it("has none of the oldest paths in the current API", async () => {
    await start("current");
    const gone = await ownerOf(practice, Date.now).get("/api/market/ticker");
    assert.deepEqual([gone.status, gone.text], [404, '{"error":404,"message":"Not Found"}']);
  });

  it("names the limits of each pair, how client ids are handled, and each stream by its path", async () => {
    const { symbols, clientOrderId, tickerStream, bookStream, privateStream } = (await start("spec"))
      .features;
    assert.equal(symbols?.path, "/api/v3/market/symbols");
    assert.deepEqual(clientOrderId, { duplicates: "accepted", windowMs: 30_000 });
    assert.deepEqual(
      [tickerStream?.path, bookStream?.path, privateStream?.path],
      ["/websocket-api/", "/websocket-api/orderbook/", "/v3/private"],
    );
  });

  it("has no key", async () => {
    await start("spec");
    const text = JSON.stringify(practiceProfile(practice.baseUrl));
    assert.ok(!text.includes(testPair.apiKey) && !text.includes(testPair.apiSecret));
  });
});
