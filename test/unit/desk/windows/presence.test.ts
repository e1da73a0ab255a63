import assert from "node:assert/strict";
import { Presence } from "../../../../src/desk/windows/presence.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";

describe("the user at a window", () => {
  function watched(isActive: boolean) {
    const timers = new FakeTimers();
    const presence = new Presence(timers, isActive);
    const changes: boolean[] = [];
    presence.onDidChange((isPresent) => changes.push(isPresent));
    return { timers, presence, changes };
  }

  it("lasts as long as the editor reports activity", () => {
    const { presence, changes } = watched(true);
    assert.equal(presence.isPresent, true);
    for (const isActive of [true, false, false, true]) presence.setActive(isActive);
    assert.deepEqual(changes, [false, true]);
  });

  it("lasts for a minute after input in a page of Bidside, which the editor does not count", async () => {
    const { presence, changes, timers } = watched(false);
    presence.noteInput();
    await timers.advance(40_000);
    presence.noteInput();
    await timers.advance(59_999);
    assert.deepEqual([presence.isPresent, changes], [true, [true]]);
    await timers.advance(1);
    assert.deepEqual([presence.isPresent, changes], [false, [true, false]]);
  });

  it("continues while a page is used, also if the editor reports no activity", async () => {
    const { presence, changes, timers } = watched(true);
    presence.noteInput();
    presence.setActive(false);
    assert.deepEqual(changes, []);
    await timers.advance(60_000);
    assert.deepEqual(changes, [false]);
  });

  it("sets no timer after it is disposed of", () => {
    const { presence, timers } = watched(true);
    presence.noteInput();
    presence.dispose();
    assert.equal(timers.nextIn, undefined);
  });
});
