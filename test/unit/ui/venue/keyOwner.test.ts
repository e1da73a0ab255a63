import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "../../../../src/market/account.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import { Secret } from "../../../../src/exchange/signing/credentials.ts";
import { liveAccount } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";
import { openOrders } from "../../../support/builders/orderDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { afterTest } from "../../../support/afterTest.ts";

const { askAboutOwner } = await loadUi(() => import("../../../../src/ui/venue/keyOwner.ts"));

describe("an API key that is entered for an account", () => {
  beforeEach(() => void (shownMessages.length = 0));

  function open() {
    const timers = new FakeTimers();
    const directory = temporaryFolder();
    const orders = openOrders(directory, timers, randomUUID);
    afterTest(() => orders.close());
    const accounts = accountsOf([
      { id: liveAccount.id, label: liveAccount.label, profile: { headerPrefix: "X-A-" } },
    ]);
    const stored: [key: string, account: string][] = [];
    const chosen: Account[] = [];
    const windowAccount = { choose: (account: Account) => void chosen.push(account) };
    const enterFor = (
      account: Account,
      key: string,
      save = async ({ id }: Account): Promise<void> => void stored.push([key, id]),
    ) => askAboutOwner({ orders, accounts, windowAccount })(account, new Secret(key), save);
    const enter = (key: string, save?: () => Promise<void>) => enterFor(liveAccount, key, save);
    const isUsed = async (key: string, account = liveAccount) =>
      await orders.admitsKey(account, await orders.digestOf(new Secret(key)));
    return { directory, accounts, chosen, enter, enterFor, stored, isUsed };
  }

  it("is stored without a question if it is the first one, or the last one again", async () => {
    const { enter, stored, isUsed } = open();
    assert.equal(await enter("first"), liveAccount);
    assert.equal(await enter("first"), liveAccount);
    assert.deepEqual(stored, [
      ["first", liveAccount.id],
      ["first", liveAccount.id],
    ]);
    assert.deepEqual(shownMessages, []);
    assert.equal(await isUsed("first"), true);
    assert.equal(await isUsed("second"), false);
  });

  it("is not used without being entered while a file that may name another one cannot be read", async () => {
    const { directory, enter, isUsed } = open();
    const unreadable = join(directory, "orders-2026-11-1-ffffffffffffffff.log");
    mkdirSync(unreadable);
    assert.equal(await isUsed("first"), false);
    await enter("first");
    assert.equal(await isUsed("first"), true);
    const other = { ...liveAccount, id: "2".repeat(16) };
    assert.equal(await isUsed("second", other), false);
    rmdirSync(unreadable);
    assert.equal(await isUsed("second", other), true);
  });

  it("is stored and used instead of another one only if the user says that it is of the same account", async () => {
    const { accounts, enter, stored, isUsed } = open();
    await enter("first");
    person.choose = () => undefined;
    assert.equal(await enter("second"), undefined);
    assert.deepEqual([stored.length, await isUsed("second")], [1, false]);
    person.choose = ([same]) => same;
    assert.equal(await enter("second"), liveAccount);
    assert.deepEqual([stored.at(-1), await isUsed("first")], [["second", liveAccount.id], false]);
    assert.equal(await isUsed("second"), true);
    assert.equal(shownMessages.filter(({ how }) => how === "warning").length, 2);
    assert.equal(accounts.live.length, 1);
  });

  it("is that of a new account with the same profile if the user says that it is of another account", async () => {
    const { accounts, chosen, enter, stored, isUsed } = open();
    await enter("first");
    person.choose = ([, another]) => another;
    const owner = (await enter("second")) ?? assert.fail();
    const added = accounts.live.find(({ id }) => id === owner.id) ?? assert.fail();
    assert.deepEqual([added.label, added.profile["headerPrefix"]], [`${liveAccount.label} 2`, "X-A-"]);
    assert.deepEqual([chosen.map(({ id }) => id), stored.at(-1)], [[owner.id], ["second", owner.id]]);
    assert.deepEqual(
      [await isUsed("first"), await isUsed("second"), await isUsed("second", added)],
      [true, false, true],
    );
    // The answer is taken back: the key becomes that of the first account.
    accounts.remove(added.id);
    person.choose = ([same]) => same;
    assert.equal(await enter("second"), liveAccount);
    assert.equal(await isUsed("second"), true);
  });

  it("is not added a second time if it is the key of another account at the same address", async () => {
    const { accounts, chosen, enter, enterFor, stored } = open();
    await enter("first");
    const twin = accounts.add({ label: "Twin", profile: {} });
    const away = accounts.add({ label: "Away", profile: { baseUrl: "https://other.example" } });
    await enterFor(twin, "second");
    await enterFor(away, "third");
    person.choose = ([, another]) => another;
    assert.equal((await enter("second"))?.id, twin.id);
    assert.deepEqual([chosen.at(-1)?.id, stored.at(-1)], [twin.id, ["second", twin.id]]);
    assert.equal(accounts.live.length, 3);
    const added = (await enter("third")) ?? assert.fail();
    assert.notEqual(added.id, away.id, "its key belongs to another address");
    assert.equal(accounts.live.length, 4);
    accounts.remove(twin.id);
    assert.equal((await enter("second"))?.id, twin.id, "the records of a removed account continue");
  });

  it("continues the records of a removed account whose last key it was, but of no other", async () => {
    const { accounts, enter, enterFor } = open();
    await enter("first");
    const added = { id: accounts.newId(), label: "New", kind: "live" } as const;
    assert.equal(await enterFor(added, "first"), added, "the first account still exists");
    accounts.remove(liveAccount.id);
    const next = { ...added, id: accounts.newId() };
    assert.equal((await enterFor(next, "other"))?.id, next.id);
    const last = { ...added, id: accounts.newId() };
    assert.equal((await enterFor(last, "other"))?.id, next.id);
    assert.deepEqual(shownMessages, []);
  });

  it("replaces nothing and adds nothing if it could not be stored", async () => {
    const { accounts, enter, isUsed } = open();
    await enter("first");
    for (const answer of [0, 1]) {
      person.choose = (offered) => offered[answer];
      await assert.rejects(enter("second", () => Promise.reject(new Error("locked"))));
      assert.deepEqual(
        [await isUsed("first"), await isUsed("second"), accounts.live.length],
        [true, false, 1],
      );
    }
  });
});
