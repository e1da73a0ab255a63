import assert from "node:assert/strict";
import type { Desk } from "../../../../src/desk/desk.ts";
import { Secret } from "../../../../src/exchange/signing/credentials.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import { FakeClient, liveAccount, openVenue } from "../../../support/fakes/venue.ts";
import { HollowStore, loadUi, person, shownMessages, typed } from "../../../support/fakes/vscode.ts";

const { CredentialStore } = await loadUi(() => import("../../../../src/ui/venue/credentialStore.ts"));
const { editAccount, removeAccount, renameAccount } = await loadUi(
  () => import("../../../../src/ui/venue/accountCommands.ts"),
);

describe("an account command", () => {
  beforeEach(() => {
    shownMessages.length = typed.length = 0;
    person.choose = () => undefined;
  });

  async function open() {
    const accounts = accountsOf([{ id: liveAccount.id, label: "Main", profile: {} }]);
    const venue = await openVenue(new FakeClient());
    const log = { error: (text: string) => assert.fail(text) };
    const secrets = new HollowStore();
    const store = new CredentialStore(secrets as never);
    const origin = "https://api.example.com";
    const pair = { apiKey: new Secret("key"), apiSecret: new Secret("secret") };
    await store.save({ account: liveAccount.id, origin }, pair);
    return { desk: { accounts, venue, log } as unknown as Desk, accounts, venue, secrets, store };
  }

  it("renames the live account of the window, to a name of its own", async () => {
    const { desk, accounts, venue } = await open();
    accounts.add({ label: "Savings", profile: {} });
    await venue.select(liveAccount);
    typed.push("Savings");
    await renameAccount(desk);
    assert.equal(accounts.get(liveAccount.id)?.label, "Savings 2");
  });

  it("removes the live account with its key after a yes, and says what stays", async () => {
    const { desk, accounts, venue, secrets, store } = await open();
    await venue.select(liveAccount);
    await removeAccount(desk, store);
    assert.deepEqual([accounts.live.length, secrets.keys().length], [1, 1]);
    person.choose = ([button]) => button;
    await removeAccount(desk, store);
    assert.deepEqual([accounts.live, secrets.keys()], [[], []]);
    const question = shownMessages.find(({ how }) => how === "warning");
    assert.match(question?.more ?? "", /Recorded orders, fills and alerts stay/);
  });

  it("leaves the practice account alone", async () => {
    const { desk, accounts, store } = await open();
    person.choose = () => undefined;
    await editAccount(desk);
    await renameAccount(desk);
    await removeAccount(desk, store);
    assert.equal(accounts.live.length, 1);
    assert.deepEqual(
      shownMessages.map(({ text }) => text),
      Array.from({ length: 3 }, () => "The practice account cannot be edited, renamed or removed."),
    );
  });
});
