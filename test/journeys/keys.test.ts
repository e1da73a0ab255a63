import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { waitFor } from "../support/waitFor.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

// U10
describe("a trader who uses keys", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.row("THB_BTC").waitFor();
  });
  after(() => leaveEditor(workbench));

  /** Presses a chord: Ctrl+K, then Ctrl+Shift with a letter. */
  async function chord(letter: string): Promise<void> {
    await workbench.press("Control+K");
    await workbench.press(`Control+Shift+${letter}`);
  }

  /** The element with this selector, in the page of ours that has one. */
  async function inSomePage(selector: string): Promise<Locator | undefined> {
    for (const frame of workbench.page.frames()) {
      const found = frame.locator(selector);
      if ((await found.count()) > 0) return found;
    }
    return undefined;
  }

  it("opens the order ticket, which has the focus on its first field", async () => {
    await chord("B");
    await workbench.ticketIsReady();
    await workbench.form.locator("#pair:focus").waitFor();
    await workbench.draft({ symbol: "THB_BTC", amount: "5000" });
  });

  it("opens a chart beside the ticket from one of its fields, and types nothing into the field (U2)", async () => {
    await workbench.form.locator("#amount").focus();
    await chord("G");
    await workbench.pick("THB_BTC");
    const { page } = workbench;
    await page.locator(".editor-group-container").nth(1).waitFor();
    const groups = page.locator(".editor-group-container");
    await groups.nth(0).locator(".tab.active", { hasText: "Order Ticket" }).waitFor();
    await groups.nth(1).locator(".tab.active", { hasText: "Chart" }).waitFor();
    assert.equal(await groups.count(), 2);
    await waitFor(
      "the chart to have the focus",
      async () => (await inSomePage("#chart:focus")) !== undefined,
    );
    assert.equal(await (await inSomePage("#amount"))?.inputValue(), "5000");
    await workbench.screenshot("ticket-beside-chart");
  });

  it("adds an alert, and finds a pair", async () => {
    await chord("A");
    await workbench.quickInput.getByText("Add Alert").first().waitFor();
    await workbench.press("Escape");
    await chord("F");
    await workbench.quickInput.getByText("Find a Pair").first().waitFor();
    await workbench.press("Escape");
  });
});
