import assert from "node:assert/strict";
import { openVenue, FakeClient, liveAccount } from "../../../support/fakes/venue.ts";
import { HollowStore, loadUi, shownMessages, typed } from "../../../support/fakes/vscode.ts";
import { saveEveryKey } from "../../../support/fakes/saveKey.ts";

const { CredentialStore } = await loadUi(() => import("../../../../src/ui/venue/credentialStore.ts"));
const { setCredentials } = await loadUi(() => import("../../../../src/ui/venue/credentialsPrompt.ts"));

/** Types a key and a secret; resolves to the stored pair, or to the problem that the prompt showed. */
async function enter(key: string, secret: string): Promise<readonly string[] | string | undefined> {
  const venue = await openVenue(new FakeClient());
  await venue.select(liveAccount);
  const store = new CredentialStore(new HollowStore() as never);
  shownMessages.length = 0;
  typed.splice(0, typed.length, key, secret);
  if (!(await setCredentials(venue.venue, store, saveEveryKey))) {
    typed.length = 0;
    return shownMessages.find(({ how }) => how === "input problem")?.text;
  }
  const pair = await store.read({
    account: liveAccount.id,
    origin: venue.venue?.profile.baseUrl.origin ?? "",
  });
  return pair && [pair.apiKey.reveal(), pair.apiSecret.reveal()];
}

const REFUSED = "This contains characters that are not valid in a key. Paste it again.";

describe("the prompt for key and secret", () => {
  it("accepts any visible characters in a secret, and visible ASCII in a key", async () => {
    for (const secret of ["plain", "geheimnis-ß", "ключ-秘密-é😀", "รหัสลับ", " trimmed\u00a0"])
      assert.deepEqual(await enter("key", secret), ["key", secret.trim()], secret);
    for (const key of ["ключ", "key-ß", "a b"]) assert.equal(await enter(key, "secret"), REFUSED, key);
  });

  it("rejects blanks and invisible characters in both", async () => {
    for (const bad of ["a b", "a\tb", "a\u0000b", "a\u200bb", "a\u2028b", "a\u00a0b", "a\ud800b"]) {
      assert.equal(await enter(bad, "secret"), REFUSED, JSON.stringify(bad));
      assert.equal(await enter("key", bad), REFUSED, JSON.stringify(bad));
    }
  });
});
