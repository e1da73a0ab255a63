import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { toolNames } from "../../src/assistant/access.ts";
import { settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { Workbench } from "./support/workbench.ts";

describe("an assistant outside the editor, and a person", () => {
  let workbench: Workbench;
  let client: Client;

  before(async function () {
    this.timeout(120_000);
    workbench = await Workbench.open("dark", { settings: { [settingKeys.assistantAccess]: "prepare" } });
    await workbench.row("THB_BTC").waitFor();
    const [script] = globSync("extensions/bidside.bidside-*/dist/mcp.js", { cwd: workbench.userDataDir });
    const [windows] = globSync("windows/*/*", { cwd: workbench.storageFolder });
    assert.ok(script !== undefined && windows !== undefined, `${script} ${windows}`);
    client = new Client({ name: "journey", version: "1.0.0" });
    const args = [join(workbench.userDataDir, script), join(workbench.storageFolder, windows)];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  });
  after(async () => {
    await client.close();
    await workbench.close();
  });

  async function call(name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { content } = await client.callTool({ name, arguments: input });
    const [part] = content as { readonly text: string }[];
    return JSON.parse(part?.text ?? "") as Record<string, unknown>;
  }

  const mark = (): Promise<string> => workbench.form.locator("#prepared").innerText();

  it("has the tools of the person's level, and reads the market of the window", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...toolNames].sort());
    const { exchange, pair } = await call("bidside_markets", { pair: "BTC/THB" });
    assert.equal(exchange, "Practice");
    assert.equal((pair as { readonly symbol: string }).symbol, "THB_BTC");
  });

  it("fills in the ticket, marked, and gets no outcome", async () => {
    const { pair } = await call("bidside_markets", { pair: "BTC/THB" });
    const { bestAsk } = pair as { readonly bestAsk: string };
    const answer = await call("bidside_prepareOrder", {
      side: "buy",
      pair: "BTC/THB",
      amount: "1000",
      rate: bestAsk,
    });
    assert.equal(answer["opened"], true, JSON.stringify(answer));
    await waitFor("the mark", async () => (await mark()).startsWith("Prepared by an assistant."));
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    assert.equal(await workbench.orders.count(), 0);
    const again = await call("bidside_prepareOrder", {
      side: "buy",
      pair: "BTC/THB",
      amount: "2000",
      rate: bestAsk,
    });
    assert.match(String(again["problem"]), /waits for the person/);
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    assert.deepEqual(await workbench.violations(), []);
    await workbench.screenshot("ticket-prepared");
  });

  it("leaves the confirmation to the person, who is told who prepared the figures", async () => {
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = performance.now();
    const text = await workbench.modal.innerText();
    assert.match(text, /Prepared by an assistant\. Check every figure\./);
    assert.match(text, /Amount: 1,000\.00 THB/);
    await workbench.screenshot("confirmation-prepared");
    await waitFor("the person to have read the figures", () => performance.now() - asked > 1500);
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order: 1,000.00 THB");
    assert.equal(await mark(), "");
    const { orders } = await call("bidside_orders");
    assert.match(String((orders as Record<string, unknown>[])[0]?.["state"]), /^accepted/);
  });

  it("is joined by a link, which fills in the ticket and says so", async () => {
    await waitFor(
      "10 seconds from one prepared order to the next",
      async () => {
        if (await workbench.form.locator("#prepared", { hasText: "Filled in by a link" }).isVisible())
          return true;
        await workbench.openLink("vscode://bidside.bidside/order?side=buy&pair=THB_BTC&amount=500");
        return false;
      },
      30_000,
    );
    assert.equal(await workbench.form.locator("#amount").inputValue(), "500");
  });
});
