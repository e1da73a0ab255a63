import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import type { Server } from "node:net";
import { dirname, join } from "node:path";
import { thisSystem } from "../../../src/files/operatingSystem.ts";
import { addressOf, clearBelow, clearFolder, listenAt, removeSocket } from "../../../src/hub/socketPath.ts";
import { loadOrCreateToken, Token } from "../../../src/hub/token.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("the address on Windows", () => {
  const os = { ...thisSystem, platform: "win32" };
  const tokenOf = (byte: number): Token => new Token(Buffer.alloc(32, byte), os);

  it("is a named pipe that nobody can guess without the token, different for each number and name", () => {
    const addresses = [1, 2].flatMap((byte) =>
      [1, 2, "ipc-00000000000000aa"].map((name) => addressOf(tokenOf(byte), name, os)),
    );
    for (const address of addresses) assert.match(address, /^\\\\\.\\pipe\\bidside-[0-9a-f]{32}$/);
    assert.equal(new Set(addresses).size, addresses.length);
    // The longest name of a pipe has 256 characters.
    assert.ok(addresses.every((address) => address.length < 256));
  });

  it("has no file: none is made, changed or removed", async () => {
    const listening: string[] = [];
    const untouched = {
      ...os,
      files: new Proxy(thisSystem.files, { get: (_, name) => assert.fail(`${String(name)} was called`) }),
      createServer: () => {
        const server = thisSystem.createServer();
        server.listen = ((address: string, done: () => void) => {
          listening.push(address);
          done();
          return server;
        }) as Server["listen"];
        return server;
      },
    };
    const token = tokenOf(3);
    assert.ok(await listenAt(token, 7, untouched));
    assert.deepEqual(listening, [addressOf(token, 7, os)]);
    clearBelow(token, 8, untouched);
    removeSocket(token, "ipc-00000000000000aa", untouched);
    clearFolder(token, untouched);
  });
});

describe("the leader's address", function () {
  if (process.platform === "win32") return;
  let directory: string;
  let token: Token;
  const servers: Server[] = [];

  async function listen(number: number): Promise<Server | undefined> {
    const server = await listenAt(token, number);
    if (server) servers.push(server);
    return server;
  }
  beforeEach(() => {
    directory = temporaryFolder();
    token = loadOrCreateToken(directory);
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    clearFolder(token);
  });

  it("fits into a socket's path, and belongs only to this user", async () => {
    await listen(999_999_999_999_999);
    const address = addressOf(token, 999_999_999_999_999);
    assert.ok(Buffer.byteLength(address) < 104, address);
    assert.equal(statSync(address).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(address)).mode & 0o777, 0o700);
  });

  it("differs for each folder, and does not contain the token", () => {
    const other = loadOrCreateToken(join(directory, "other"));
    assert.notEqual(dirname(addressOf(token, 1)), dirname(addressOf(other, 1)));
  });

  it("cannot be acquired twice", async () => {
    assert.ok(await listen(1));
    assert.equal(await listen(1), undefined);
    assert.ok(await listen(2));
  });

  it("is not acquired if a window with a higher number removes it before the socket is ready", async () => {
    const listening = listen(1);
    clearBelow(token, 2);
    assert.equal(await listening, undefined);
  });

  it("is not acquired in a folder that other users can enter", async () => {
    await listen(1);
    chmodSync(dirname(addressOf(token, 1)), 0o755);
    await assert.rejects(listen(2), /not a folder of this user alone/);
  });

  it("is removed completely: the files of lower numbers, and the folder when it is empty", async () => {
    await listen(1);
    const last = await listen(2);
    clearBelow(token, 2);
    const folder = dirname(addressOf(token, 2));
    assert.deepEqual(readdirSync(folder), ["2.sock"]);
    clearFolder(token);
    assert.ok(existsSync(folder), "a window listens there");
    last?.close();
    clearFolder(token);
    assert.ok(!existsSync(folder));
  });
});
