import assert from "node:assert/strict";
import dns from "node:dns";
import { connect, type Socket } from "node:net";
import { openWebSocket, type StreamEnd } from "../../src/exchange/stream/socket.ts";
import { testClient } from "../support/builders/client.ts";
import { killAll, startAndRead } from "../support/processes/children.ts";
import { waitFor } from "../support/waitFor.ts";

/** More connections than the server's system completes. */
const WAITING = 4;

describe("a host with an IPv6 address that this computer cannot reach, and a slow handshake over IPv4", () => {
  const usualLookup = dns.lookup;
  const waiting: Socket[] = [];
  let lookups = 0;

  /** A server at `localhost` that takes no connection before `release`. Nothing listens at the host's IPv6 address. */
  async function serve() {
    const { line: port, process } = await startAndRead<number>("test/support/processes/slowServer.ts");
    let connected = 0;
    for (let count = 0; count < WAITING; count += 1)
      waiting.push(connect(port, "127.0.0.1", () => (connected += 1)).on("error", () => undefined));
    await waitFor("a full queue", () => connected >= 2);
    return { port, release: () => process.stdin?.write("\n") };
  }

  beforeEach(() => {
    lookups = 0;
    const lookup = (_host: string, _options: unknown, done: (...result: unknown[]) => void): void => {
      lookups += 1;
      done(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
      ]);
    };
    dns.lookup = lookup as unknown as typeof dns.lookup;
  });
  afterEach(async () => {
    dns.lookup = usualLookup;
    for (const socket of waiting.splice(0)) socket.destroy();
    await killAll();
  });

  it("is given more time after the handshake was given up, so that the repeated read succeeds", async () => {
    const { port, release } = await serve();
    const read = testClient(`http://localhost:${port}`).tickers();
    await waitFor("the second attempt", () => lookups === 2);
    release();
    assert.equal((await read).tickers.size, 1);
    assert.equal(lookups, 2);
  });

  it("is given more time by streams too", async () => {
    const { port, release } = await serve();
    const ends: StreamEnd[] = [];
    const open = () => {
      const ended = (end: StreamEnd): void => void ends.push(end);
      openWebSocket(new URL(`ws://localhost:${port}`), { opened: assert.fail, frame: assert.fail, ended });
    };
    open();
    await waitFor("the lookup", () => lookups === 1);
    release();
    await waitFor("the response", () => ends.length === 1);
    assert.deepEqual([ends[0]?.reason, ends[0]?.status], ["refused", 200]);
  });
});
