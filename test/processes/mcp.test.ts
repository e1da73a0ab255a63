import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { toolNames, toolsWithin } from "../../src/assistant/access.ts";
import { monotonicTimers } from "../../src/time/timers.ts";
import { type Call, LIST_TOOLS } from "../../src/hub/calls.ts";
import { IpcServer } from "../../src/hub/ipcServer.ts";
import { packaged } from "../../tools/packageExtension.ts";
import { root } from "../../tools/paths.ts";
import { writeLauncher, launcherIn } from "../../src/ui/assistant/mcpLauncher.ts";
import { AssistedWindow } from "../support/desks/assistedWindow.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../support/fakes/venue.ts";
import { waitFor } from "../support/waitFor.ts";

/** The server as it ships. */
const SCRIPT = join(root, "dist", "mcp.js");

describe("the server for assistants", () => {
  let directory: string;
  let client: Client;
  let servers: IpcServer[];

  before(async () => {
    await packaged();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "bidside-mcp-"));
    servers = [];
    client = new Client({ name: "test", version: "1.0.0" });
    const launcher = launcherIn(directory);
    // The version before the last update, which the editor has removed.
    writeLauncher(launcher, { script: join(directory, "bidside-0.0.9", "mcp.js"), windows: "elsewhere" });
    writeLauncher(launcher, { script: SCRIPT, windows: directory });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [launcher] }));
  });
  afterEach(async () => {
    await client.close();
    for (const server of servers) server.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  /** A window that has the tools of a level, and answers each call with the call. */
  async function openWindow(
    name: string,
    level: "market" | "account" | "prepare" = "prepare",
  ): Promise<IpcServer> {
    const answer = async ({ tool, input }: Call) => ({
      text: tool === LIST_TOOLS ? JSON.stringify(toolsWithin(level)) : `${name} ${tool} ${input}`,
      isError: input.includes("wrong"),
    });
    const warn = (what: string) => assert.fail(what);
    const server = await IpcServer.open({
      directory,
      timers: monotonicTimers,
      isInFront: true,
      answer,
      warn,
    });
    servers.push(server);
    return server;
  }

  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    return { text: (content as { readonly text: string }[])[0]?.text ?? "", isError: isError === true };
  };
  const names = async (): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).sort();

  it("names itself and its rule, and answers a ping", async () => {
    assert.equal(client.getServerVersion()?.name, "bidside");
    assert.match(client.getInstructions() ?? "", /No tool places an order/);
    await client.ping();
  });

  it("lists the tools of the level that the window in front has, with their schemas", async () => {
    await openWindow("one", "account");
    assert.deepEqual(await names(), [...toolsWithin("account")].sort());
    await openWindow("two", "prepare");
    assert.deepEqual(await names(), [...toolNames].sort());
    const { tools } = await client.listTools();
    const prepare = tools.find(({ name }) => name === "bidside_prepareOrder");
    assert.deepEqual(prepare?.inputSchema.required, ["side", "pair", "rate"]);
    assert.equal(prepare?.annotations?.readOnlyHint, false);
    assert.match(prepare?.description ?? "", /never sends an order/);
  });

  it("passes calls on to the window in front, also several at once, and its errors back", async () => {
    const one = await openWindow("one");
    await openWindow("two");
    const texts = await Promise.all([1, 2, 3].map((limit) => call("bidside_orders", { limit })));
    assert.deepEqual(
      texts,
      [1, 2, 3].map((limit) => ({ text: `two bidside_orders {"limit":${limit}}`, isError: false })),
    );
    one.cameToFront();
    assert.deepEqual(await call("bidside_account", { wrong: 1 }), {
      text: 'one bidside_account {"wrong":1}',
      isError: true,
    });
  });

  it("says so if no window is open, and finds the next window that opens", async () => {
    assert.deepEqual(await names(), [...toolsWithin("market")].sort());
    const { text, isError } = await call("bidside_markets");
    assert.ok(isError);
    assert.match(text, /^No window of the editor with Bidside is open/);
    await openWindow("late");
    assert.equal((await call("bidside_markets")).text, "late bidside_markets {}");
  });

  /** Runs the launcher as a script does. */
  const ask = async (...args: string[]) => {
    const script = spawn(process.execPath, [launcherIn(directory), "--json", ...args]);
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      script[name].on("data", (data: Buffer) => (output[name] += String(data)));
    const code = await new Promise<number | null>((resolve) => script.once("close", resolve));
    return { code, ...output };
  };

  for (const [level, price, portfolio] of [
    ["off", /No window of the editor/, /No window of the editor/],
    ["market", /^\{"exchange":.*"last":"3000000"/, /does not allow/],
    ["account", /^\{"exchange":.*"last":"3000000"/, /^\{"exchange":.*"total":"1501000"/],
  ] as const)
    it(`prints for a script what the window's access level allows: ${level}`, async () => {
      const exchange = new FakeClient();
      exchange.tickersAnswer = () =>
        Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: 3_000_000, percentChange: 0 })));
      exchange.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.5" }));
      const window = await AssistedWindow.open(level, { client: exchange });
      try {
        if (level !== "off") await window.answersServers();
        writeLauncher(launcherIn(directory), { script: SCRIPT, windows: window.directory });
        for (const [args, expected] of [
          [["price", "btc/thb"], price],
          [["portfolio"], portfolio],
        ] as const) {
          const { stdout, stderr, code } = await ask(...args);
          assert.match(stdout, expected);
          assert.deepEqual([stdout.trimEnd().split("\n").length, stderr], [1, ""]);
          assert.equal(code, "problem" in (JSON.parse(stdout) as object) ? 1 : 0);
        }
      } finally {
        await window.close();
      }
    });

  it("prints one line of JSON for a script, with the exit code of an error where there is no answer", async () => {
    const noWindow = await ask("portfolio");
    assert.equal(noWindow.code, 1);
    assert.match((JSON.parse(noWindow.stdout) as { problem: string }).problem, /^No window of the editor/);
    await openWindow("one");
    assert.deepEqual(await ask("portfolio"), { code: 0, stdout: "one bidside_account {}\n", stderr: "" });
    assert.deepEqual(await ask("price", "BTC/THB"), {
      code: 0,
      stdout: 'one bidside_markets {"pair":"BTC/THB"}\n',
      stderr: "",
    });
    assert.equal((await ask("price", "wrong")).code, 1);
    for (const args of [[], ["buy", "BTC/THB"], ["price"], ["portfolio", "more"]]) {
      const { code, stdout, stderr } = await ask(...args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^Usage: --json portfolio/);
    }
  });

  it("knows no other tool, and no other method", async () => {
    await openWindow("one");
    assert.deepEqual(await call("bidside_placeOrder"), { text: "This tool does not exist.", isError: true });
    await assert.rejects(client.listResources());
  });

  it("ends when its input ends", async () => {
    const server = spawn(process.execPath, [SCRIPT, directory], { stdio: ["pipe", "ignore", "inherit"] });
    server.stdin.end();
    await waitFor("the server to end", () => server.exitCode !== null);
    assert.equal(server.exitCode, 0);
  });

  it("says what to do if Bidside was removed since the launcher was written", () => {
    const launcher = launcherIn(directory);
    writeLauncher(launcher, { script: join(directory, "gone", "mcp.js"), windows: directory });
    const { status, stderr } = spawnSync(process.execPath, [launcher], { encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, /^Bidside was removed or updated\. Open a window/);
  });
});
