import assert from "node:assert/strict";
import type { Account } from "../../../../src/market/account.ts";
import { pairOf } from "../../../support/builders/client.ts";
import { type DeskWindow, DeskWindows } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { accountOfKind, FakeClient } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";

const savings: Account = { id: "2".repeat(16), label: "Savings", kind: "live" };
const inBackground = { focused: false, active: false };

describe("windows with different accounts", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  beforeEach(() => {
    machine = new DeskWindows();
    timers = new FakeTimers();
  });
  afterEach(() => machine.close());

  const open = (account: Account, client: FakeClient): Promise<DeskWindow> =>
    machine.open({ client, timers, account, credentials: pairOf("key", "secret"), window: inBackground });

  async function openBoth() {
    const [main, other] = [new FakeClient(), new FakeClient()];
    const ofMain = [await open(accountOfKind.live, main), await open(accountOfKind.live, main)] as const;
    const ofSavings = [await open(savings, other), await open(savings, other)] as const;
    return { main, other, ofMain, ofSavings };
  }
  const readersOf = (windows: readonly DeskWindow[]): boolean[] =>
    windows.map((window) => window.windows.actsForAccount());
  const polls = ({ calls }: FakeClient): number[] => [calls.tickers, calls.wallet];

  it("poll and follow each account in one window, in front or not", async () => {
    const { main, other, ofMain, ofSavings } = await openBoth();
    assert.deepEqual(readersOf(ofMain), [true, false]);
    assert.deepEqual(readersOf(ofSavings), [true, false]);
    await timers.advance(20_000);
    assert.deepEqual(polls(main), polls(other));
    ofSavings[0].dispose();
    await waitFor("the takeover", () => ofSavings[1].windows.actsForAccount());
    assert.deepEqual(readersOf(ofMain), [true, false]);
  });

  it("stay as they are when another one switches its account", async () => {
    const { ofMain, ofSavings } = await openBoth();
    const [leader, switched] = ofMain;
    const roles: string[] = [];
    for (const { windows } of [leader, ...ofSavings]) windows.onDidChangeRole((role) => roles.push(role));
    await switched.venue.select(savings);
    await waitFor("the window to follow", () => switched.windows.role === "follower");
    assert.deepEqual(roles, []);
    assert.equal(leader.windows.hasFollowers, false);
    await leader.venue.select(savings);
    await waitFor("the window to follow", () => leader.windows.role === "follower");
    assert.deepEqual(readersOf([...ofMain, ...ofSavings]), [false, false, true, false]);
  });

  it("take over an account when its polling window switches to another one", async () => {
    const { ofMain, main } = await openBoth();
    const [leader, follower] = ofMain;
    await leader.venue.select(savings);
    await waitFor("the takeover", () => follower.windows.actsForAccount());
    const before = main.calls.wallet;
    await timers.advance(120_000);
    assert.ok(main.calls.wallet > before);
  });

  it("announce records to all windows", async () => {
    const { ofMain, ofSavings } = await openBoth();
    const windows = [...ofMain, ...ofSavings];
    const receivers = new Set<DeskWindow>();
    for (const window of windows)
      window.allWindows.onDidReceive(({ type }) => type === "linesChanged" && receivers.add(window));
    // A leader that a busy computer suspends is replaced, and what is sent meanwhile is lost.
    await waitFor("the other windows", () => {
      ofSavings[1].allWindows.publish({ type: "linesChanged" });
      return receivers.size === 3;
    });
  });
});
