import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Secret, type Credentials } from "../../../../src/exchange/signing/credentials.ts";
import type { Method } from "../../../../src/http/connection.ts";
import {
  privateHeaders,
  signature,
  timeSignature,
  usable,
} from "../../../../src/exchange/signing/signature.ts";

function pair(key: string, secret: string): Credentials {
  return { apiKey: new Secret(key), apiSecret: new Secret(secret) };
}

describe("the signature of a private stream", () => {
  it("is over the timestamp alone, as openssl makes it", () => {
    assert.equal(
      timeSignature("test-secret", "1700000000000"),
      "85b5366c365c4f9329d1e9d48dc1040220fa942d630b0b5521cb8b5d94d2a042",
    );
  });
});

describe("signature", () => {
  const vectors: [
    secret: string,
    timestamp: string,
    method: Method,
    path: string,
    body: string,
    hex: string,
  ][] = [
    [
      "secret",
      "1630483200000",
      "POST",
      "/api/v3/market/balances",
      "",
      "ae6fd3dc7d85ebea023e54292fa6eebaeea6dc02002433c51b57136eeb0a03e5",
    ],
    [
      "secret",
      "1700000000000",
      "GET",
      "/api/v4/wallet/balances",
      "",
      "9b3627e64d50e362f87ca6a10f341ba29838fa52df0e9ccd3a686c48d8401acd",
    ],
    [
      "test-secret",
      "1795214121361",
      "POST",
      "/api/v3/market/place-bid",
      '{"sym":"BTC_THB","amt":1000,"rat":15000.5,"typ":"limit"}',
      "ca8862e2784c7ffd654db5310ec52328a2d81b2340276e4eb3403e1717190a69",
    ],
  ];
  for (const [secret, timestamp, method, path, body, hex] of vectors) {
    it(`gives the published vector for ${method} ${path}`, () => {
      assert.equal(signature(secret, { timestamp, method, path, body: Buffer.from(body) }), hex);
    });
  }

  it("is HMAC-SHA256 in lower-case hex (RFC 4231, case 2)", () => {
    const body = Buffer.from("what do ya want for nothing?");
    const parts = { timestamp: "", method: "" as Method, path: "", body };
    const hex = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
    assert.equal(signature("Jefe", parts), hex);
  });

  it("signs a missing body as an empty body", () => {
    const parts = { timestamp: "1", method: "POST", path: "/w" } as const;
    const none = signature("s", { ...parts, body: undefined });
    assert.equal(none, signature("s", { ...parts, body: Buffer.alloc(0) }));
  });

  it("uses the UTF-8 bytes of the secret as the key", () => {
    const parts = { timestamp: "1630483200000", method: "POST", path: "/api/v3/market/balances" } as const;
    assert.equal(
      signature("ключ-秘密-é😀", { ...parts, body: undefined }),
      "25c01239e9a51c83ae8e2c2efbc6c65d37f8d4fb2b21cceb095d5555e8a915bc",
    );
  });

  it("covers the UTF-8 bytes of timestamp, method, path and body in this order, without separators", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.uint8Array(),
        fc.constantFrom<Method>("GET", "POST"),
        (secret, timestamp, path, body, method) => {
          const whole = Buffer.concat([Buffer.from(timestamp + method + path), body]);
          assert.equal(
            signature(secret, { timestamp, method, path, body }),
            createHmac("sha256", Buffer.from(secret)).update(whole).digest("hex"),
          );
        },
      ),
    );
  });
});

describe("privateHeaders", () => {
  it("names the three headers with the profile's prefix", () => {
    assert.deepEqual(privateHeaders("X-OTHER-", "key", "1", "ab"), {
      "X-OTHER-APIKEY": "key",
      "X-OTHER-TIMESTAMP": "1",
      "X-OTHER-SIGN": "ab",
    });
  });
});

describe("usable", () => {
  it("accepts a key of visible ASCII, and any secret without blanks", () => {
    assert.ok(usable(pair("a-Key_1/+=", "secret")));
    assert.ok(usable(pair("key", "geheimnis-ß")));
  });

  it("refuses text that cannot be put in a header, and leftovers of careless copying", () => {
    for (const bad of ["", " key", "key\n", "a\r\nX-Evil: 1", "k\u0000", "ключ", "a b", "key\u200b"]) {
      assert.equal(usable(pair(bad, "secret")), false, `key ${JSON.stringify(bad)}`);
    }
    for (const bad of ["", " secret", "secret\n", "a\tb", "secret\u200b"]) {
      assert.equal(usable(pair("key", bad)), false, `secret ${JSON.stringify(bad)}`);
    }
  });
});
