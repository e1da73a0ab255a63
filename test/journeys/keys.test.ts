import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { waitFor } from "../support/waitFor.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader who uses keys", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    // A pair in front would be the ticket's.
    await workbench.reloadEmpty();
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

  it("opens a chart beside the ticket from one of its fields, and types nothing into the field", async () => {
    await workbench.form.locator("#amount").focus();
    await chord("G");
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

  it("bids for another pair with two chords, the amount, Enter and Enter", async () => {
    await chord("F");
    await workbench.quickInput.locator("input.input").fill("eth");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: "THB_ETH" })
      .filter({ hasText: /\d%/ })
      .waitFor();
    await workbench.press("Enter");
    await workbench.row("THB_ETH").and(workbench.page.locator(".selected")).waitFor();
    await workbench.quickInput.waitFor({ state: "hidden" });
    await chord("B");
    await waitFor("the focus in the empty amount of ETH/THB", async () => {
      const [pair, amount] = [await inSomePage("#pair"), await inSomePage("#amount:focus")];
      return (await pair?.inputValue()) === "ETH/THB" && (await amount?.inputValue()) === "";
    });
    const chart = (await inSomePage("#chart")) ?? assert.fail("no chart");
    assert.equal(
      await chart.page().locator('.tab[aria-label*="ETH/THB Chart"]').count(),
      1,
      "the chart follows",
    );
    await workbench.page.keyboard.type("1000");
    await workbench.press("Enter");
    await workbench.modal.filter({ hasText: "Buy ETH/THB" }).waitFor();
    await workbench.press("Enter");
    await waitFor("the outcome", async () =>
      /accepted your order/.test((await (await inSomePage("#status"))?.innerText()) ?? ""),
    );
    await workbench.orders.filter({ hasText: "ETH" }).first().waitFor();
  });

  it("finds the figures of the first pair as they were typed", async () => {
    await chord("F");
    await workbench.quickInput.locator("input.input").fill("THB_BTC");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: "THB_BTC" })
      .filter({ hasText: /\d%/ })
      .waitFor();
    await workbench.press("Enter");
    await waitFor(
      "the amount of BTC/THB",
      async () => (await (await inSomePage("#amount"))?.inputValue()) === "5000",
    );
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
