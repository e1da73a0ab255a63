import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
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
    const orders = openOrders(temporaryFolder(), timers, randomUUID);
    afterTest(() => orders.close());
    const stored: string[] = [];
    const enter = (key: string, save = async () => void stored.push(key)) =>
      askAboutOwner(orders)(liveAccount, new Secret(key), save);
    const isUsed = async (key: string) =>
      await orders.admitsKey(liveAccount, await orders.digestOf(new Secret(key)));
    return { enter, stored, isUsed };
  }

  it("is stored without a question if it is the first one, or the last one again", async () => {
    const { enter, stored, isUsed } = open();
    assert.equal(await enter("first"), true);
    assert.equal(await enter("first"), true);
    assert.deepEqual([stored, shownMessages], [["first", "first"], []]);
    assert.equal(await isUsed("first"), true);
    assert.equal(await isUsed("second"), false);
  });

  it("is stored and used instead of another one only if the user says that it is of the same account", async () => {
    const { enter, stored, isUsed } = open();
    await enter("first");
    person.choose = () => undefined;
    assert.equal(await enter("second"), false);
    assert.deepEqual([stored, await isUsed("second")], [["first"], false]);
    person.choose = ([same]) => same;
    assert.equal(await enter("second"), true);
    assert.deepEqual([stored.at(-1), await isUsed("second"), await isUsed("first")], ["second", true, false]);
    assert.equal(shownMessages.filter(({ how }) => how === "warning").length, 2);
  });

  it("replaces nothing if it could not be stored", async () => {
    const { enter, isUsed } = open();
    await enter("first");
    person.choose = ([same]) => same;
    await assert.rejects(enter("second", () => Promise.reject(new Error("locked"))));
    assert.deepEqual([await isUsed("first"), await isUsed("second")], [true, false]);
  });
});
