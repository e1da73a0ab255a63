import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { type OperatingSystem, thisSystem } from "../../../src/files/operatingSystem.ts";
import { Hub } from "../../../src/hub/hub.ts";
import { Lease } from "../../../src/hub/lease.ts";
import type { Announcement, LeaderUpdate } from "../../../src/hub/protocol.ts";
import { addressOf, listenAt } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import { droppedBy, Hubs, demandOf, type HubEventLog } from "../../support/desks/hubs.ts";
import { waitFor } from "../../support/waitFor.ts";

const asked: LeaderUpdate = { type: "poll", subject: "market", venue: "practice", at: 1 };
const news: Announcement = { type: "alertsChanged" };

describe("the windows of one computer", () => {
  let hubs: Hubs;
  beforeEach(() => {
    hubs = new Hubs();
  });
  afterEach(() => hubs.close());

  const leaderOf = (windows: readonly HubEventLog[]): HubEventLog =>
    windows.find(({ hub }) => hub.role === "leader") ?? assert.fail("nobody leads");
  const settled = (windows: readonly HubEventLog[]): Promise<true> =>
    waitFor(
      "one leader that knows all other windows",
      () =>
        windows.every(({ hub }) => hub.role !== "joining") &&
        windows.some(({ hub }) => hub.role === "leader" && hub.followers.length === windows.length - 1),
    );

  it("have one leader, and all other windows follow", async () => {
    const first = await hubs.settled();
    const second = await hubs.settled();
    assert.deepEqual([first.roles, second.roles], [["leader"], ["follower"]]);
    assert.deepEqual([first.hub.checkLead(), second.hub.checkLead()], [true, false]);
  });

  it("have one leader when many windows open at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const machine = new Hubs();
      const windows = Array.from({ length: 16 }, () => machine.open());
      await settled(windows);
      assert.equal(windows.filter(({ hub }) => hub.checkLead()).length, 1);
      machine.close();
    }
  });

  for (const [what, make] of [
    ["a folder that others can enter", (path: string) => mkdirSync(path, { mode: 0o755 })],
    ["a file", (path: string) => writeFileSync(path, "")],
  ] as const) {
    it(`find each other when another user has made ${what} in place of their folder of sockets`, async function () {
      if (process.platform === "win32") return this.skip();
      const occupied = dirname(addressOf(loadOrCreateToken(hubs.directory), 1));
      make(occupied);
      try {
        const windows = Array.from({ length: 8 }, () => hubs.open());
        await settled(windows);
        const later = await hubs.settled();
        assert.equal(later.hub.role, "follower");
        const folder = dirname(addressOf(loadOrCreateToken(hubs.directory), 1));
        assert.notEqual(folder, occupied);
        const { mode } = statSync(folder);
        assert.equal(mode & 0o777, 0o700);
      } finally {
        rmSync(occupied, { recursive: true });
      }
    });
  }

  it("receive the leader's snapshots and send requests to the leader, which accepts no snapshot", async () => {
    const [leader, ...followers] = [await hubs.settled(), await hubs.settled(), await hubs.settled()];
    await settled([leader, ...followers]);
    leader.hub.publish(asked);
    await waitFor("both to receive it", () => followers.every(({ received }) => received.length === 1));
    assert.deepEqual(followers[0]?.received, [asked]);
    followers[0]?.hub.publish(asked);
    followers[0]?.hub.ask({ type: "refresh", subject: "balance" });
    await waitFor("the leader to receive the request", () => leader.received.length > 0);
    assert.deepEqual(leader.received, [{ type: "refresh", subject: "balance" }]);
    leader.hub.ask({ type: "refresh", subject: "balance" });
    assert.equal(droppedBy(leader), 0);
  });

  it("receive the announcements of all other windows", async () => {
    const windows = [await hubs.settled(), await hubs.settled(), await hubs.settled()];
    await settled(windows);
    for (const speaker of windows) {
      speaker.hub.publish(news);
      const others = windows.filter((each) => each !== speaker);
      await waitFor("the announcement", () => others.every(({ received }) => received.length === 1));
      assert.deepEqual(speaker.received, []);
      for (const { received } of others) assert.deepEqual(received.splice(0), [news]);
    }
  });

  it("also receive announcements that were made while there was no leader", async () => {
    const leader = await hubs.settled();
    const other = hubs.open();
    other.hub.publish(news);
    await waitFor("the announcement to arrive", () => leader.received.length === 1);
  });

  it("send their demands to the leader, which sends them its own", async () => {
    const leader = await hubs.settled({ venue: "practice" });
    const follower = await hubs.settled({ armed: true });
    assert.deepEqual(follower.hub.leader, demandOf({ venue: "practice" }));
    await settled([leader, follower]);
    assert.deepEqual(leader.hub.followers[0]?.demand, demandOf({ armed: true }));
    follower.hub.setDemand(demandOf({ visible: true }));
    leader.hub.setDemand(demandOf({ venue: "none" }));
    await waitFor("the change to arrive", () => leader.hub.followers[0]?.demand.visible);
    await waitFor("the leader's demand to arrive", () => follower.hub.leader?.venue === "none");
    leader.followers.at(-1)?.send(asked);
    await waitFor("an answer to that window alone", () => follower.received.length === 1);
    follower.hub.dispose();
    await waitFor("the window to be gone", () => leader.hub.followers.length === 0);
    assert.equal(leader.followers.at(-1), undefined);
  });

  it("get exactly one new leader as soon as the leader closes", async () => {
    const windows = [await hubs.settled(), await hubs.settled(), await hubs.settled(), await hubs.settled()];
    while (windows.length > 1) {
      const leader = leaderOf(windows);
      leader.hub.dispose();
      assert.equal(leader.hub.checkLead(), false);
      windows.splice(windows.indexOf(leader), 1);
      await settled(windows);
      assert.equal(windows.filter(({ hub }) => hub.checkLead()).length, 1);
    }
  });

  it("get a new leader at the moment when the old leader checks its lease", async () => {
    const old = await hubs.settled();
    const number = new Lease(hubs.directory).newest ?? 0;
    assert.ok(new Lease(hubs.directory).take(number + 1));
    assert.equal(old.hub.checkLead(), false);
  });

  describe("whose leader was blocked for too long", () => {
    let machine: Hubs;
    let stoppedMs: number;
    let lease: Lease;
    beforeEach(() => {
      stoppedMs = 0;
      machine = new Hubs(undefined, { ...monotonicTimers, now: () => performance.now() + stoppedMs });
      lease = new Lease(machine.directory);
    });
    afterEach(() => machine.close());

    it("keep the leader only after it took the number of a possible successor", async () => {
      const windows = [await machine.settled(), await machine.settled()] as const;
      const [leader, follower] = windows;
      await settled(windows);
      const number = lease.newest ?? 0;
      stoppedMs += 900;
      assert.equal(leader.hub.checkLead(), false);
      leader.hub.publish(asked);
      await waitFor("the leader to lead again", () => leader.hub.checkLead());
      assert.deepEqual([lease.take(number + 1), lease.newest], [false, number + 1]);
      leader.hub.publish(news);
      await waitFor("the other window to receive a message", () => follower.received.length > 0);
      assert.deepEqual([follower.received, follower.roles], [[news], ["follower"]]);
      await settled([...windows, await machine.settled()]);
      assert.equal(leader.hub.role, "leader");
    });

    it("are not led by the old leader while a successor has the next address", async () => {
      const leader = await machine.settled();
      const number = lease.newest ?? 0;
      const successor = await listenAt(loadOrCreateToken(machine.directory), number + 1);
      stoppedMs += 900;
      assert.equal(leader.hub.checkLead(), false);
      await waitFor("the leader to lead again", () => leader.hub.checkLead());
      assert.ok((lease.newest ?? 0) > number + 1, "with its own number");
      successor?.close();
    });
  });

  it("find each other again after their folder was deleted", async () => {
    const windows = [await hubs.settled(), await hubs.settled()];
    rmSync(hubs.directory, { recursive: true });
    await waitFor("the leader to notice the missing folder", () => windows[0]?.roles.includes("joining"));
    await settled(windows);
  });

  it("work alone if the folder takes no files: each window reads for itself, and reports why", async () => {
    const file = join(hubs.directory, "file");
    writeFileSync(file, "");
    const troubles: string[] = [];
    const roles: string[] = [];
    const events = {
      roleChanged: (role: string) => void roles.push(role),
      demandsChanged: () => undefined,
      received: () => undefined,
      warn: (what: string) => void troubles.push(what),
    };
    const alone = new Hub({
      directory: join(file, "hub"),
      demand: demandOf(),
      timers: monotonicTimers,
      events,
    });
    await waitFor("the window to lead itself", () => alone.checkLead());
    assert.deepEqual(roles, ["leader"]);
    assert.match(troubles[0] ?? "", /asks the exchange for itself: .*(ENOTDIR|EEXIST)/);
    alone.dispose();
    assert.equal(alone.checkLead(), false);
  });

  it("do not listen at a number that they could not take", async () => {
    const servers: Server[] = [];
    const os: OperatingSystem = {
      ...thisSystem,
      createServer: () => {
        const server = thisSystem.createServer();
        servers.push(server);
        return server;
      },
      files: {
        ...thisSystem.files,
        writeFileSync: (path, ...rest) => {
          if (path.includes("lead-")) throw new Error("no space left");
          thisSystem.files.writeFileSync(path, ...rest);
        },
      },
    };
    const alone = hubs.open({}, {}, os);
    await waitFor("the window to lead itself", () => alone.hub.checkLead());
    assert.match(alone.troubles[0] ?? "", /asks the exchange for itself: no space left/);
    assert.deepEqual(
      servers.map(({ listening }) => listening),
      [false],
    );
  });

  it("continue after an error in a window's handling of a message", async () => {
    const leader = await hubs.settled({}, { received: () => assert.fail("an error in the handler") });
    const follower = await hubs.settled();
    follower.hub.publish(news);
    await waitFor("the report", () => leader.troubles.includes("an error in the handler"));
    assert.equal(droppedBy(leader), 0);
    assert.equal(follower.hub.role, "follower");
  });
});
