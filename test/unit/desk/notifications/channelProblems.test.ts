import assert from "node:assert/strict";
import type { Channel, SendOutcome } from "../../../../src/desk/notifications/channel.ts";
import { alertFiring, type Firing } from "../../../../src/desk/notifications/firing.ts";
import { testAlert } from "../../../support/builders/testAlert.ts";
import { NotifiedWindows } from "../../../support/desks/notifiedWindows.ts";
import { DeskWindows } from "../../../support/desks/windows.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { waitFor } from "../../../support/waitFor.ts";

const refused: SendOutcome = { kind: "refused", problem: { kind: "status", status: 404 } };

/** A channel that is not limited. */
const channel = (answer: () => SendOutcome): Channel => ({
  id: "webhook",
  isOn: () => true,
  send: () => Promise.resolve(answer()),
});

function firing(number: number, at: number): Firing {
  const fired = { armedAt: number, at, price: 111, isSeen: false };
  return alertFiring(testAlert({ phase: "fired", fired })) ?? assert.fail();
}

describe("why a channel failed", () => {
  it("is known to every window, until the channel works in any of them", async () => {
    const windows = new NotifiedWindows();
    const { timers } = windows;
    let answer: SendOutcome = refused;
    const open = () => windows.open(() => [channel(() => answer)]).notifications;
    const [one, other] = [open(), open()];
    let changes = 0;
    other.onDidChange(() => (changes += 1));
    for (const number of [1, 2]) one.notify(firing(number, timers.now()));
    await timers.advance(61_000);
    const expected = [["webhook", refused.problem]];
    assert.deepEqual([[...one.problems], [...other.problems], changes], [expected, expected, 1]);
    const later = open();
    await timers.advance(0);
    assert.deepEqual([...later.problems], expected, "after a restart");
    answer = { kind: "sent" };
    other.notify(firing(3, timers.now()));
    await timers.advance(61_000);
    assert.deepEqual(
      [one, other, later].map(({ problems }) => problems.size),
      [0, 0, 0],
    );
  });

  it("is no longer shown once the user tested, or removed, the channel", async () => {
    const windows = new NotifiedWindows();
    const { timers } = windows;
    const { notifications } = windows.open(() => [channel(() => refused)]);
    notifications.notify(firing(1, timers.now()));
    await timers.advance(0);
    assert.equal(notifications.problems.size, 1);
    notifications.report("webhook", undefined);
    assert.equal(notifications.problems.size, 0);
  });

  it("reaches the other windows at once", async () => {
    const machine = new DeskWindows();
    try {
      const timers = new FakeTimers();
      const storage = temporaryFolder();
      const open = () =>
        machine.open({ client: new FakeClient(), timers, storage, channels: [channel(() => refused)] });
      const [one, other] = [await open(), await open()];
      one.notifications.notify(firing(1, timers.now()));
      await waitFor("the problem", () => other.notifications.problems.size === 1);
    } finally {
      await machine.close();
    }
  });
});
