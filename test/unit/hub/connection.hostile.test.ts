import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { frameOf, LARGEST_FRAME } from "../../../src/hub/frames.ts";
import { Lease } from "../../../src/hub/lease.ts";
import { addressOf, clearFolder, listenAt } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import {
  droppedBy,
  Hubs,
  demandOf,
  provenSocket,
  strangeSocket,
  type HubEventLog,
} from "../../support/desks/hubs.ts";
import { tickerOf } from "../../support/fakes/venue.ts";
import { roundsOf, seedOfRound } from "../../support/rounds.ts";
import { waitFor } from "../../support/waitFor.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const MALFORMED = 10_000;
const AT_ONCE = 50;

/** Invalid input: bytes that are not a frame, frames that are not a message, messages of the wrong direction. */
const short = fc.oneof(
  fc.uint8Array({ minLength: 8, maxLength: 300 }).map((bytes) => Buffer.concat([bytes, Buffer.from("{\n")])),
  fc.constant(Buffer.from("\n")),
  fc.string({ minLength: 1 }).map((text) => Buffer.from(`${text}{\n`)),
  fc.jsonValue().map(frameOf),
  fc
    .constantFrom(
      { type: "beat" },
      { type: "poll", subject: "market", venue: "practice", at: 1 },
      { type: "clock", venue: "practice", offset: 1, at: 1 },
      { type: "refresh", subject: "orders" },
      { type: "refresh", subject: "market", secret: "x" },
      { type: "demand", demand: { ...demandOf(), intervalMs: 0 } },
      { type: "demand", demand: { ...demandOf(), apiKey: "x" } },
      { type: "demand", demand: { ...demandOf(), venue: "https://api.example.com" } },
      { type: "alertFired", id: "../x", at: 1, last: 1 },
      { type: "alertFired", id: "x", at: "1", last: 1 },
      { type: "ordersChanged", __proto__: { type: "x" }, more: [] },
      JSON.parse('{"type":"ordersChanged","__proto__":{"polluted":true}}') as object,
    )
    .map(frameOf),
);

const malformed = fc.oneof(
  { weight: 100, arbitrary: short },
  { weight: 1, arbitrary: fc.constant(Buffer.alloc(LARGEST_FRAME + 1, " ")) },
);

/** The end of a connection; the peer may also reset it. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

describe("a hub among hostile programs", () => {
  let hubs: Hubs;
  let leader: HubEventLog;
  let follower: HubEventLog;
  beforeEach(async () => {
    hubs = new Hubs();
    leader = await hubs.settled();
    follower = await hubs.settled();
    await waitFor("the windows to know each other", () => leader.hub.followers.length === 1);
  });
  afterEach(() => hubs.close());

  async function stillServes(): Promise<void> {
    await waitFor("the leader to lead, also after a delay", () => leader.hub.checkLead());
    leader.hub.publish({ type: "ordersChanged" });
    await waitFor("the follower to receive a message", () => follower.received.length > 0);
    assert.deepEqual(follower.roles, ["follower"], "the follower was never disturbed");
  }

  it("drops and counts malformed frames, and reads none", async () => {
    let sent = 0;
    for (const round of roundsOf(MALFORMED / AT_ONCE)) {
      const batch = fc.sample(malformed, { numRuns: AT_ONCE, seed: seedOfRound(round) });
      sent += batch.length;
      await Promise.all(
        batch.map(async (frame) => {
          const socket = await provenSocket(hubs.directory);
          socket.resume().end(frame);
          await closing(socket);
        }),
      );
    }
    await waitFor("all connections to be dropped", () => droppedBy(leader) === sent);
    assert.deepEqual(leader.received, []);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.equal(leader.hub.followers.length, 1);
    await stillServes();
  });

  it("sends nothing to a connection without the token, and drops its messages", async () => {
    const stranger = loadOrCreateToken(join(hubs.directory, "elsewhere"));
    const socket = await provenSocket(hubs.directory, stranger);
    let bytesSent = 0;
    socket.on("data", (chunk: Buffer) => (bytesSent += chunk.length));
    await closing(socket);
    assert.equal(bytesSent, 0);
    assert.equal(droppedBy(leader), 1);
    await stillServes();
  });

  it("drops a connection that sends nothing, or too much, before its proof", async () => {
    const [mute, garbled, long] = await Promise.all([1, 2, 3].map(() => strangeSocket(hubs.directory)));
    assert.ok(mute && garbled && long);
    garbled.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    long.write("[".repeat(1025));
    for (const socket of [garbled, long, mute]) {
      socket.resume();
      await closing(socket);
    }
    await waitFor("all dropped connections to be counted", () => droppedBy(leader) === 3);
    await stillServes();
  });

  it("accepts a proof only once: a proof from one connection is invalid on the next", async () => {
    const token = loadOrCreateToken(hubs.directory);
    const nonce = "1".repeat(64);
    const replayed = frameOf({ nonce, proof: token.sign("follower", "2".repeat(64), nonce) });
    const socket = await strangeSocket(hubs.directory);
    socket.resume().write(replayed);
    await closing(socket);
    assert.equal(droppedBy(leader), 1);
  });

  it("drops a window that no longer reads, before the queue fills the memory", async () => {
    const socket = await provenSocket(hubs.directory);
    socket.pause();
    socket.write(frameOf({ type: "demand", demand: demandOf() }));
    await waitFor("the connection to count as a window", () => leader.hub.followers.length === 2);
    const tickers = Array.from({ length: 1000 }, (_, index) => tickerOf(`THB_A${index}`));
    for (let count = 0; droppedBy(leader) === 0 && count < 2000; count += 1) {
      await waitFor("the leader to lead, also after a delay", () => leader.hub.checkLead());
      leader.hub.publish({
        type: "market",
        venue: "practice",
        isNew: true,
        isLast: true,
        tickers,
        readAt: 1,
        unreadable: 0,
      });
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(droppedBy(leader), 1);
    assert.equal(leader.hub.followers.length, 1);
    follower.received.length = 0;
    await stillServes();
    socket.destroy();
  });

  it("does not follow a leader without a valid proof, but takes its place", async () => {
    const directory = temporaryFolder();
    const token = loadOrCreateToken(directory);
    const impostor = await listenAt(token, 1);
    assert.ok(new Lease(directory).take(1));
    impostor?.on("connection", (socket) => {
      socket.on("error", () => undefined);
      socket.write(frameOf({ nonce: "3".repeat(64) }));
      socket.on("data", () => socket.write(frameOf({ proof: "4".repeat(64) })));
    });
    const machine = new Hubs(directory);
    const window = await machine.settled();
    assert.equal(window.hub.role, "leader");
    assert.equal(droppedBy(window), 1);
    assert.equal(new Lease(directory).newest, 2);
    machine.close();
    impostor?.close();
    clearFolder(token);
  });

  it("continues when hundreds of connections come and go", async () => {
    const address = addressOf(loadOrCreateToken(hubs.directory), new Lease(hubs.directory).newest ?? 0);
    for (let round = 0; round < 200; round += 1) {
      const socket = connect(address);
      socket.on("error", () => undefined);
      if (round % 2 === 0) await once(socket, "connect");
      socket.destroy();
    }
    await stillServes();
  });
});
