import assert from "node:assert/strict";
import * as vscode from "vscode";
import {
  type AccessLevel,
  accessLevels,
  type ToolName,
  toolNames,
  toolsWithin,
} from "../../src/assistant/access.ts";
import { commandIds, panelTypes, settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";

/** A call of each tool, within its schema. */
const inputs: Readonly<Record<ToolName, object>> = {
  bidside_markets: { pair: "BTC/THB" },
  bidside_candles: { pair: "BTC/THB", interval: "1h", limit: 3 },
  bidside_book: { pair: "BTC/THB" },
  bidside_alerts: {},
  bidside_account: {},
  bidside_orders: {},
  bidside_prepareOrder: { side: "buy", pair: "BTC/THB", amount: "1", rate: "1" },
};

/** Whether the editor knows code for a tool: it lists every tool of the manifest, and runs the registered ones. */
async function isRegistered(name: ToolName): Promise<boolean> {
  try {
    await invoke(name, inputs[name]);
    return true;
  } catch {
    return false;
  }
}

async function setLevel(level: AccessLevel | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  await settings.update(settingKeys.assistantAccess, level, vscode.ConfigurationTarget.Global);
  const wanted = toolsWithin(level ?? "market");
  for (const name of ["bidside_markets", "bidside_account", "bidside_prepareOrder"] as const)
    await waitFor(`${name} at ${level}`, async () => (await isRegistered(name)) === wanted.includes(name));
}

/** What the editor says of a tool for which no code is registered. */
const NOT_REGISTERED = /does not have an implementation registered/;

async function invoke(name: string, input: object): Promise<Record<string, unknown>> {
  const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  const text = content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ""))
    .join("");
  return JSON.parse(text) as Record<string, unknown>;
}

const tickets = (): vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelTypes.bidForm),
    );

describe("the tools for assistants", () => {
  before(async () => {
    await vscode.commands.executeCommand(commandIds.refresh);
  });
  afterEach(async () => {
    await vscode.window.tabGroups.close(tickets());
  });
  after(() => setLevel(undefined));

  it("are those of the level market by default", async () => {
    for (const name of toolNames)
      assert.equal(await isRegistered(name), toolsWithin("market").includes(name), name);
  });

  for (const level of accessLevels)
    it(`respond within the level, and do not exist beyond it: ${level}`, async () => {
      await setLevel(level);
      for (const name of toolNames) {
        if (toolsWithin(level).includes(name)) {
          const answer = await invoke(name, inputs[name]);
          assert.equal(typeof (answer["problem"] ?? answer["exchange"]), "string", JSON.stringify(answer));
          assert.doesNotMatch(JSON.stringify(answer), /bidside\.assistant\.access|Too many calls/, name);
        } else await assert.rejects(invoke(name, inputs[name]), NOT_REGISTERED, name);
      }
    });

  it("read the practice exchange", async () => {
    await setLevel("account");
    const { pair, exchange, money } = await waitFor("prices", async () => {
      const answer = await invoke("bidside_markets", inputs.bidside_markets);
      return answer["pair"] === undefined ? undefined : answer;
    });
    assert.deepEqual([exchange, money], ["Practice", "play money"]);
    assert.equal((pair as Record<string, unknown>)["symbol"], "THB_BTC");
    const { assets } = await waitFor("the balance", async () => {
      const answer = await invoke("bidside_account", {});
      return answer["assets"] === undefined ? undefined : answer;
    });
    assert.ok((assets as object[]).length > 0);
    const candles = await invoke("bidside_candles", inputs.bidside_candles);
    assert.equal((candles["rows"] as string[]).length, 3);
  });

  it("open one ticket for a prepared order, and reject the next one", async () => {
    await setLevel("prepare");
    const { pair } = await waitFor("prices", async () => {
      const answer = await invoke("bidside_markets", inputs.bidside_markets);
      return answer["pair"] === undefined ? undefined : answer;
    });
    const { last } = pair as { readonly last: string };
    const order = { side: "buy", pair: "BTC/THB", amount: "1000", rate: last };
    const wrong = await invoke("bidside_prepareOrder", { ...order, amount: "1" });
    assert.deepEqual([wrong["opened"], tickets().length], [false, 0]);
    const prepared = await invoke("bidside_prepareOrder", order);
    assert.equal(prepared["opened"], true, JSON.stringify(prepared));
    await waitFor("the ticket", () => tickets().length === 1);
    const again = await invoke("bidside_prepareOrder", order);
    assert.match(String(again["problem"]), /waits for the user|less than 10 seconds|using the order ticket/);
    assert.equal(tickets().length, 1);
  });
});
