import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { thisSystem } from "../../../src/files/operatingSystem.ts";
import { type CallOutcome, callWindow } from "../../../src/hub/caller.ts";
import type { Call } from "../../../src/hub/calls.ts";
import { HubConnection } from "../../../src/hub/connection.ts";
import { IpcServer } from "../../../src/hub/ipcServer.ts";
import { runningIpcServers, registerIpcServer } from "../../../src/hub/ipcServerFiles.ts";
import { fromLeader } from "../../../src/hub/protocol.ts";
import { addressOf, clearFolder } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken } from "../../../src/hub/token.ts";
import { waitFor } from "../../support/waitFor.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a window's IPC server", () => {
  let directory: string;
  let servers: IpcServer[];
  let warnings: string[];
  /** The calls that each window got, by its name. */
  let received: Record<string, Call[]>;

  beforeEach(() => {
    directory = temporaryFolder();
    servers = [];
    warnings = [];
    received = {};
  });
  afterEach(() => {
    for (const server of servers) server.dispose();
    clearFolder(loadOrCreateToken(directory));
  });

  async function open(name: string, isInFront = false): Promise<IpcServer> {
    const calls: Call[] = (received[name] = []);
    const server = await IpcServer.open({
      directory,
      timers: monotonicTimers,
      isInFront,
      answer: async (call) => {
        calls.push(call);
        return { text: `${name}: ${call.tool}`, isError: false };
      },
      warn: (what) => warnings.push(what),
    });
    servers.push(server);
    return server;
  }

  const call = (tool = "bidside_markets", input = "{}"): Promise<CallOutcome> =>
    callWindow({ directory, timers: monotonicTimers }, { tool, input });
  const textOf = async (): Promise<string> => {
    const outcome = await call();
    return typeof outcome === "string" ? outcome : (outcome.text.split(":", 1)[0] ?? "");
  };

  it("is found when another user has made a folder in place of the windows' folder of sockets", async function () {
    if (process.platform === "win32") return this.skip();
    const occupied = dirname(addressOf(loadOrCreateToken(directory), 1));
    mkdirSync(occupied, { mode: 0o755 });
    try {
      await open("first");
      await open("second", true);
      assert.equal(await textOf(), "second");
    } finally {
      rmSync(occupied, { recursive: true });
    }
  });

  it("leads to no window if there was none yet, or all are closed", async () => {
    assert.equal(await call(), "noWindow");
    (await open("one")).dispose();
    assert.equal(await call(), "noWindow");
    assert.deepEqual(runningIpcServers(directory, thisSystem), []);
  });

  it("passes a call on, and its reply back", async () => {
    await open("one");
    assert.deepEqual(await call("bidside_book", '{"pair":"BTC/THB"}'), {
      text: "one: bidside_book",
      isError: false,
    });
    assert.deepEqual(received["one"], [{ type: "call", tool: "bidside_book", input: '{"pair":"BTC/THB"}' }]);
  });

  it("is that of the window in front last", async () => {
    const one = await open("one", true);
    await open("two");
    assert.equal(await textOf(), "one");
    const three = await open("three", true);
    assert.equal(await textOf(), "three");
    one.cameToFront();
    assert.equal(await textOf(), "one");
    one.dispose();
    assert.equal(await textOf(), "three");
    three.dispose();
    assert.equal(await textOf(), "two");
  });

  it("is skipped if its window was killed, and removed when the next window opens", async () => {
    await open("one");
    const dead = "ipc-00000000000000aa";
    writeFileSync(join(directory, dead), "99 999999999");
    assert.equal(await textOf(), "one");
    await open("two");
    assert.ok(!readdirSync(directory).includes(dead));
  });

  it("is skipped if nobody listens there", async () => {
    await open("one");
    registerIpcServer(directory, "ipc-00000000000000bb", "first", thisSystem);
    assert.equal(await textOf(), "one");
  });

  it("answers nobody without the token, and no follower's proof", async () => {
    await open("one");
    const [name = ""] = runningIpcServers(directory, thisSystem);
    const address = addressOf(loadOrCreateToken(directory), name);
    const stranger = loadOrCreateToken(join(directory, "elsewhere"));
    let opened = 0;
    for (const [token, end] of [
      [stranger, "caller"],
      [loadOrCreateToken(directory), "follower"],
    ] as const) {
      const why = await new Promise<void>((resolve) => {
        const socket = connect(address);
        void new HubConnection(socket, token, end, monotonicTimers, {
          schema: fromLeader,
          opened: () => (opened += 1),
          received: () => (opened += 1),
          closed: () => resolve(),
        });
      });
      assert.equal(why, undefined);
    }
    assert.deepEqual([opened, received["one"]], [0, []]);
    await waitFor("both ends to be noted", () => warnings.length === 2);
  });

  it("ends the connection of a caller that sends anything but a call", async () => {
    await open("one");
    for (const [tool, input] of [
      ["bidside_markets", "x".repeat(8001)],
      ["no tool at all", "{}"],
    ] as const)
      assert.equal(await call(tool, input), "noReply");
    assert.deepEqual(received["one"], []);
    assert.equal(await textOf(), "one");
  });
});
