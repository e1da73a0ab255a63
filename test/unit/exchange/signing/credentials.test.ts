import assert from "node:assert/strict";
import { format, inspect } from "node:util";
import { Secret } from "../../../../src/exchange/signing/credentials.ts";

describe("secret", () => {
  it("is in no printed text, and is returned only by its reveal method", () => {
    const secret = new Secret("canary");
    const printed = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 10, showHidden: true }),
      format("%s %o %O %j", secret, secret, secret, secret),
      inspect(new Error("x", { cause: secret }), { showHidden: true }),
      Object.entries(secret).join(""),
    ];
    for (const text of printed) assert.doesNotMatch(text, /canary/);
    assert.equal(secret.reveal(), "canary");
  });
});
