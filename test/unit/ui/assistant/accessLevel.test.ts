import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as vscode from "vscode";
import { type AccessLevel, accessLevels, toolNames, toolsWithin } from "../../../../src/assistant/access.ts";
import { settingKeys } from "../../../../src/contributions.ts";
import { root } from "../../../../tools/paths.ts";
import { AssistedWindow } from "../../../support/desks/assistedWindow.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { changeSetting, type McpStdioServerDefinition } from "../../../support/fakes/vscode.ts";

/** Each pair of different levels: before a change of the setting, and after the change. */
const changes = accessLevels.flatMap((from) =>
  accessLevels.flatMap((to) => (from === to ? [] : [{ from, to }])),
);

describe("the assistants' access level", () => {
  let window: AssistedWindow;

  afterEach(() => window.close());

  const openAt = (level: AccessLevel): Promise<AssistedWindow> =>
    AssistedWindow.open(level, { client: new FakeClient() });
  const setLevel = (level: AccessLevel): void => changeSetting(settingKeys.assistantAccess, level);

  async function servers(): Promise<readonly (readonly unknown[])[]> {
    const token = {} as vscode.CancellationToken;
    const definitions = await window.mcpServers.provideMcpServerDefinitions(token);
    return (definitions as unknown as readonly McpStdioServerDefinition[]).map(({ given }) => given);
  }

  it("changes the registered tools and servers at once, from each level to each other", async () => {
    window = await openAt("off");
    for (const { from, to } of changes) {
      setLevel(from);
      assert.deepEqual([...window.tools].sort(), [...toolsWithin(from)].sort());
      let changed = 0;
      const listener = window.mcpServers.onDidChangeMcpServerDefinitions?.(() => (changed += 1));
      const before = await servers();
      setLevel(to);
      assert.deepEqual([...window.tools].sort(), [...toolsWithin(to)].sort());
      assert.equal(changed, 1);
      const after = await servers();
      assert.deepEqual([before.length, after.length], [from === "off" ? 0 : 1, to === "off" ? 0 : 1]);
      // The editor keeps what it knows of a server until the server's version changes.
      assert.notEqual(before[0]?.[4], after[0]?.[4]);
      listener?.dispose();
    }
  });

  it("is read as off if the setting has any other value", async () => {
    window = await openAt("prepare");
    changeSetting(settingKeys.assistantAccess, "everything");
    assert.deepEqual([window.tools, await servers()], [[], []]);
  });

  it("starts the bundled server with the editor's own program, and needs no package from elsewhere", async () => {
    window = await openAt("market");
    const [[label, command, args, env] = []] = await servers();
    assert.deepEqual([label, command, env], ["Bidside", process.execPath, { ELECTRON_RUN_AS_NODE: "1" }]);
    const [launcher = "", ...others] = args as readonly string[];
    assert.equal(others.length, 0);
    assert.ok(readFileSync(launcher, "utf8").includes(JSON.stringify(join(root, "dist", "mcp.js"))));
  });

  it("has tools that announce what they read or do before they run", async () => {
    window = await openAt("prepare");
    const messages = await Promise.all(toolNames.map((name) => window.invocationMessage(name)));
    assert.deepEqual(Object.fromEntries(toolNames.map((name, index) => [name, messages[index]])), {
      bidside_markets: "Reads pairs and prices",
      bidside_candles: "Reads the candles of a pair",
      bidside_book: "Reads the order book of a pair",
      bidside_alerts: "Reads your alerts; you are asked before one is added",
      bidside_account: "Reads your balances and results",
      bidside_orders: "Reads your orders and their outcomes",
      bidside_prepareOrder: "Fills in the order ticket; only you can submit and confirm the order",
    });
  });
});
