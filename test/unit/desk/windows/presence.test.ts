import assert from "node:assert/strict";
import { Presence } from "../../../../src/desk/windows/presence.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

describe("the user at a window", () => {
  function watched(isActive: boolean) {
    const timers = new FakeTimers();
    const presence = new Presence(timers, isActive);
    const told: boolean[] = [];
    presence.onDidChange((isPresent) => told.push(isPresent));
    return { timers, presence, told };
  }

  it("lasts as long as the editor reports activity", () => {
    const { presence, told } = watched(true);
    assert.equal(presence.isPresent, true);
    for (const isActive of [true, false, false, true]) presence.setActive(isActive);
    assert.deepEqual(told, [false, true]);
  });

  it("lasts for a minute after input in a page of Bidside, which the editor does not count", async () => {
    const { presence, told, timers } = watched(false);
    presence.noteInput();
    await timers.advance(40_000);
    presence.noteInput();
    await timers.advance(59_999);
    assert.deepEqual([presence.isPresent, told], [true, [true]]);
    await timers.advance(1);
    assert.deepEqual([presence.isPresent, told], [false, [true, false]]);
  });

  it("continues while a page is used, also if the editor reports no activity", async () => {
    const { presence, told, timers } = watched(true);
    presence.noteInput();
    presence.setActive(false);
    assert.deepEqual(told, []);
    await timers.advance(60_000);
    assert.deepEqual(told, [false]);
  });

  it("sets no timer after it is disposed of", () => {
    const { presence, timers } = watched(true);
    presence.noteInput();
    presence.dispose();
    assert.equal(timers.nextIn, undefined);
  });
});
