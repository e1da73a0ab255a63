import assert from "node:assert/strict";
import { SignatureCheck, type AuthError } from "../../../../src/practice/http/signatureCheck.ts";
import { signature } from "../../../support/builders/practiceRequest.ts";

interface Vector {
  readonly secret: string;
  readonly timestamp: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly sign: string;
}

const VECTORS: readonly Vector[] = [
  {
    secret: "secret",
    timestamp: "1630483200000",
    method: "POST",
    path: "/api/v3/market/balances",
    body: "",
    sign: "ae6fd3dc7d85ebea023e54292fa6eebaeea6dc02002433c51b57136eeb0a03e5",
  },
  {
    secret: "secret",
    timestamp: "1700000000000",
    method: "GET",
    path: "/api/v4/wallet/balances",
    body: "",
    sign: "9b3627e64d50e362f87ca6a10f341ba29838fa52df0e9ccd3a686c48d8401acd",
  },
  {
    secret: "test-secret",
    timestamp: "1795214121361",
    method: "POST",
    path: "/api/v3/market/place-bid",
    body: '{"sym":"BTC_THB","amt":1000,"rat":15000.5,"typ":"limit"}',
    sign: "ca8862e2784c7ffd654db5310ec52328a2d81b2340276e4eb3403e1717190a69",
  },
];

/** RFC 4231, test case 2, cut into a timestamp, a method and a path. */
const RFC_4231: Vector = {
  secret: "Jefe",
  timestamp: "what do ya ",
  method: "want ",
  path: "for ",
  body: "nothing?",
  sign: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
};

function refusal(vector: Vector, now = Number(vector.timestamp)): AuthError | undefined {
  const { secret, timestamp, method, path, body, sign } = vector;
  const headers = { "x-svc-apikey": "key", "x-svc-timestamp": timestamp, "x-svc-sign": sign };
  const check = new SignatureCheck({ apiKey: "key", apiSecret: secret });
  return check.refusal({ method, path, headers, body: Buffer.from(body) }, now);
}

describe("practice signature check", () => {
  it("accepts every reference vector, and no vector with a changed character", () => {
    for (const vector of VECTORS) {
      assert.equal(refusal(vector), undefined, vector.path);
      assert.equal(
        refusal({ ...vector, sign: vector.sign.replace(/.$/, (c) => (c === "0" ? "1" : "0")) }),
        6,
      );
      assert.equal(refusal({ ...vector, secret: `${vector.secret}x` }), 6);
      assert.equal(refusal({ ...vector, path: `${vector.path}/` }), 6);
      assert.equal(refusal({ ...vector, body: `${vector.body} ` }), 6);
      assert.equal(refusal({ ...vector, timestamp: `${vector.timestamp}0` }, Number(vector.timestamp)), 6);
      assert.equal(refusal(vector, Number(vector.timestamp) + 30_001), 8);
    }
  });

  it("computes HMAC-SHA256 as RFC 4231 does: that signature matches, but its timestamp is invalid", () => {
    assert.equal(refusal(RFC_4231, 0), 8);
    assert.equal(refusal({ ...RFC_4231, body: "nothing!" }, 0), 6);
  });

  it("agrees with the signatures that these tests compute by hand", () => {
    for (const { secret, timestamp, method, path, body, sign } of [...VECTORS, RFC_4231]) {
      assert.equal(signature(secret, timestamp + method + path + body), sign);
    }
  });
});
