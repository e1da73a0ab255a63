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

describe("stored credentials", () => {
  it("are returned only for the origin for which they were entered", async () => {
    const store = new CredentialStore(memorySecrets());
    await store.save("https://api.example.com", pair);
    assert.equal((await store.forOrigin("https://api.example.com"))?.apiSecret.reveal(), "secret-for-tests");
    for (const other of [
      "https://api.example.com:8443",
      "http://api.example.com",
      "https://api.example.org",
    ]) {
      assert.equal(await store.forOrigin(other), undefined, other);
    }
  });

  it("are gone after removal, and every listener is notified", async () => {
    const store = new CredentialStore(memorySecrets());
    let events = 0;
    store.onDidChange(() => (events += 1));
    await store.save("https://api.example.com", pair);
    await store.remove("https://api.example.com");
    assert.equal(await store.forOrigin("https://api.example.com"), undefined);
    assert.equal(events, 2);
  });

  it("are undefined if none were entered, and an error if the stored text is invalid", async () => {
    const secrets = memorySecrets();
    const store = new CredentialStore(secrets);
    assert.equal(await store.forOrigin("https://api.example.com"), undefined);
    for (const broken of ["", "{", "{}", '{"apiKey":1}', "null", "7", '["a","b"]']) {
      await secrets.store("bidside.credentials.live:https://api.example.com", broken);
      await assert.rejects(store.forOrigin("https://api.example.com"), broken);
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
