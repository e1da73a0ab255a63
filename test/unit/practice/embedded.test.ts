import assert from "node:assert/strict";
import { once } from "node:events";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicTimers } from "../../../src/time/timers.ts";
import { openPractice, type EmbeddedPractice } from "../../../src/practice/embedded.ts";
import { createMarket, DEFAULT_SEED } from "../../../src/practice/market/market.ts";
import { openAppendLog } from "../../../src/storage/appendLog.ts";
import { bidBody, getWallet, postBid, send, testPair } from "../../support/builders/practiceRequest.ts";
import { bundleScript } from "../../support/processes/bundleScript.ts";
import { kill, killAll, startAndRead, type Child } from "../../support/processes/children.ts";

interface Line {
  readonly baseUrl: string;
  readonly servedBy: number;
}

/** A bid far enough above the market to be filled immediately, even after a slow request. */
function marketableBid(amount: number): string {
  const { last } = createMarket(DEFAULT_SEED).quoteAt("THB_BTC", Date.now());
  return bidBody("THB_BTC", amount, Math.round(last * 1.1));
}

async function thb(baseUrl: string): Promise<number> {
  const { result } = await getWallet(baseUrl, Date.now());
  return (result as { THB: number }).THB;
}

describe("practice exchange of several windows", () => {
  let directory: string;
  const opened: EmbeddedPractice[] = [];

  let scripts: string;
  let script: string;
  const startWindow = (): Promise<Child<Line>> => startAndRead<Line>(script, directory);
  async function openHere(): Promise<EmbeddedPractice> {
    const exchange = await openPractice({
      directory,
      now: Date.now,
      timers: monotonicTimers,
      openLog: (path) => openAppendLog({ path, sync: false }),
    });
    opened.push(exchange);
    return exchange;
  }

  before(async () => {
    scripts = mkdtempSync(join(tmpdir(), "practice-script-"));
    script = await bundleScript("test/support/processes/practiceProcess.ts", scripts);
  });
  after(() => rmSync(scripts, { recursive: true, force: true }));
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "practice-"));
    writeFileSync(join(directory, "credentials.json"), JSON.stringify(testPair), { mode: 0o600 });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((exchange) => exchange.close()));
    await killAll();
    rmSync(directory, { recursive: true, force: true });
  });

  it("states the limits of each pair, in the window that serves and in one that joins", async () => {
    for (const exchange of [await openHere(), await openHere()]) {
      const { path, envelope } = exchange.profile.features["symbols"] as Record<string, string>;
      assert.equal(envelope, "B");
      const { result } = await send(exchange.baseUrl, "GET", path ?? "");
      assert.equal((result as { min_quote_size: number }[])[0]?.min_quote_size, 10);
      assert.equal((exchange.profile.features["placeAsk"] as Record<string, string>)["envelope"], "A");
    }
  });

  it("is one exchange and one account for all windows", async () => {
    const windows = await Promise.all([startWindow(), startWindow(), startWindow()]);
    const [first] = windows;
    assert.equal(new Set(windows.map(({ line }) => line.baseUrl)).size, 1);
    assert.equal(windows.filter(({ line, process }) => line.servedBy === process.pid).length, 1);
    for (const { line } of windows) {
      assert.equal((await postBid(line.baseUrl, marketableBid(1000), Date.now())).error, 0);
    }
    assert.equal(await thb(first?.line.baseUrl ?? ""), 997_000);
  });

  it("begins a new account for all windows when any window asks, and keeps the new account", async () => {
    const { line, process } = await startWindow();
    const joined = await openHere();
    assert.equal(joined.servedBy, process.pid);
    await postBid(line.baseUrl, marketableBid(1000), Date.now());
    await joined.reset();
    assert.equal(await thb(line.baseUrl), 1_000_000);
    await postBid(line.baseUrl, marketableBid(2000), Date.now());
    await kill(process);
    const serving = await openHere();
    assert.equal(serving.servedBy, undefined);
    assert.equal(await thb(serving.baseUrl), 998_000);
    await serving.reset();
    assert.equal(await thb(serving.baseUrl), 1_000_000);
  });

  it("reports that nothing was reset if the serving process is gone", async () => {
    const { process } = await startWindow();
    const joined = await openHere();
    await kill(process);
    await assert.rejects(joined.reset(), /ECONNREFUSED/);
  });

  it("passes to another window when the serving window is killed, with every acknowledged bid", async () => {
    let acknowledged = 0;
    for (let round = 0; round < 3; round++) {
      const { line, process } = await startWindow();
      assert.equal(line.servedBy, process.pid, "the window took over at once");
      assert.equal(await thb(line.baseUrl), 1_000_000 - acknowledged * 10);
      // Bids are sent while the process is killed: a bid without a response may have been placed.
      let unanswered = 0;
      const bids = Array.from({ length: 40 }, () =>
        postBid(line.baseUrl, marketableBid(10), Date.now()).then(
          ({ error }) => {
            assert.equal(error, 0);
            acknowledged += 1;
            return acknowledged;
          },
          () => void (unanswered += 1),
        ),
      );
      await Promise.race(bids);
      await kill(process);
      await Promise.all(bids);
      const here = await openHere();
      assert.equal(here.servedBy, undefined);
      const placed = (1_000_000 - (await thb(here.baseUrl))) / 10;
      assert.ok(
        placed >= acknowledged && placed <= acknowledged + unanswered,
        `${acknowledged} acknowledged, ${unanswered} unanswered, ${placed} placed`,
      );
      acknowledged = placed;
      await here.close();
    }
    assert.ok(acknowledged > 0);
  });

  it("is taken over by exactly one of many windows after its process was killed", async () => {
    const first = await startWindow();
    await kill(first.process);
    for (let round = 0; round < 2; round++) {
      const windows = await Promise.all([startWindow(), startWindow(), startWindow(), startWindow()]);
      const servers = windows.filter(({ line, process }) => line.servedBy === process.pid);
      assert.equal(servers.length, 1);
      assert.equal(new Set(windows.map(({ line }) => line.baseUrl)).size, 1);
      await Promise.all(windows.map(({ process }) => kill(process)));
    }
    assert.ok(readdirSync(directory).filter((name) => name.startsWith("serving-")).length <= 2);
  });

  it("survives a torn last line, which is skipped while all complete lines apply", async () => {
    const first = await openHere();
    for (let count = 0; count < 3; count++) {
      assert.equal((await postBid(first.baseUrl, marketableBid(100), Date.now())).error, 0);
    }
    await first.close();
    const path = join(directory, "ledger.log");
    const lastLine = readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "";
    appendFileSync(path, lastLine.slice(0, lastLine.length / 2));
    const second = await openHere();
    assert.equal(second.skippedLines, 1);
    assert.equal(await thb(second.baseUrl), 999_700);
    assert.equal((await postBid(second.baseUrl, marketableBid(100), Date.now())).error, 0);
    await second.close();
    assert.equal(await thb((await openHere()).baseUrl), 999_600);
  });

  it("is served again after an orderly close, and a second close frees no other window's claim", async () => {
    const first = await openHere();
    const joined = await openHere();
    assert.equal(joined.servedBy, process.pid);
    await joined.close();
    assert.equal(await thb(first.baseUrl), 1_000_000, "the window that joined closes nothing");
    await first.close();
    const window = await startWindow();
    assert.equal(window.line.servedBy, window.process.pid);
    await first.close();
    assert.equal((await openHere()).servedBy, window.process.pid);
  });

  it("is taken over if the lock's process number now belongs to another program", async () => {
    const other = createServer((socket) => socket.end("no exchange\r\n"));
    other.listen(0, "127.0.0.1").unref();
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    writeFileSync(join(directory, "serving-1.json"), JSON.stringify({ pid: process.ppid, port }));
    const dead = createServer().listen(0, "127.0.0.1");
    await once(dead, "listening");
    const { port: deadPort } = dead.address() as AddressInfo;
    await once(dead.close(), "close");
    assert.equal((await openHere()).servedBy, undefined);
    await opened.pop()?.close();
    writeFileSync(join(directory, "serving-9.json"), JSON.stringify({ pid: process.ppid, port: deadPort }));
    assert.equal((await openHere()).servedBy, undefined);
  });

  it("is taken over if the lock is incomplete", async () => {
    for (const [index, text] of ["", '{"pid":"x"}'].entries()) {
      writeFileSync(join(directory, `serving-${index * 10 + 1}.json`), text);
      const exchange = await openHere();
      assert.equal(exchange.servedBy, undefined);
      await exchange.close();
    }
  });

  it("does not take over from a suspended process, which may resume and write", async function () {
    if (process.platform === "win32") return;
    const { process: window } = await startWindow();
    window.kill("SIGSTOP");
    await assert.rejects(openHere(), /does not answer/);
    window.kill("SIGCONT");
    assert.equal((await openHere()).servedBy, window.pid);
  });

  it("releases its claim if it cannot start", async () => {
    const failing = openPractice({
      directory,
      now: Date.now,
      timers: monotonicTimers,
      openLog: () => {
        throw new Error("EACCES");
      },
    });
    await assert.rejects(failing, /EACCES/);
    assert.equal((await openHere()).servedBy, undefined);
  });

  it("has one key pair for all windows and restarts, and replaces only an unreadable pair", async () => {
    assert.deepEqual((await openHere()).credentials, testPair);
    assert.deepEqual((await openHere()).credentials, testPair, "a window that joins knows the pair too");
    await Promise.all(opened.splice(0).map((exchange) => exchange.close()));
    writeFileSync(join(directory, "credentials.json"), "{");
    const { credentials } = await openHere();
    assert.ok(credentials.apiSecret.length >= 64);
    assert.deepEqual((await openHere()).credentials, credentials);
  });

  it("does not open with a key pair of a newer version, and leaves the pair alone", async () => {
    const path = join(directory, "credentials.json");
    const text = JSON.stringify({ version: 2, ...testPair });
    writeFileSync(path, text);
    await assert.rejects(openHere(), /newer version of Bidside/);
    assert.equal(readFileSync(path, "utf8"), text);
  });

  it("has files that only their owner can read", async function () {
    if (process.platform === "win32") return;
    await openHere();
    for (const name of readdirSync(directory)) {
      assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
    }
  });
});
