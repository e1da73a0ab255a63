import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { toolNames } from "../../src/assistant/access.ts";
import { APART_MS } from "../../src/assistant/preparedSlot.ts";
import { settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { chartOf } from "./support/openChart.ts";
import { withStreams } from "./support/openLive.ts";
import { cutOff, givePageWidth, NARROW } from "./support/pageWidth.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const ORDER = { side: "buy", pair: "BTC/THB" };

describe("an assistant outside the editor, and a person", () => {
  let workbench: Workbench;
  let second: Workbench;
  let client: Client;
  let windows: string;
  let filledInAt = 0;

  before(async () => {
    // Also for the next stories with this editor, whose persons watch prices and orders that are streamed.
    workbench = await takePractice({
      settings: {
        ...withStreams,
        [settingKeys.refreshSeconds]: 1,
        [settingKeys.assistantAccess]: "prepare",
      },
    });
    await workbench.row("THB_BTC").waitFor();
    const [script] = globSync("extensions/bidside.bidside-*/dist/mcp.js", { cwd: workbench.userDataDir });
    const [folder] = globSync("windows/*/*", { cwd: workbench.storageFolder });
    assert.ok(script !== undefined && folder !== undefined, `${script} ${folder}`);
    windows = join(workbench.storageFolder, folder);
    client = new Client({ name: "journey", version: "1.0.0" });
    const args = [join(workbench.userDataDir, script), windows];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  });
  after(async () => {
    await client.close();
    await second.page.close();
    await leaveEditor(workbench);
  });

  async function call(name: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { content } = await client.callTool({ name, arguments: input });
    const [part] = content as { readonly text: string }[];
    return JSON.parse(part?.text ?? "") as Record<string, unknown>;
  }

  /** The file of the window that is called: its first number is the highest. */
  function frontServer(): string | undefined {
    const number = (file: string): number => Number.parseInt(readFileSync(join(windows, file), "utf8"), 10);
    // Without the file that is about to take a server's place, and may be gone before it is read.
    const servers = readdirSync(windows).filter((name) => /^door-[0-9a-f]+$/.test(name));
    return servers.sort((a, b) => number(b) - number(a))[0];
  }

  /** The user goes from one window to another one. A headless browser lets every page believe that it has the focus. */
  async function goTo(to: Workbench, from: Workbench): Promise<void> {
    for (const [{ page }, hasFocus] of [
      [to, false],
      [from, false],
      [to, true],
    ] as const)
      await page.evaluate((isFocused) => {
        const { document, dispatchEvent } = globalThis as unknown as {
          readonly document: { hasFocus: () => boolean };
          dispatchEvent(event: Event): void;
        };
        document.hasFocus = () => isFocused;
        dispatchEvent(new Event(isFocused ? "focus" : "blur"));
      }, hasFocus);
    await to.page.bringToFront();
  }

  /** How many pages of ours a window has. */
  const pagesOf = ({ page }: Workbench): Promise<number> => page.locator("iframe.webview").count();

  const mark = (): Promise<string> => workbench.form.locator("#prepared").innerText();

  it("has the tools of the user's level, and reads the market of the window", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...toolNames].sort());
    const { exchange, pair } = await call("bidside_markets", { pair: "BTC/THB" });
    assert.equal(exchange, "Practice");
    assert.equal((pair as { readonly symbol: string }).symbol, "THB_BTC");
  });

  it("fills in the ticket, marked, and gets no outcome", async () => {
    const { pair } = await call("bidside_markets", { pair: "BTC/THB" });
    const { bestAsk } = pair as { readonly bestAsk: string };
    const answer = await call("bidside_prepareOrder", { ...ORDER, amount: "1000", rate: bestAsk });
    assert.equal(answer["opened"], true, JSON.stringify(answer));
    await waitFor("the mark", async () => (await mark()).startsWith("Prepared by an assistant."));
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    assert.equal(await workbench.orders.count(), 0);
    const again = await call("bidside_prepareOrder", { ...ORDER, amount: "2000", rate: bestAsk });
    assert.match(String(again["problem"]), /waits for the user/);
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
  });

  it("has the mark in words that are readable in each kind of theme, and in a narrow column", async () => {
    const size = workbench.page.viewportSize() ?? assert.fail();
    for (const theme of ["light", "highContrast", "highContrastLight", "dark"] as const) {
      await workbench.useTheme(theme);
      assert.deepEqual(await workbench.violations("colours"), [], theme);
      await workbench.screenshot(`${theme}-prepared`);
    }
    await givePageWidth(workbench, NARROW);
    assert.deepEqual(await cutOff(workbench), []);
    assert.deepEqual(await workbench.violations(), []);
    await workbench.screenshot("prepared-narrow");
    await workbench.page.setViewportSize(size);
    assert.match(await mark(), /^Prepared by an assistant\./);
  });

  it("leaves the confirmation to the user: it names who prepared the figures", async () => {
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = performance.now();
    const text = await workbench.modal.innerText();
    assert.match(text, /Prepared by an assistant\. Check every figure\./);
    assert.match(text, /Amount: 1,000\.00 THB/);
    await workbench.screenshot("confirmation-prepared");
    await waitFor("the user to have read the figures", () => performance.now() - asked > 1500);
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order: 1,000.00 THB");
    assert.equal(await mark(), "");
    const { orders } = await call("bidside_orders");
    assert.match(String((orders as Record<string, unknown>[])[0]?.["state"]), /^accepted/);
  });

  it("is joined by links: one opens a chart, and an invalid one is rejected with the reason", async () => {
    await workbench.openLink("vscode://bidside.bidside/pair/THB_BTC");
    await chartOf(workbench, "THB_BTC").waitFor();
    const notification = workbench.page.locator(".notification-toast", {
      hasText: "The link was not opened.",
    });
    // The editor shows three messages at most: the order's fill may be one.
    for (const [path, reason] of [
      ["pair/THB_NOSUCH", "Practice does not list the pair THB_NOSUCH."],
      ["order?side=buy&pair=THB_BTC&confirm=yes", "Unknown in the link: confirm"],
    ] as const) {
      await workbench.openLink(`vscode://bidside.bidside/${path}`);
      await notification.filter({ hasText: reason }).waitFor();
    }
    await workbench.screenshot("link-refused");
    await workbench.command("Notifications: Clear All Notifications");
  });

  it("is joined by a link that fills in the ticket and says so", async () => {
    await waitFor(
      "10 seconds from one prepared order to the next",
      async () => {
        if (await workbench.form.locator("#prepared", { hasText: "Filled in from a link" }).isVisible())
          return true;
        await workbench.openLink("vscode://bidside.bidside/order?side=buy&pair=THB_BTC&amount=500");
        return false;
      },
      30_000,
    );
    filledInAt = performance.now();
    assert.equal(await workbench.form.locator("#amount").inputValue(), "500");
    await workbench.command("View: Close All Editors");
  });

  it("opens the next order in the window in front, and only there", async () => {
    const before = frontServer();
    second = await workbench.secondWindow();
    await waitFor("the second window to be in front", () => frontServer() !== before);
    await waitFor("10 seconds since the link", () => performance.now() - filledInAt > APART_MS, 30_000);
    const answer = await call("bidside_prepareOrder", { ...ORDER, amount: "700", rate: "100" });
    assert.equal(answer["opened"], true, JSON.stringify(answer));
    await second.form.locator("#prepared", { hasText: "Prepared by an assistant." }).waitFor();
    assert.equal(await second.form.locator("#amount").inputValue(), "700");
    assert.equal(await pagesOf(workbench), 0);
  });

  it("is refused in the other window while that order is open", async () => {
    const before = frontServer();
    await goTo(workbench, second);
    await waitFor("the first window to be in front", () => frontServer() !== before);
    const answer = await call("bidside_prepareOrder", { ...ORDER, amount: "800", rate: "100" });
    assert.match(String(answer["problem"]), /waits for the user in the order ticket of this or another/);
    assert.equal(await pagesOf(workbench), 0);
    assert.equal(await second.form.locator("#amount").inputValue(), "700");
  });
});
