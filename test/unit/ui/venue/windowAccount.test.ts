import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Account, practiceAccount } from "../../../../src/market/account.ts";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { HollowStore, loadUi, shownMessages } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const { WindowAccount } = await loadUi(() => import("../../../../src/ui/venue/windowAccount.ts"));
const { openLive } = await loadUi(() => import("../../../../src/ui/venue/liveVenue.ts"));
const { CredentialStore } = await loadUi(() => import("../../../../src/ui/venue/credentialStore.ts"));
const { accountText } = await loadUi(() => import("../../../../src/ui/text/accountText.ts"));

const profile = {
  baseUrl: "http://127.0.0.1:9",
  headerPrefix: "X-SVC-",
  paths: {},
  walletMethod: "auto",
  symbolOrder: "quoteFirst",
};

describe("the account of a window", () => {
  let storage: string;
  beforeEach(() => void (storage = temporaryFolder()));

  async function open(memento = new HollowStore(), opens: (account: Account) => void = () => undefined) {
    let isBegun = false;
    const store = new CredentialStore(new HollowStore() as never);
    const desk: Awaited<ReturnType<typeof openTestDesk>> = await openTestDesk({
      storage,
      openVenue: async (account) => {
        if (isBegun) opens(account);
        return openLive(store, desk.accounts, account);
      },
      venue: "live",
    });
    const own = new WindowAccount(desk, memento as never);
    isBegun = true;
    own.begin();
    afterTest(() => {
      own.dispose();
      desk.dispose();
    });
    return { desk, own, memento };
  }

  const nameOf = ({ venue }: Awaited<ReturnType<typeof open>>["desk"]): string | undefined =>
    venue.venue?.name;

  it("is its own, and a new window opens with the one chosen last", async () => {
    const one = await open();
    const [main, savings] = ["Main", "Savings"].map((label) => one.desk.accounts.add({ label, profile }));
    assert.ok(main && savings);
    one.own.choose(main);
    const other = await open();
    assert.equal(other.desk.venue.account.id, main.id);
    other.own.choose(savings);
    assert.deepEqual([one.desk.venue.account.id, other.desk.venue.account.id], [main.id, savings.id]);
    const reopened = await open(one.memento);
    assert.equal(reopened.desk.venue.account.id, main.id);
    assert.equal((await open()).desk.venue.account.id, savings.id);
  });

  it("is named by its host until it is renamed, and has a label also if there are several", async () => {
    const { desk, own } = await open();
    const host = "127.0.0.1:9";
    const main = desk.accounts.add({ label: host, profile });
    own.choose(main);
    const named = async (): Promise<unknown[]> => {
      await desk.venue.select(desk.accounts.get(main.id) ?? assert.fail());
      const { label, ref } = desk.venue.venue ?? assert.fail();
      return [nameOf(desk), label, accountText(ref, desk.accounts)];
    };
    assert.deepEqual(await named(), [host, undefined, host]);
    const savings = desk.accounts.add({ label: "Savings", profile });
    assert.deepEqual(await named(), [host, host, host]);
    desk.accounts.remove(savings.id);
    desk.accounts.edit(main.id, { label: "Main" });
    assert.deepEqual(await named(), [`Main · ${host}`, "Main", "Main"]);
  });

  it("is opened again if its address changed, and practice if it was removed", async () => {
    const { desk, own } = await open();
    const main = desk.accounts.add({ label: "Main", profile });
    own.choose(main);
    desk.accounts.edit(main.id, { profile: { ...profile, baseUrl: "http://127.0.0.1:8" } });
    assert.equal(desk.venue.state.kind, "opening");
    desk.accounts.remove(main.id);
    assert.deepEqual(desk.venue.account, practiceAccount);
  });

  it("is opened once at the start, and again only for a change of its own", async () => {
    const { desk, own, memento } = await open();
    const main = desk.accounts.add({ label: "Main", profile });
    const savings = desk.accounts.add({ label: "Savings", profile });
    own.choose(main);
    const opened: string[] = [];
    const other = await open(memento, (account) => opened.push(account.label));
    other.desk.accounts.edit(savings.id, { profile: { ...profile, headerPrefix: "X-NEW-" } });
    assert.deepEqual(opened, ["Main"]);
    for (let report = 0; report < 3; report += 1)
      other.desk.accounts.edit(main.id, { profile: { ...profile, headerPrefix: "X-NEW-" } });
    assert.deepEqual(opened, ["Main", "Main"]);
  });

  it("says so if a newer version of Bidside saved accounts, which cannot be used", async () => {
    const { desk, own } = await open();
    const main = desk.accounts.add({ label: "Main", profile });
    own.choose(main);
    writeFileSync(
      join(storage, "accounts", `account-${main.id}.json`),
      JSON.stringify({ version: 2, ...main }),
    );
    shownMessages.length = 0;
    const { desk: other } = await open();
    assert.equal(other.venue.account, practiceAccount);
    assert.match(shownMessages[0]?.text ?? "", /^Accounts of a newer version of Bidside: 1\./);
  });

  it("stays practice, whatever happens to the list", async () => {
    const { desk } = await open();
    const { state } = desk.venue;
    for (const label of ["Main", "Savings"]) desk.accounts.add({ label, profile });
    assert.equal(desk.venue.state, state);
    assert.equal(desk.venue.account, practiceAccount);
  });
});
