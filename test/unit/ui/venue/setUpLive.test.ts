import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { systemTimers } from "../../../../src/desk/time/timers.ts";
import type { VenueOpening } from "../../../../src/desk/venue.ts";
import { RefusedError, UnreadableAnswerError } from "../../../../src/exchange/errors.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import {
  HollowStore,
  loadUi,
  person,
  said,
  typed,
  userSettings,
  window,
} from "../../../support/fakes/vscode.ts";

const { CredentialStore } = await loadUi(() => import("../../../../src/ui/venue/credentialStore.ts"));
const { setUpLive } = await loadUi(() => import("../../../../src/ui/venue/setUpLive.ts"));

const ORIGIN = "https://api.example.com";

describe("setting up a live exchange", () => {
  let secrets: HollowStore;
  let memento: HollowStore;
  let client: FakeClient;
  let openings: VenueOpening[];

  beforeEach(() => {
    [secrets, memento, client, openings] = [new HollowStore(), new HollowStore(), new FakeClient(), []];
    said.length = 0;
    userSettings.clear();
  });
  afterEach(() => {
    typed.length = 0;
    userSettings.clear();
    person.choose = () => undefined;
  });

  /** Runs the command for a person who types the texts and leaves; returns the titles of inputs and picks. */
  async function visit(texts: readonly string[], begin?: string): Promise<string[]> {
    const before = said.length;
    typed.splice(0, typed.length, ...texts);
    await setUpLive(
      {
        createClient: (opening) => {
          openings.push(opening);
          return client;
        },
        timers: systemTimers,
        log: window.createOutputChannel(),
      },
      memento,
      new CredentialStore(secrets as never),
      begin,
    );
    return said.slice(before).flatMap(({ how, text }) => {
      if (how === "input box") return [text];
      return how === "choices" ? ["test"] : [];
    });
  }

  // U1
  it("asks for address, prefix, key and secret, and then tests with reads only", async () => {
    const opened = await visit([ORIGIN, "X-OWN-", "my-key", "my-secret"]);
    assert.deepEqual(opened, [
      "Live Exchange",
      "Header Prefix",
      `API Key for ${ORIGIN}`,
      `API Secret for ${ORIGIN}`,
      "test",
    ]);
    const [opening] = openings;
    assert.equal(opening?.profile.baseUrl.origin, ORIGIN);
    assert.equal(opening.profile.headerPrefix, "X-OWN-");
    const pair = await opening.credentials();
    assert.deepEqual([pair?.apiKey.reveal(), pair?.apiSecret.reveal()], ["my-key", "my-secret"]);
    assert.equal(client.calls.placeOrder, 0);
    assert.deepEqual([...userSettings], [], "Nothing is switched before the person chooses so.");
  });

  it("continues at the step that the person left, with the earlier answers", async () => {
    assert.deepEqual(await visit([ORIGIN]), ["Live Exchange", "Header Prefix"]);
    assert.deepEqual(await visit(["X-OWN-", "my-key"]), [
      "Header Prefix",
      `API Key for ${ORIGIN}`,
      `API Secret for ${ORIGIN}`,
    ]);
    assert.deepEqual(await visit(["my-secret"]), [`API Secret for ${ORIGIN}`, "test"]);
    assert.deepEqual(await visit([]), ["test"]);
    assert.equal(openings.at(-1)?.profile.headerPrefix, "X-OWN-");
  });

  it("keeps key and secret only in the secret storage, also the key of an unfinished set-up", async () => {
    await visit([ORIGIN, "X-SVC-", "my-key"]);
    await visit(["my-secret"]);
    const elsewhere = JSON.stringify([
      said,
      [...userSettings],
      memento.keys().map((key) => memento.get(key)),
    ]);
    assert.doesNotMatch(elsewhere, /my-key|my-secret/);
    assert.deepEqual(secrets.keys(), [`bidside.credentials.live:${ORIGIN}`]);
  });

  it("refuses text that cannot be right, and keeps a stored secret on Enter", async () => {
    assert.deepEqual(await visit(["http://api.example.com"]), ["Live Exchange"]);
    assert.deepEqual(await visit([ORIGIN, "no dash"]), ["Live Exchange", "Header Prefix"]);
    await visit(["X-SVC-", "my-key", "my-secret"]);
    assert.deepEqual(
      await visit(["", ""], "key"),
      ["Live Exchange"],
      "A step of the settings' exchange needs one.",
    );
    userSettings.set(settingKeys.baseUrl, ORIGIN);
    assert.deepEqual(await visit(["", ""], "key"), [
      `API Key for ${ORIGIN}`,
      `API Secret for ${ORIGIN}`,
      "test",
    ]);
    const pair = await openings.at(-1)?.credentials();
    assert.equal(pair?.apiSecret.reveal(), "my-secret");
  });

  it("shows prices without a key if the field is left empty", async () => {
    assert.deepEqual(await visit([ORIGIN, "X-SVC-", ""]), [
      "Live Exchange",
      "Header Prefix",
      `API Key for ${ORIGIN}`,
      "test",
    ]);
    assert.deepEqual(secrets.keys(), []);
  });

  it("switches only by a separate choice, and then forgets the kept answers", async () => {
    person.choose = (offered) => offered.find((label) => label.includes("Switch to Live: api.example.com"));
    await visit([ORIGIN, "X-OWN-", "my-key", "my-secret"]);
    assert.deepEqual(Object.fromEntries(userSettings), {
      [settingKeys.headerPrefix]: "X-OWN-",
      [settingKeys.baseUrl]: ORIGIN,
      [settingKeys.venue]: "live",
    });
    assert.deepEqual(await visit([]), ["Live Exchange"]);
  });

  it("takes nothing of the exchange before to another address, and names what that lacks", async () => {
    userSettings.set(settingKeys.baseUrl, "https://old.example.com");
    userSettings.set(settingKeys.paths, { wallet: "/old/wallet" });
    userSettings.set(settingKeys.symbolOrder, "baseFirst");
    const depth = { method: "GET", path: "/old/depth", envelope: "A" };
    userSettings.set(settingKeys.features, { depth });
    const labels: string[] = [];
    person.choose = (offered) => {
      labels.push(...offered);
      return offered.find((label) => label.includes("Switch to Live: api.example.com"));
    };
    await visit([ORIGIN, "X-OWN-", "my-key", "my-secret"], "address");
    assert.ok(labels.some((label) => label.includes("Import Exchange Profile")));
    const { profile } = openings.at(-1) ?? assert.fail();
    assert.deepEqual([profile.features, profile.symbolOrder], [{}, "quoteFirst"]);
    assert.equal(profile.endpoints.wallet.path, "/api/market/wallet");
    for (const key of [settingKeys.paths, settingKeys.features])
      assert.equal(userSettings.get(key), undefined);
    assert.equal(userSettings.get(settingKeys.baseUrl), ORIGIN);
  });

  it("reads a market with its own order of symbols at one click", async () => {
    client.tickersAnswer = () =>
      Promise.reject(new UnreadableAnswerError("tickers", "symbolOrder", 200, "base first"));
    let times = 0;
    person.choose = (offered) => {
      const mend = offered.find((label) => label.includes("Read Pairs in the Other Order"));
      return mend !== undefined && times++ === 0 ? mend : undefined;
    };
    await visit([ORIGIN, "X-OWN-", "my-key", "my-secret"]);
    assert.equal(openings.at(-1)?.profile.symbolOrder, "baseFirst");
  });

  it("leads from a wrong secret to the step that corrects the secret, and keeps the key", async () => {
    client.walletAnswer = () => Promise.reject(new RefusedError("wallet", { code: 6, httpStatus: 200 }));
    let times = 0;
    person.choose = (offered) => {
      const mend = offered.find((label) => label.includes("Enter the API Secret"));
      return mend !== undefined && times++ === 0 ? mend : undefined;
    };
    const opened = await visit([ORIGIN, "X-SVC-", "my-key", "wrong-secret", "my-secret"]);
    assert.deepEqual(opened.slice(3), [
      `API Secret for ${ORIGIN}`,
      "test",
      `API Secret for ${ORIGIN}`,
      "test",
    ]);
    const pair = await openings.at(-1)?.credentials();
    assert.deepEqual([pair?.apiKey.reveal(), pair?.apiSecret.reveal()], ["my-key", "my-secret"]);
  });
});
