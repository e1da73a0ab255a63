import { endpointsAt } from "../../support/builders/client.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { capabilityNames } from "../../../src/exchange/endpoints.ts";
import { symbolFor } from "../../../src/market/pair.ts";
import { readProfileFile, writeProfileFile } from "../../../src/exchange/profileFile.ts";

const minimal = { bidsideProfile: 1, baseUrl: "https://api.example.com/v2", headerPrefix: "X-EXAMPLE-" };
const orders = { method: "GET", path: "/orders", envelope: "B" } as const;

function read(file: unknown) {
  return readProfileFile(Buffer.from(typeof file === "string" ? file : JSON.stringify(file)));
}

function problemsOf(file: unknown): readonly string[] {
  const problems = read(file);
  return Array.isArray(problems) ? problems : assert.fail("was read");
}

describe("readProfileFile", () => {
  it("reads address and prefix, with the defaults of the settings for the rest", () => {
    const file = read(minimal);
    assert.ok(!Array.isArray(file));
    const { name, draft, profile } = file;
    assert.deepEqual([name, profile.baseUrl.host], [undefined, "api.example.com"]);
    assert.deepEqual([profile.endpoints, profile.features], [endpointsAt(), {}]);
    assert.deepEqual(draft, {
      baseUrl: minimal.baseUrl,
      headerPrefix: minimal.headerPrefix,
      paths: {},
      walletMethod: "auto",
      symbolOrder: "quoteFirst",
      historyPath: "",
      features: {},
    });
  });

  it("reads everything that a profile can have", () => {
    const features = {
      ...Object.fromEntries(
        capabilityNames.map((name) => [name, { ...orders, method: "POST", path: `/api/${name}` }]),
      ),
      clientOrderId: { duplicates: "refused", windowMs: 5000 },
      postOnly: true,
      historyAmountOfBuys: "quote",
    };
    const file = read({
      ...minimal,
      name: "An exchange",
      paths: { wallet: "/w" },
      walletMethod: "POST",
      symbolOrder: "baseFirst",
      historyPath: "/h?symbol={base}{quote}",
      features,
    });
    assert.ok(!Array.isArray(file));
    const { name, draft, profile } = file;
    assert.deepEqual([name, draft.features, profile.walletMethod], ["An exchange", features, "POST"]);
    assert.equal(profile.features.depth?.symbolOrder, "baseFirst");
    assert.equal(profile.endpoints.wallet.path, "/w");
  });

  it("reads what it writes", () => {
    const file = read({ ...minimal, paths: { wallet: "/w" }, features: { openOrders: orders } });
    assert.ok(!Array.isArray(file));
    const again = read(writeProfileFile(file.draft));
    assert.ok(!Array.isArray(again));
    assert.deepEqual(again.draft, file.draft);
  });

  const refused: [problems: string[], file: unknown][] = [
    [["fileNotJson"], ""],
    [["fileNotJson"], "{"],
    [["fileNotJson"], "\ufeff" + JSON.stringify(minimal) + "}"],
    [["fileNotProfile"], "5"],
    [["fileNotProfile"], "null"],
    [["fileNotProfile"], "[]"],
    [["fileNotProfile"], { baseUrl: minimal.baseUrl }],
    [["fileField:bidsideProfile"], { ...minimal, bidsideProfile: 2 }],
    [["fileField:apiKey"], { ...minimal, apiKey: "k" }],
    [["fileField:venue"], { ...minimal, venue: "live" }],
    [["fileField:paths.key"], { ...minimal, paths: { key: "/k" } }],
    [["fileField:paths.wallet"], { ...minimal, paths: { wallet: 5 } }],
    [["fileField:baseUrl"], { bidsideProfile: 1, headerPrefix: "X-A-" }],
    [["fileField:walletMethod"], { ...minimal, walletMethod: "PUT" }],
    [["fileField:name"], { ...minimal, name: "x".repeat(101) }],
    [["fileField:features"], { ...minimal, features: [] }],
    [
      ["fileField:baseUrl"],
      '{"bidsideProfile":1,"baseUrl":"https://a.example","headerPrefix":"X-A-","baseUrl":"https://b.example"}',
    ],
    [["baseUrlInsecure"], { ...minimal, baseUrl: "http://api.example.com" }],
    [["baseUrlExtras"], { ...minimal, baseUrl: "https://key:secret@api.example.com" }],
    [["headerPrefixInvalid"], { ...minimal, headerPrefix: "X" }],
    [["pathInvalid"], { ...minimal, paths: { placeBid: "//evil.example/bid" } }],
    [
      ["feature:openOrders.path"],
      { ...minimal, features: { openOrders: { ...orders, path: "//evil.example" } } },
    ],
    [["feature:withdraw"], { ...minimal, features: { withdraw: orders } }],
  ];
  for (const [problems, file] of refused) {
    const shown = typeof file === "string" ? file : JSON.stringify(file);
    it(`reports ${problems.join(", ")} for ${shown.slice(0, 100) || "an empty file"}`, () => {
      assert.deepEqual(problemsOf(file), problems);
    });
  }

  it("refuses a file of more than 64 KB, and one that is no UTF-8", () => {
    assert.deepEqual(problemsOf(JSON.stringify({ ...minimal, name: "x".repeat(64 * 1024) })), [
      "fileTooLarge",
    ]);
    assert.deepEqual(readProfileFile(Buffer.from([0x7b, 0xff, 0x7d])), ["fileNotJson"]);
  });

  it("returns a profile or problems for any bytes", () => {
    const anything = fc.oneof(fc.json(), fc.string(), fc.constant(JSON.stringify(minimal)));
    const changed = fc
      .tuple(anything, fc.uint8Array({ maxLength: 8 }), fc.nat(200))
      .map(([text, bytes, at]) => {
        const file = Buffer.from(text);
        file.set(bytes.subarray(0, Math.max(0, file.length - at)), Math.min(at, file.length));
        return file;
      });
    fc.assert(
      fc.property(changed, (bytes) => {
        const file = readProfileFile(bytes);
        assert.ok(!Array.isArray(file) || file.length > 0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the profiles in the documentation", () => {
  for (const [name, envelopes] of [
    ["generation-a", ["A"]],
    ["generation-b", ["B"]],
    ["generation-c", ["A", "C"]],
    ["current", ["B", "C"]],
  ] as const) {
    it(`can be imported as they are: ${name}`, () => {
      const file = readProfileFile(
        readFileSync(new URL(`../../../docs/profiles/${name}.json`, import.meta.url)),
      );
      if (Array.isArray(file)) assert.fail(file.join());
      const found = capabilityNames.flatMap((each) => file.profile.features[each]?.envelope ?? []);
      assert.deepEqual([...new Set(found)].sort(), envelopes);
      const { endpoints, features } = file.profile;
      const pair = { quote: "THB", base: "BTC" };
      const symbols = [endpoints.placeBid, features.placeAsk].map((form) => form && symbolFor(pair, form));
      assert.equal(new Set(symbols).size, 1, "orders of both sides name a pair alike");
    });
  }
});
