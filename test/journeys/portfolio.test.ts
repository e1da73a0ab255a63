import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { pageWith } from "./support/pages.ts";
import { untilShown } from "./support/repeat.ts";
import { rowMenu } from "./support/rows.ts";
import { leaveEditor, takeEditor, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a person who wants to know what all of it is worth", () => {
  let workbench: Workbench;
  let page: FrameLocator;

  before(async () => {
    workbench = await takeEditor({ settings: { [settingKeys.statusBalance]: "todaysResult" } });
    await workbench.row("THB_BTC").waitFor();
    await unfold(workbench, "Wallet");
    page = pageWith(workbench.page, "#days");
  });
  after(() => leaveEditor());

  it("sees the result of today in the status bar and the wallet's header in the first minute", async () => {
    await workbench.balance.filter({ hasText: /^\s*Practice [+-]?[\d,.]+ THB today$/ }).waitFor();
    await workbench
      .header("Wallet")
      .filter({ hasText: /THB · [+-]?[\d,.]+ today/ })
      .waitFor();
  });

  it("adds coins of a cold wallet, and sees them valued below what no order can use", async () => {
    await workbench.openBox("Bidside: Add Holding…", "Add Holding");
    for (const [prompt, text] of [
      ["Which asset", "btc"],
      ["How much BTC", "2"],
      ["What did you pay", "3,000,000"],
      ["Where is it", "cold wallet"],
    ] as const) {
      await workbench.quickInput.getByText(prompt).waitFor();
      await workbench.type("Add Holding", text);
    }
    const held = workbench.wallet.filter({ hasText: /^BTC\s*2\s+[\d,]+\.\d\d\s.*cold wallet/ });
    await held.waitFor();
    await workbench.wallet.filter({ hasText: /^Elsewhere\s*[\d,]+\.\d\d/ }).waitFor();
    const file = join(dirname(workbench.journalFolder), "holdings.json");
    assert.match(readFileSync(file, "utf8"), /"quantity": "2"/);
    await workbench.balance.filter({ hasText: /Practice [+-]?[\d,]{1,7}\.\d\d THB today/ }).waitFor();
  });

  it("opens the Portfolio page, reads its tables, and chooses another range by keyboard", async () => {
    await untilShown(
      "Open Portfolio",
      () => workbench.run(commandIds.openPortfolio),
      page.locator("#total", { hasText: "THB" }),
    );
    await page.locator("#assets tr", { hasText: /BTC · cold wallet\s*2\s*[\d,]+\.\d\d/ }).waitFor();
    const today = page.locator("#figures div", { hasText: "Today" });
    await today.waitFor();
    const days = page.getByRole("table", { name: "By Day" }).getByRole("row");
    await waitFor("the day with its deposit", async () =>
      /\+[\d,]{7,}\.\d\d$/.test((await days.last().innerText()).trim()),
    );
    const year = page.getByRole("button", { name: "1 year" });
    await year.press("Enter");
    await page.getByRole("button", { name: "1 year", pressed: true }).waitFor();
    await workbench.screenshot("portfolio");
  });

  it("has the page again after a reload of the window, with its range", async () => {
    await workbench.reload(page.locator("#total", { hasText: "THB" }));
    await page.getByRole("button", { name: "1 year", pressed: true }).waitFor();
    await page.locator("#assets tr", { hasText: "BTC · cold wallet" }).waitFor();
  });

  it("removes the holding in its menu, and the total follows", async () => {
    const held = workbench.wallet.filter({ hasText: /cold wallet/ }).first();
    const gone = workbench.page.locator(".notification-list-item", { hasText: "was removed" });
    await rowMenu(workbench, held, "Remove Holding", gone);
    await held.waitFor({ state: "detached" });
    await page.locator("#assets tr", { hasText: "cold wallet" }).waitFor({ state: "detached" });
  });
});
