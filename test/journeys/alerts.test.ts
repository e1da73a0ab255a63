import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { answerOf } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takeEditor, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader with a price alert", () => {
  let workbench: Workbench;
  let service: TestExchange;

  before(async () => {
    service = await serveExchange();
    show(100);
    workbench = await takeEditor();
    // A pair in front would answer the first question.
    await workbench.reloadEmpty();
    await workbench.goLive(service.url);
    // The practice market has this pair too, at another price.
    await workbench.row("THB_BTC").filter({ hasText: "100.00" }).waitFor();
    await unfold(workbench, "Alerts");
  });
  after(async () => {
    await leaveEditor(workbench);
    await service.close();
  });

  function show(last: number): void {
    const result = {
      THB_BTC: { id: 1, last, percentChange: 0.5 },
      THB_ETH: { id: 2, last: 7, percentChange: -1 },
    };
    service.answers.tickers = answerOf(200, JSON.stringify({ error: 0, result }));
  }

  /** The row of an alert that is on and waits for a price. */
  const alert = (price: string, window = workbench): Locator =>
    window.alerts.filter({ hasText: new RegExp(`BTC/THB\\s*rises to ${price}$`) });

  const toast = (window = workbench): Locator =>
    window.page.locator(".notification-toast", { hasText: "BTC/THB rose to" });

  it("adds an alert from a pair, and sees the error of a wrong price", async () => {
    await workbench.command("Bidside: Add Alert…");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: "THB_BTC" })
      .filter({ hasText: "+0.50%" })
      .waitFor();
    await workbench.pick("THB_BTC");
    await workbench.pick("When the price rises to");
    const input = workbench.quickInput.locator("input.input");
    await workbench.quickInput.getByText("Price in THB per BTC").waitFor();
    assert.deepEqual([await input.inputValue(), await input.getAttribute("placeholder")], ["", "100"]);
    await workbench.screenshot("alert-price");
    /** Types again if the editor lost a key: the editor validates a moment after the last key. */
    const typed = (text: string, answer: string): Promise<unknown> =>
      waitFor(`"${answer}" for ${text}`, async () => {
        await input.fill("");
        await input.fill(text);
        const seen = workbench.quickInput.getByText(answer).waitFor({ timeout: 2000 });
        return await seen.then(
          () => true,
          () => false,
        );
      });
    await typed("1e3", "Use digits and at most one decimal point");
    await typed("99", "Must be above the last price, 100.00.");
    await workbench.screenshot("alert-problem");
    await typed("105", "Price in THB per BTC");
    await workbench.press("Enter");
    await workbench.pick("Once");
    await alert("105.00").waitFor();
    await workbench.screenshot("alerts");
  });

  it("edits the alert in the same prompts, filled in with its current values", async () => {
    await clickAction(alert("105.00"), "Edit Alert…");
    await workbench.quickInput.getByText("Edit Alert: BTC/THB").waitFor();
    await workbench.pick("When the price rises to");
    const input = workbench.quickInput.locator("input.input");
    await workbench.quickInput.getByText("Price in THB per BTC").waitFor();
    assert.equal(await input.inputValue(), "105");
    await input.fill("110");
    await workbench.press("Enter");
    await workbench.pick("Once");
    await alert("110.00").waitFor();
    assert.equal(await workbench.alerts.count(), 1);
  });

  it("gets one notification, in one of two windows, when the price is reached, and bids from it", async () => {
    const second = await workbench.secondWindow();
    await alert("110.00", second).waitFor();
    show(111);
    await workbench.command("Bidside: Refresh");
    await second.command("Bidside: Refresh");
    const windows = [workbench, second];
    const notified = await waitFor("the toast", async () => {
      const counts = await Promise.all(windows.map((window) => toast(window).count()));
      return windows.find((_, index) => counts[index] !== 0);
    });
    // The editor hides a toast after a while, but not under the pointer.
    await toast(notified).hover();
    await second.screenshot("alert-fired");
    const others = windows.filter((window) => window !== notified);
    for (const last of [112, 109, 113]) {
      show(last);
      await second.command("Bidside: Refresh");
      await second
        .row("THB_BTC")
        .filter({ hasText: `${last}.00` })
        .waitFor();
      assert.equal(await toast(notified).count(), 1);
      for (const other of others) assert.equal(await toast(other).count(), 0);
    }
    await notified.page.bringToFront();
    await toast(notified).getByRole("button", { name: "Place Bid" }).click();
    await notified.ticketIsReady();
    await waitFor(
      "the price of the alert",
      async () => (await notified.form.locator("#rate").inputValue()) === "111",
    );
    await second.page.close();
  });

  it("finds the fired alert in the view, and turns the alert on again by its checkbox", async () => {
    await workbench.page.bringToFront();
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await row.filter({ hasText: "fired" }).waitFor();
    show(100);
    await workbench.command("Bidside: Refresh");
    await workbench.row("THB_BTC").filter({ hasText: "100.00" }).waitFor();
    await row.locator(".monaco-custom-toggle").click();
    await alert("110.00").waitFor();
    show(115);
    await workbench.command("Bidside: Refresh");
    await toast().getByRole("button", { name: "Snooze" }).click();
    await row.filter({ hasText: "snoozed until" }).waitFor();
    await workbench.screenshot("alert-snoozed");
  });

  it("finds the alerts again after a restart of the editor, and removes an alert", async () => {
    await workbench.restart();
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await clickAction(row, "Remove Alert");
    await row.waitFor({ state: "detached" });
  });
});
