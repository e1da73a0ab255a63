import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AccountList } from "../../../../src/desk/accounts/accountList.ts";
import { draftOf, readProfile } from "../../../../src/exchange/profile.ts";
import { practiceProfile } from "../../../../src/practice/http/profile.ts";
import { type Account, practiceAccount } from "../../../../src/market/account.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import { loadUi, person, shownMessages, window } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { exportProfile, importProfile } = await loadUi(
  () => import("../../../../src/ui/venue/profileFiles.ts"),
);

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
  let accounts: AccountList;
  /** The account of the window. */
  let current: Account;
  const windowAccount = { choose: (account: Account) => void (current = account) };
  const desk = () => ({ accounts, venue: { account: current }, log: window.createOutputChannel() }) as never;

  beforeEach(() => {
    folder = temporaryFolder();
    person.file = join(folder, "profile.json");
    person.choose = () => undefined;
    shownMessages.length = 0;
    accounts = accountsOf();
    current = practiceAccount;
  });
  afterEach(() => {
    person.file = undefined;
    person.choose = () => undefined;
  });

  /** The window is on a live account with this profile. */
  function beOn(given: Readonly<Record<string, unknown>>): void {
    current = accounts.add({ label: "Main", profile: given });
  }

  /** Imports a file for a user who chooses the button. Returns the messages shown. */
  async function visit(file: unknown, button = IMPORT): Promise<typeof shownMessages> {
    const text = typeof file === "string" ? file : JSON.stringify(file);
    writeFileSync(person.file ?? assert.fail(), text);
    person.choose = (offered) => offered.find((each) => each === button);
    await importProfile(desk(), windowAccount);
    return shownMessages.filter(({ how }) => how !== "log");
  }

  it("add an account after one native confirmation, and the window stays until its user switches", async () => {
    beOn({ baseUrl: "https://old.example" });
    const [dialog, done] = await visit(profile);
    assert.equal(dialog?.how, "warning");
    assert.equal(dialog.text, "Use the exchange profile for api.example.com?");
    assert.match(dialog.more, /"modal":true/);
    assert.match(
      dialog.more,
      /It adds a live account without an API key\. This window stays on its account\./,
    );
    assert.equal(done?.text, "The profile for api.example.com was imported.");
    const [added, old] = accounts.live;
    assert.deepEqual([old?.profile, current.id], [{ baseUrl: "https://old.example" }, old?.id]);
    assert.deepEqual([added?.label, added?.profile], ["api.example.com", draftOf(profile)]);
    person.choose = (offered) => offered.find((each) => each === IMPORT || each.startsWith("Switch to"));
    await importProfile(desk(), windowAccount);
    assert.equal(current.label, "api.example.com 2");
  });

  it("of the exchange of the window's account change this account, and say which host they use and what they turn on and off", async () => {
    const depth = { ...openOrders, path: "/depth" };
    const orderInfo = { ...openOrders, path: "/info" };
    beOn({ baseUrl: "https://api.example.com", walletMethod: "GET", features: { depth, orderInfo } });
    const file = { ...profile, features: { openOrders, orderInfo } };
    const [dialog] = await visit(file);
    const { detail } = (JSON.parse(dialog?.more ?? "[]") as [{ detail: string }])[0];
    assert.match(detail, /^Name in the file: An exchange$/m);
    assert.match(detail, /^Address: https:\/\/api\.example\.com\/v2$/m);
    assert.match(detail, /^It turns on: .*Open orders.*\.$/m);
    assert.match(detail, /^It turns off: Order book\.$/m);
    assert.match(
      detail,
      /^It replaces the address, paths and features of Main immediately\. The API key stays\.$/m,
    );
    assert.deepEqual(
      accounts.live.map((each) => [each.label, each.profile]),
      [["Main", draftOf(file)]],
    );
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

  it("change nothing without the confirmation", async () => {
    assert.equal((await visit(profile, "Cancel")).length, 1);
    assert.deepEqual(accounts.live, []);
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
      assert.deepEqual([message?.how, more, accounts.live], ["error", [], []]);
      assert.match(message?.text ?? "", text);
    });
  }

  it("that are unreadable change nothing", async () => {
    person.file = join(folder, "missing.json");
    await importProfile(desk(), windowAccount);
    assert.deepEqual([shownMessages.filter(({ how }) => how === "error").length, accounts.live], [1, []]);
  });

  it("do nothing if the dialog is closed", async () => {
    person.file = undefined;
    await importProfile(desk(), windowAccount);
    await exportProfile(desk());
    assert.deepEqual(
      shownMessages.filter(({ how }) => how === "warning"),
      [],
    );
  });

  it("are exported without a key or the name of the account, and can be imported again", async () => {
    const { name: _, ...given } = profile;
    beOn(given);
    await exportProfile(desk());
    const text = readFileSync(person.file ?? assert.fail(), "utf8");
    assert.deepEqual(JSON.parse(text), {
      ...given,
      paths: {},
      walletMethod: "auto",
      symbolOrder: "quoteFirst",
    });
    await visit(text);
    assert.deepEqual(accounts.live[0]?.profile, draftOf(given));
  });

  it("that cannot be written are named in a message that offers the log, which has the reason", async () => {
    beOn(profile);
    person.file = folder;
    await exportProfile(desk());
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
    const read = readProfile(draftOf(accounts.live[0]?.profile ?? {}));
    assert.ok(!Array.isArray(read), JSON.stringify(read));
    assert.deepEqual(Object.keys(read.features).sort(), Object.keys(practice.features).sort());
  });

  it("are not exported before a live exchange is set up", async () => {
    await exportProfile(desk());
    assert.match(
      shownMessages.find(({ how }) => how === "error")?.text ?? "",
      /No live exchange is set up yet/,
    );
  });
});
