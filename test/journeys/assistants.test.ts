import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { toolNames } from "../../src/assistant/access.ts";
import { settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { chartOf } from "./support/openChart.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const ORDER = { side: "buy", pair: "BTC/THB" };

describe("an assistant outside the editor, and a person", () => {
  let workbench: Workbench;
  let client: Client;

  before(async () => {
    workbench = await takePractice({ [settingKeys.assistantAccess]: "prepare" });
    const [script] = globSync("extensions/bidside.bidside-*/dist/mcp.js", { cwd: workbench.userDataDir });
    const [folder] = globSync("windows/*/*", { cwd: workbench.storageFolder });
    assert.ok(script !== undefined && folder !== undefined, `${script} ${folder}`);
    client = new Client({ name: "journey", version: "1.0.0" });
    const args = [join(workbench.userDataDir, script), join(workbench.storageFolder, folder)];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  });
  after(async () => {
    await client?.close();
    await leaveEditor();
  });

  async function call(name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { content } = await client.callTool({ name, arguments: input });
    const [part] = content as { readonly text: string }[];
    return JSON.parse(part?.text ?? "") as Record<string, unknown>;
  }

  const mark = (): Promise<string> => workbench.form.locator("#prepared").innerText();

  it("has the tools of the user's level, and fills in the ticket, marked, without an outcome", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...toolNames].sort());
    const { exchange, pair } = await call("bidside_markets", { pair: "BTC/THB" });
    assert.equal(exchange, "Practice");
    const { symbol, bestAsk } = pair as { readonly symbol: string; readonly bestAsk: string };
    assert.equal(symbol, "THB_BTC");
    const answer = await call("bidside_prepareOrder", { ...ORDER, amount: "1000", rate: bestAsk });
    assert.equal(answer["opened"], true, JSON.stringify(answer));
    await waitFor("the mark", async () => (await mark()).startsWith("Prepared by an assistant."));
    assert.equal(await workbench.figure("amount"), "1000");
    assert.equal(await workbench.orders.count(), 0);
    const again = await call("bidside_prepareOrder", { ...ORDER, amount: "2000", rate: bestAsk });
    assert.match(String(again["problem"]), /waits for the user/);
    assert.equal(await workbench.figure("amount"), "1000");
  });

  it("leaves the confirmation to the user: it names who prepared the figures", async () => {
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = performance.now();
    const text = await workbench.modal.innerText();
    assert.match(text, /Prepared by an assistant\. Check every figure\./);
    assert.match(text, / for 1,000\.00 THB on /);
    await waitFor("the user to have read the figures", () => performance.now() - asked > 1500);
    await workbench.answerModal("Buy on Practice");
    await workbench.outcome("accepted your order: 1,000.00 THB");
    assert.equal(await mark(), "");
    const { orders } = await call("bidside_orders");
    assert.match(String((orders as Record<string, unknown>[])[0]?.["state"]), /^accepted/);
  });

  it("is joined by links: one opens a chart, and an invalid one is rejected with the reason", async () => {
    await workbench.openLink("vscode://bidside.bidside/pair/THB_BTC", chartOf(workbench, "THB_BTC"));
    const refusal = workbench.page.locator(".notification-toast", { hasText: "The link was not opened." });
    await workbench.openLink(
      "vscode://bidside.bidside/order?side=buy&pair=THB_BTC&confirm=yes",
      refusal.filter({ hasText: "Unknown in the link: confirm" }),
    );
  });
});
