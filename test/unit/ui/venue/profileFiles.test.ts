import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingKeys } from "../../../../src/contributions.ts";
import { readProfile } from "../../../../src/exchange/profile.ts";
import { practiceProfile } from "../../../../src/practice/http/profile.ts";
import { loadUi, person, shownMessages, userSettings, window } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { exportProfile, importProfile } = await loadUi(
  () => import("../../../../src/ui/venue/profileFiles.ts"),
);

const { profileSetting } = await loadUi(() => import("../../../../src/ui/settings.ts"));

const IMPORT = "Import Profile";
const openOrders = { method: "GET", path: "/orders", envelope: "B" };
const profile = {
  bidsideProfile: 1,
  name: "An exchange",
  baseUrl: "https://api.example.com/v2",
  headerPrefix: "X-EXAMPLE-",
  features: { openOrders },
};

describe("profile files", () => {
  let folder: string;
  const log = window.createOutputChannel();

  beforeEach(() => {
    folder = temporaryFolder();
    person.file = join(folder, "profile.json");
    person.choose = () => undefined;
    shownMessages.length = 0;
    userSettings.clear();
  });
  afterEach(() => {
    person.file = undefined;
    person.choose = () => undefined;
    userSettings.clear();
  });

  /** Imports a file for a user who chooses the button. Returns the messages shown. */
  async function visit(file: unknown, button = IMPORT): Promise<typeof shownMessages> {
    const text = typeof file === "string" ? file : JSON.stringify(file);
    writeFileSync(person.file ?? assert.fail(), text);
    person.choose = (offered) => offered.find((each) => each === button);
    await importProfile(log);
    return shownMessages.filter(({ how }) => how !== "log");
  }

  it("are imported into the settings after one native confirmation", async () => {
    userSettings.set(settingKeys.walletMethod, "GET");
    const [dialog, done] = await visit(profile);
    assert.equal(dialog?.how, "warning");
    assert.equal(dialog.text, "Use the exchange profile for api.example.com?");
    assert.match(dialog.more, /"modal":true/);
    assert.equal(done?.text, "The profile for api.example.com was imported.");
    assert.deepEqual(Object.fromEntries(userSettings), {
      [settingKeys.baseUrl]: profile.baseUrl,
      [settingKeys.headerPrefix]: profile.headerPrefix,
      [settingKeys.walletMethod]: "auto",
      [settingKeys.features]: profile.features,
    });
  });

  it("say which host they use and what they turn on and off", async () => {
    userSettings.set(settingKeys.baseUrl, "https://old.example");
    userSettings.set(settingKeys.features, { depth: { ...openOrders, path: "/depth" }, openOrders });
    const [dialog] = await visit(profile, "Cancel");
    const { detail } = (JSON.parse(dialog?.more ?? "[]") as [{ detail: string }])[0];
    assert.match(detail, /^Name in the file: An exchange$/m);
    assert.match(detail, /^Address: https:\/\/api\.example\.com\/v2$/m);
    assert.match(detail, /^It turns on: Open orders\.$/m);
    assert.match(detail, /^It turns off: Order book\.$/m);
    assert.match(detail, /^You stay on the practice exchange until you switch\.$/m);
    assert.match(detail, /no API key/);
  });

  it("name every unusual path and its method, and the one host that requests go to", async () => {
    const [dialog] = await visit(
      {
        ...profile,
        walletMethod: "POST",
        paths: { wallet: "/practice/reset", placeBid: "/api/v3/market/place-bid" },
      },
      "Cancel",
    );
    const { detail } = (JSON.parse(dialog?.more ?? "[]") as [{ detail: string }])[0];
    assert.match(detail, /go to api\.example\.com and no other host/);
    assert.match(detail, /^ +wallet: POST \/practice\/reset$/m);
    assert.doesNotMatch(detail, /place-bid|serverTime/);
  });

  it("name every host that gets the API key, also that of the private stream", async () => {
    const privateStream = { path: "/v3/private", host: "stream.example.com" };
    const [dialog] = await visit({ ...profile, features: { privateStream } }, "Cancel");
    const { detail } = (JSON.parse(dialog?.more ?? "[]") as [{ detail: string }])[0];
    assert.match(
      detail,
      /^All requests go to api\.example\.com\. .* stream\.example\.com, .* your API key\.$/m,
    );
    assert.doesNotMatch(detail, /no other host/);
  });

  it("say that they take effect immediately on a live exchange", async () => {
    userSettings.set(settingKeys.venue, "live");
    const [dialog] = await visit({ ...profile, features: {} }, "Cancel");
    assert.match(dialog?.more ?? "", /takes effect immediately/);
    assert.match(dialog?.more ?? "", /It turns on no features beyond prices, balance and buying/);
  });

  it("never switch to the live exchange, and write the address after everything else", async () => {
    await visit({ ...profile, symbolOrder: "baseFirst", paths: { wallet: "/w" } });
    assert.equal(userSettings.get(settingKeys.venue), undefined);
    assert.equal([...userSettings.keys()].at(-1), settingKeys.baseUrl);
  });

  it("change nothing without the confirmation", async () => {
    assert.equal((await visit(profile, "Cancel")).length, 1);
    assert.equal(userSettings.size, 0);
  });

  const refused: [what: string, file: unknown, text: RegExp][] = [
    ["a key", { ...profile, apiKey: "k" }, /apiKey is not part of a profile/],
    ["an address in the clear", { ...profile, baseUrl: "http://api.example.com" }, /https:\/\//],
    ["an unknown capability", { ...profile, features: { withdraw: openOrders } }, /withdraw in the features/],
    [
      "a capability of another host",
      { ...profile, features: { depth: { ...openOrders, path: "//a.b/c" } } },
      /depth\.path/,
    ],
    [
      "bids at the path of orders to sell",
      { ...profile, paths: { placeBid: "/api/market/place-ask" } },
      /placeBid and placeAsk have the same path/,
    ],
    ["no JSON", "{", /not JSON/],
    ["no profile", "{}", /bidsideProfile/],
    ["more than 64 KB", `"${"x".repeat(70_000)}"`, /larger than 64 KB/],
  ];
  for (const [what, file, text] of refused) {
    it(`with ${what} are rejected before any confirmation, and change nothing`, async () => {
      const [message, ...more] = await visit(file);
      assert.deepEqual([message?.how, more, userSettings.size], ["error", [], 0]);
      assert.match(message?.text ?? "", text);
    });
  }

  it("that are unreadable change nothing", async () => {
    person.file = join(folder, "missing.json");
    await importProfile(log);
    assert.deepEqual([shownMessages.filter(({ how }) => how === "error").length, userSettings.size], [1, 0]);
  });

  it("do nothing if the dialog is closed", async () => {
    person.file = undefined;
    await importProfile(log);
    await exportProfile(log);
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "warning"),
      [],
    );
  });

  it("are exported without a key, and can be imported again", async () => {
    await visit(profile);
    await exportProfile(log);
    const text = readFileSync(person.file ?? assert.fail(), "utf8");
    assert.deepEqual(JSON.parse(text), {
      bidsideProfile: 1,
      baseUrl: profile.baseUrl,
      headerPrefix: profile.headerPrefix,
      paths: {
        serverTime: "/api/servertime",
        tickers: "/api/market/ticker",
        wallet: "/api/market/wallet",
        placeBid: "/api/market/place-bid",
      },
      walletMethod: "auto",
      symbolOrder: "quoteFirst",
      features: profile.features,
    });
    const before = Object.fromEntries(userSettings);
    userSettings.clear();
    await visit(text);
    assert.equal(userSettings.get(settingKeys.baseUrl), before[settingKeys.baseUrl]);
    assert.deepEqual(userSettings.get(settingKeys.features), before[settingKeys.features]);
  });

  it("that cannot be written are named in a message that offers the log, which has the reason", async () => {
    await visit(profile);
    person.file = folder;
    await exportProfile(log);
    const { text, more } = shownMessages.findLast(({ how }) => how === "error") ?? assert.fail();
    assert.match(
      text,
      /^The profile could not be written to .*\. Close it if another program uses it, or choose another folder\.$/,
    );
    assert.match(more, /Show Log/);
    assert.match(
      shownMessages.findLast(({ how }) => how === "log")?.text ?? "",
      /^Export Exchange Profile: ./,
    );
  });

  it("turn on every capability of the practice exchange", async () => {
    const practice = practiceProfile("https://api.example.com/v2");
    const [dialog] = await visit(practice);
    assert.match(dialog?.more ?? "", /It turns on: [^.]*Sell orders/);
    const read = readProfile(profileSetting());
    assert.ok(!Array.isArray(read), JSON.stringify(read));
    assert.deepEqual(Object.keys(read.features).sort(), Object.keys(practice.features).sort());
  });

  it("are not exported before a live exchange is set up", async () => {
    await exportProfile(log);
    assert.match(
      shownMessages.find(({ how }) => how === "error")?.text ?? "",
      /No live exchange is set up yet/,
    );
  });
});
