import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader whose extension host stops", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
  });
  // Its browser remembers the crash, so no other story continues in this editor.
  after(() => workbench.close());

  /** The process of the extension host: it serves the practice exchange. */
  function hostProcess(): number {
    const [lock = assert.fail("no lock")] = globSync("practice/serving-*", { cwd: workbench.storageFolder });
    const { pid } = JSON.parse(readFileSync(join(workbench.storageFolder, lock), "utf8")) as { pid: number };
    return pid;
  }

  it("sees that the ticket is dead, reloads the window from it, and has one ticket with the same draft", async () => {
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC", amount: "321" });
    process.kill(hostProcess(), "SIGKILL");
    const note = workbench.form.locator("#silent");
    await note.waitFor({ timeout: 20_000 });
    assert.equal(await workbench.form.locator("#submit").isDisabled(), true);
    await workbench.screenshot("stopped-host");
    await note.getByText("Reload Window").click();
    await workbench.page.locator("iframe.webview.ready").first().waitFor({ state: "detached" });
    await workbench.ticketIsBack();
    assert.equal(await workbench.form.locator("#amount").inputValue(), "321");
    await workbench.command("Bidside: Place Bid");
    assert.equal(await workbench.page.locator('.tab[aria-label^="Order Ticket"]').count(), 1);
  });
});
