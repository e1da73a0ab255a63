import assert from "node:assert/strict";
import { capabilityNames } from "../../src/market/endpoints.ts";
import { readProfile, targetOf, type ServiceProfile } from "../../src/exchange/profile.ts";
import { practiceProfile } from "../../src/practice/http/profile.ts";
import type { PracticeGeneration } from "../../src/practice/http/routes.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import { currentSwitches } from "../../src/practice/http/switches.ts";
import { ownerOf } from "../support/builders/practiceOrders.ts";
import { testPair } from "../support/builders/practiceRequest.ts";

/** All capabilities except the two that this exchange lacks. */
const everything = capabilityNames.filter((name) => name !== "status" && name !== "feeCredits");

describe("the profile of the practice exchange", () => {
  let practice: ProxiedPractice;
  afterEach(() => practice.close());

  async function start(generations: readonly PracticeGeneration[]): Promise<void> {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: { generations },
    });
  }
  function profileNow(): ServiceProfile {
    const profile = readProfile({ ...practiceProfile(practice.baseUrl, practice.switches), paths: {} });
    return Array.isArray(profile) ? assert.fail(profile.join()) : profile;
  }
  /** The HTTP status of an empty signed request to a capability. */
  async function statusOf(profile: ServiceProfile, method: string, path: string): Promise<number> {
    const { pathname, search } = targetOf(profile, path);
    const owner = ownerOf(practice, Date.now);
    const answer = await (method === "GET" ? owner.get(pathname + search) : owner.post(pathname, {}));
    return answer.status;
  }

  for (const [generations, offered] of [
    [["A"], everything],
    [["B"], everything.filter((name) => name !== "balances")],
    [["C"], ["balances"]],
    [["B", "C"], everything],
    [["A", "B"], everything],
    [["A", "B", "C"], everything],
    [[], []],
  ] as const)
    it(`names every endpoint of ${generations.join(", ") || "no generation"}, each of which responds`, async () => {
      await start(generations);
      const profile = profileNow();
      const capabilities = everything.flatMap((name) => {
        const capability = profile.features[name];
        return capability ? [[name, capability] as const] : [];
      });
      assert.deepEqual(capabilities.map(([name]) => name).toSorted(), offered.toSorted());
      for (const [name, { method, path }] of capabilities)
        assert.equal(await statusOf(profile, method, path), 200, name);
    });

  it("lists every endpoint of today's API, each of which responds, and none of the oldest paths", async () => {
    practice = await startProxiedPractice({
      credentials: testPair,
      now: Date.now,
      switches: currentSwitches,
    });
    const read = readProfile({ paths: {}, ...practiceProfile(practice.baseUrl, practice.switches) });
    const profile = Array.isArray(read) ? assert.fail(read.join()) : read;
    for (const name of capabilityNames) {
      const capability = profile.features[name] ?? assert.fail(name);
      const { pathname, search } = targetOf(profile, capability.path);
      const owner = ownerOf(practice, Date.now);
      const answer = await (capability.method === "GET"
        ? owner.get(pathname + search)
        : owner.post(pathname, {}));
      assert.equal(answer.status, 200, name);
    }
    const gone = await ownerOf(practice, Date.now).get("/api/market/ticker");
    assert.deepEqual([gone.status, gone.text], [404, '{"error":404,"message":"Not Found"}']);
  });

  it("describes how client ids are handled", async () => {
    await start(["A"]);
    assert.deepEqual(profileNow().features.clientOrderId, { duplicates: "accepted", windowMs: 30_000 });
    practice.switches.clientIds = "dropped";
    assert.equal(profileNow().features.clientOrderId, undefined);
  });

  it("names its streams, each by its path", async () => {
    await start([]);
    assert.equal(profileNow().features.privateStream, undefined);
    practice.switches.streams = streamKinds;
    const { tickerStream, bookStream, privateStream } = profileNow().features;
    assert.deepEqual(
      [tickerStream?.path, bookStream?.path, privateStream?.path],
      ["/websocket-api/", "/websocket-api/orderbook/", "/v3/private"],
    );
  });

  it("has no key", async () => {
    await start(["A"]);
    const text = JSON.stringify(practiceProfile(practice.baseUrl));
    assert.ok(!text.includes(testPair.apiKey) && !text.includes(testPair.apiSecret));
  });
});
