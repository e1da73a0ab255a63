import assert from "node:assert/strict";
import { Event } from "../../../../src/desk/event.ts";
import { shareRecords } from "../../../../src/desk/windows/recordSync.ts";
import { openOrderJournal } from "../../../../src/storage/orders/orderJournal.ts";
import { bidIntent } from "../../../support/builders/bidIntent.ts";
import { DeskWindows } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("records that all windows write to", () => {
  let machine: DeskWindows;
  const timers = new FakeTimers();
  beforeEach(() => {
    machine = new DeskWindows();
  });
  afterEach(() => machine.close());

  async function open() {
    const window = await machine.open({ client: new FakeClient(), timers });
    const written = new Event<void>();
    const seen = { rereads: 0 };
    const reread = (): void => void (seen.rereads += 1);
    const stop = shareRecords(window.allWindows, "alertsChanged", { onDidWrite: written.add, reread });
    return { window, written, seen, stop };
  }

  it("are read again by the other windows after a write, and not by the writer", async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    second.written.fire();
    await waitFor("the others to read", () => first.seen.rereads === 1 && third.seen.rereads === 1);
    assert.equal(second.seen.rereads, 0);
    first.window.allWindows.publish({ type: "ordersChanged" });
    third.stop();
    second.written.fire();
    await waitFor("the other to read", () => first.seen.rereads === 2);
    assert.deepEqual([second.seen.rereads, third.seen.rereads], [0, 1]);
  });

  it("are reloaded by all others when a window leaves, because it may have been killed before announcing them", async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    third.window.dispose();
    await waitFor("the others to read", () => first.seen.rereads === 1 && second.seen.rereads === 1);
  });

  it("are read again by the next leader", async () => {
    const [first, second] = [await open(), await open()];
    first.window.dispose();
    await waitFor("the takeover", () => second.window.allWindows.role === "leader");
    assert.ok(second.seen.rereads > 0);
  });

  it("are read again by the others when a window joins, because it may have found new records", async () => {
    const first = await machine.open({ client: new FakeClient(), timers });
    await first.orders.reread();
    const journal = openOrderJournal({ directory: first.ordersFolder, now: timers.now });
    journal.recordIntent(bidIntent({ at: timers.now() }));
    journal.close();
    assert.equal(first.orders.own.length, 0);
    await machine.open({ client: new FakeClient(), timers });
    await waitFor("the first window to show the order", () => first.orders.own.length === 1);
  });
});
