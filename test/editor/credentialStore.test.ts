import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as vscode from "vscode";
import { Secret } from "../../src/exchange/signing/credentials.ts";
import { CredentialStore } from "../../src/ui/venue/credentialStore.ts";

/** An in-memory store with the contract of SecretStorage: the real store belongs to the extension only. */
function memorySecrets(): vscode.SecretStorage {
  const stored = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  return {
    keys: () => Promise.resolve([...stored.keys()]),
    get: (key: string) => Promise.resolve(stored.get(key)),
    store: async (key: string, value: string) => {
      stored.set(key, value);
      changed.fire({ key });
    },
    delete: async (key: string) => {
      stored.delete(key);
      changed.fire({ key });
    },
    onDidChange: changed.event,
  } as vscode.SecretStorage;
}

const pair = { apiKey: new Secret("key-for-tests"), apiSecret: new Secret("secret-for-tests") };

const main = { account: "1".repeat(16), origin: "https://api.example.com" };

describe("stored credentials", () => {
  it("are returned only to their account, and only for the origin for which they were entered", async () => {
    const store = new CredentialStore(memorySecrets());
    await store.save(main, pair);
    assert.equal((await store.read(main))?.apiSecret.reveal(), "secret-for-tests");
    assert.equal(await store.read({ ...main, account: "2".repeat(16) }), undefined);
    for (const origin of [
      "https://api.example.com:8443",
      "http://api.example.com",
      "https://api.example.org",
    ]) {
      assert.equal(await store.read({ ...main, origin }), undefined, origin);
    }
  });

  it("are not used after the address moved until they are entered for it", async () => {
    const store = new CredentialStore(memorySecrets());
    const moved = { ...main, origin: "https://new.example.com" };
    await store.savePendingKey(main, pair.apiKey);
    assert.equal(await store.pendingKey(moved), undefined);
    await store.save(main, pair);
    await store.save(moved, pair);
    assert.notEqual(await store.read(moved), undefined);
    assert.equal(await store.read(main), undefined, "an account has one pair");
  });

  it("are gone after removal, and every listener is notified", async () => {
    const store = new CredentialStore(memorySecrets());
    let events = 0;
    store.onDidChange(() => (events += 1));
    await store.save(main, pair);
    await store.remove(main.account);
    assert.equal(await store.read(main), undefined);
    assert.equal(events, 2);
  });

  it("are undefined if none were entered, and an error if the stored text is invalid", async () => {
    const secrets = memorySecrets();
    const store = new CredentialStore(secrets);
    assert.equal(await store.read(main), undefined);
    for (const broken of [
      "",
      "{",
      "{}",
      '{"apiKey":1}',
      "null",
      "7",
      '["a","b"]',
      '{"apiKey":"a","apiSecret":"b"}',
    ]) {
      await secrets.store(`bidside.credentials.account:${main.account}`, broken);
      await assert.rejects(store.read(main), broken);
    }
  });

  it("cannot be printed by accident", () => {
    const printed = [
      String(pair.apiSecret),
      `${pair.apiSecret}`,
      JSON.stringify(pair),
      inspect(pair, { depth: 9, showHidden: true }),
    ];
    for (const text of printed) assert.doesNotMatch(text, /for-tests/);
  });
});
