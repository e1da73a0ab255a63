import assert from "node:assert/strict";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createMarket, DEFAULT_SEED } from "../../../src/practice/market/market.ts";
import { bidBody, getWallet, postBid, send } from "../../support/builders/practiceRequest.ts";
import { RECORDED_HOUR } from "../../support/builders/recordedHour.ts";
import { kill, killAll, runScript, startAndRead } from "../../support/processes/children.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("practice exchange run alone", () => {
  interface FirstLine {
    readonly baseUrl: string;
    readonly headerPrefix: string;
    readonly apiKey: string;
    readonly apiSecret: string;
  }
  const MAIN = "src/practice/cli.ts";
  let directory: string;

  beforeEach(() => void (directory = temporaryFolder()));
  afterEach(() => killAll());

  it("writes its address and its key pair as its first line, and accepts that key pair", async () => {
    const { line } = await startAndRead<FirstLine>(MAIN, "--port", "0");
    assert.deepEqual(Object.keys(line), ["baseUrl", "headerPrefix", "apiKey", "apiSecret", "profile"]);
    assert.equal(line.headerPrefix, "X-SVC-");
    assert.equal(
      (await getWallet(line.baseUrl, Date.now(), line)).text,
      '{"error":0,"result":{"THB":1000000}}',
    );
  });

  it("ends cleanly on Ctrl-C", async function () {
    if (process.platform === "win32") return;
    const { process: child } = await startAndRead<FirstLine>(MAIN, "--port", "0", "--data", directory);
    const ended = once(child, "exit");
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  });

  it("keeps account and key pair in its folder across kill -9, on the given port and market", async () => {
    const data = join(directory, "kept");
    const first = await startAndRead<FirstLine>(MAIN, "--port", "0", "--data", data, "--seed", "7");
    const { port } = new URL(first.line.baseUrl);
    const { last } = createMarket("7").quoteAt("THB_BTC", Date.now());
    const body = bidBody("THB_BTC", 500, Math.round(last * 0.9));
    assert.equal((await postBid(first.line.baseUrl, body, Date.now(), first.line)).error, 0);
    await kill(first.process);
    const second = await startAndRead<FirstLine>(MAIN, "--port", port, "--data", data, "--seed", "7");
    assert.deepEqual(second.line, first.line);
    const wallet = await getWallet(second.line.baseUrl, Date.now(), first.line);
    assert.equal(wallet.text, '{"error":0,"result":{"THB":999500}}');
    assert.equal((await send(second.line.baseUrl, "GET", "/api/servertime")).error, 0);
    if (process.platform !== "win32") {
      assert.equal(statSync(join(data, "credentials.json")).mode & 0o777, 0o600);
    }
  });

  it("begins a new account in its folder with --reset, and keeps its key pair", async () => {
    const first = await startAndRead<FirstLine>(MAIN, "--port", "0", "--data", directory);
    const { last } = createMarket(DEFAULT_SEED).quoteAt("THB_BTC", Date.now());
    const body = bidBody("THB_BTC", 500, Math.round(last * 0.9));
    assert.equal((await postBid(first.line.baseUrl, body, Date.now(), first.line)).error, 0);
    await kill(first.process);
    const second = await startAndRead<FirstLine>(MAIN, "--port", "0", "--data", directory, "--reset");
    assert.equal(second.line.apiKey, first.line.apiKey);
    const wallet = await getWallet(second.line.baseUrl, Date.now(), second.line);
    assert.equal(wallet.text, '{"error":0,"result":{"THB":1000000}}');
  });

  it("plays a recording of Bidside instead of its own market, at the requested speed", async () => {
    const { line } = await startAndRead<FirstLine>(
      MAIN,
      "--port",
      "0",
      "--replay",
      RECORDED_HOUR,
      "--speed",
      "60",
    );
    const { result } = await send(line.baseUrl, "GET", "/api/market/ticker");
    const tickers = result as Record<string, { last: number; high24hr: number; low24hr: number }>;
    assert.equal(Object.keys(tickers).length, 8);
    const { last = 0, high24hr: high = 0, low24hr: low = 0 } = tickers["THB_BTC"] ?? {};
    assert.ok(low <= last && last <= high && low > 3_000_000 && high < 3_100_000, `${low} ${last} ${high}`);
  });

  it("explains why a file cannot be replayed", async () => {
    const { code, stderr } = await runScript(MAIN, "--port", "0", "--replay", "package.json");
    assert.equal(code, 1);
    assert.equal(
      stderr,
      "package.json cannot be replayed: The recording has no prices of a pair with THB.\n",
    );
  });

  it("exits with 2 for wrong arguments, in one sentence", async () => {
    const { code, stdout, stderr } = await runScript(MAIN, "--port", "0", "--speed", "2");
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^--speed needs --replay\. Usage: npm run practice -- --port N [^\n]+\n$/);
  });

  it("reports that its folder or port is in use", async () => {
    const { line } = await startAndRead<FirstLine>(MAIN, "--port", "0", "--data", directory);
    const inUse = await runScript(MAIN, "--port", "0", "--data", directory);
    assert.equal(inUse.code, 1);
    assert.match(inUse.stderr, /^Process \d+ already serves [^\n]+\n$/);
    const { port } = new URL(line.baseUrl);
    const portInUse = await runScript(MAIN, "--port", port);
    assert.equal(portInUse.code, 1);
    assert.equal(portInUse.stderr, `Port ${port} is in use. Choose another with --port.\n`);
  });
});
