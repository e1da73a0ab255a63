import assert from "node:assert/strict";
import { inspect } from "node:util";
import { NotSentError } from "../../../src/exchange/errors.ts";
import { Secret, type Credentials } from "../../../src/exchange/signing/credentials.ts";
import { testBid, testCredentials } from "../../support/builders/client.ts";
import { onlyFor, setUp } from "../../support/builders/clientInMemory.ts";

describe("credentials", () => {
  it("that are missing stop every private request, and also the measuring of the clock", async () => {
    const { client, state, sent } = setUp();
    state.pair = undefined;
    for (const attempt of [() => client.wallet(), () => client.placeOrder(testBid())]) {
      await assert.rejects(attempt(), { kind: "notSent", reason: "noCredentials" });
    }
    assert.equal(sent("serverTime").length + sent("wallet").length + sent("placeBid").length, 0);
    assert.equal((await client.tickers()).unreadable, 0);
  });

  it("that are unreadable stop every private request, and the keyring's message is dropped", async () => {
    const { client, state, sent } = setUp();
    state.pair = Promise.reject(new Error("keyring: test-secret"));
    for (const attempt of [() => client.wallet(), () => client.placeOrder(testBid())]) {
      await assert.rejects(attempt(), (error) => {
        assert.ok(error instanceof NotSentError);
        assert.equal(error.reason, "credentialsUnreadable");
        assert.doesNotMatch(inspect(error, { depth: 9 }), /keyring|test-secret/);
        return true;
      });
    }
    assert.equal(sent("wallet").length + sent("placeBid").length, 0);
  });

  it("that a locked keyring gives too late sign nothing, so that no confirmed bid is sent late", async () => {
    const { client, state, sent } = setUp(undefined, { credentialsMs: 20 });
    const unlocked = Promise.withResolvers<Credentials>();
    state.pair = unlocked.promise;
    await assert.rejects(client.placeOrder(testBid()), { reason: "credentialsUnreadable" });
    unlocked.resolve(testCredentials);
    await unlocked.promise;
    await client.wallet();
    assert.equal(sent("placeBid").length, 0);
  });

  it("that cannot be put in a header are refused", async () => {
    const { client, state } = setUp();
    for (const [key, secret] of [
      ["", "s"],
      ["k", ""],
      ["k\r\nX-Evil: 1", "s"],
      ["ключ", "s"],
      ["k", "s\n"],
    ] as const) {
      state.pair = { apiKey: new Secret(key), apiSecret: new Secret(secret) };
      await assert.rejects(client.wallet(), { kind: "notSent", reason: "badCredentials" });
    }
  });

  it("are read for each signature, so that a changed or deleted pair takes effect at once", async () => {
    const { client, state } = setUp();
    const keys: unknown[] = [];
    state.reply = ({ headers }) => {
      keys.push(headers["X-SVC-APIKEY"]);
      return {};
    };
    await client.wallet();
    state.pair = { apiKey: new Secret("other-key"), apiSecret: new Secret("s") };
    await client.wallet();
    assert.deepEqual(keys, [undefined, "test-key", "other-key"]);
    state.pair = undefined;
    await assert.rejects(client.wallet(), { reason: "noCredentials" });
  });

  it("deleted during the measuring of the clock sign nothing", async () => {
    const { client, state, sent } = setUp(
      onlyFor("serverTime", () => {
        state.pair = undefined;
        return {};
      }),
    );
    await assert.rejects(client.placeOrder(testBid()), { reason: "noCredentials" });
    assert.equal(sent("placeBid").length, 0);
  });
});
