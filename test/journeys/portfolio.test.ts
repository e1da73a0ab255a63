import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { accountAt } from "../support/builders/account.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { startLive } from "./support/live.ts";
import { pageWith } from "./support/pages.ts";
import { untilShown } from "./support/repeat.ts";
import { rowMenu } from "./support/rows.ts";
import { leaveEditor, takeEditor, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/** Answers the questions of Add Holding. */
async function enterColdWallet(workbench: Workbench): Promise<void> {
  for (const [prompt, text] of [
    ["Which asset", "btc"],
    ["How much BTC", "2"],
    ["What did you pay", "3,000,000"],
    ["Where is it", "cold wallet"],
  ] as const) {
    await workbench.quickInput.getByText(prompt).waitFor();
    await workbench.type("Add Holding", text);
  }
}

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
    await enterColdWallet(workbench);
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

  it("shows all values in another asset, and reads through which pairs they were found", async () => {
    const choose = async (asset: string): Promise<void> => {
      await workbench.openBox("Bidside: Show Values In…", "Show Values In");
      await workbench.quickInput.locator("input.input").fill(asset);
      await workbench.pick(asset);
    };
    await choose("USDT");
    await page.locator("#total", { hasText: /^[\d,.]+ USDT$/ }).waitFor();
    const held = page.locator("#assets tr", { hasText: "BTC · cold wallet" });
    await held.locator(".path", { hasText: "BTC → THB → USDT" }).waitFor();
    await workbench
      .header("Wallet")
      .filter({ hasText: /USDT · .* today/ })
      .waitFor();
    await workbench.balance.filter({ hasText: /USDT today/ }).waitFor();
    await choose("Automatic");
    await page.locator("#total", { hasText: "THB" }).waitFor();
  });

  it("removes the holding in its menu, and the total follows", async () => {
    const held = workbench.wallet.filter({ hasText: /cold wallet/ }).first();
    const gone = workbench.page.locator(".notification-list-item", { hasText: "was removed" });
    await rowMenu(workbench, held, "Remove Holding", gone);
    await held.waitFor({ state: "detached" });
    await page.locator("#assets tr", { hasText: "cold wallet" }).waitFor({ state: "detached" });
  });
});

describe("a person who has set no key", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startLive();
    workbench = await takeEditor({ accounts: [accountAt(exchange.baseUrl)] });
    await workbench.row("THB_BTC").waitFor();
    await unfold(workbench, "Wallet");
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  it("enters what is in a cold wallet, as the empty Wallet offers, and reads its value and result in Portfolio", async () => {
    const offer = workbench.page.getByRole("button", { name: "Add Holding" });
    await untilShown("Add Holding", () => offer.click(), workbench.quickInput.getByText("Which asset"));
    await enterColdWallet(workbench);
    await workbench.wallet.filter({ hasText: /^Total\s*[\d,]+\.\d\d/ }).waitFor();
    const page = pageWith(workbench.page, "#days");
    await untilShown(
      "Open Portfolio",
      () => workbench.run(commandIds.openPortfolio),
      page.locator("#total", { hasText: /^[\d,]{7,}\.\d\d THB$/ }),
    );
    await page.locator("#assets tr", { hasText: /BTC · cold wallet\s*2\s*[\d,]+\.\d\d\s*100\.0%/ }).waitFor();
    await page.locator("#figures div", { hasText: "Unrealised result" }).waitFor();
  });
});
