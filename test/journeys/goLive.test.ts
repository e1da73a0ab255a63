import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { livePair, startLive } from "./support/live.ts";
import { restBid } from "./support/restingBid.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a person who goes live with an address, a key and a secret", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;

  before(async () => {
    exchange = await startLive({ api: "current", switches: { streams: streamKinds } });
    name = new URL(exchange.baseUrl).host;
    workbench = await takePractice();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  const asked = (text: string): Locator => workbench.quickInput.getByText(text).first();
  const order = (text: RegExp): Locator => workbench.orders.filter({ hasText: text });
  /** A row of the page about what the exchange offers. */
  const offered = (state: "works" | "untried" | "off", row: string): Locator =>
    workbench.exchangePage.locator(`tr.${state}`, { hasText: row }).first();

  it("gets to the set-up from the choice of exchanges, and sees the error of a wrong address", async () => {
    await workbench.openBox("Bidside: Switch Account", "Switch Account");
    await workbench.pick("Add Account");
    await asked("Live Exchange (1/5)").waitFor();
    for (const [address, problem] of [
      ["nonsense", "not a web address"],
      ["http://api.example.com", "must begin with https://"],
    ] as const) {
      await workbench.quickInput.locator("input.input").fill(address);
      await asked(problem).waitFor();
    }
  });

  it("pastes the address, leaves the set-up at the API key, and continues there later", async () => {
    await workbench.type("Live Exchange", exchange.baseUrl);
    await asked(`API Key for ${exchange.baseUrl} (3/5)`).waitFor();
    assert.equal(exchange.requests.balances, 0, "nothing was signed yet");
    await workbench.press("Escape");
    await workbench.quickInput.waitFor({ state: "hidden" });
    await workbench.command("Bidside: Add Account", asked(`API Key for ${exchange.baseUrl} (3/5)`));
    await workbench.quickInput.locator(".quick-input-left-action-bar .action-label").click();
    await asked("Live Exchange (1/5)").waitFor();
    await workbench.press("Enter");
    await asked("(3/5)").waitFor();
  });

  it("enters a wrong secret, and sees the error and the step that fixes it", async () => {
    await workbench.type("API Key for", livePair.apiKey);
    await workbench.type("API Secret for", "wrong-secret");
    await workbench.quickInput
      .locator("input[placeholder*='error 6: Missing or invalid signature']")
      .waitFor();
    await workbench.pick("Enter the API Secret");
    await workbench.type("API Secret for", livePair.apiSecret);
  });

  it("sees on one page what works, and switches to live only by its button", async () => {
    for (const row of ["Prices", "Order book", "Charts", "Balance", "Open orders", "Order updates"])
      await offered("works", row).waitFor();
    for (const row of ["Buying", "Selling", "Cancelling"]) await offered("untried", row).waitFor();
    assert.equal(await workbench.exchangePage.locator("tr.off").count(), 0);
    await workbench.balance.filter({ hasText: "Practice" }).waitFor();
    await workbench.exchangePage.getByRole("button", { name: "Switch to Live" }).click();
    await workbench.balance.filter({ hasText: "Live 1,000,000 THB" }).waitFor();
    await workbench.page.getByText(`Markets · Live · ${name}`).first().waitFor();
  });

  it("buys with real money, and sees the order rest", async () => {
    await workbench.openTicket();
    await workbench.form.locator("body.live").waitFor();
    await restBid(workbench, `on Live ${name} with real money?`);
    await order(/Buy BTC.* · 0% of /).waitFor();
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("sees a part filled as soon as it is pushed: in the row, below it, in the status bar and in the ticket, without a message", async () => {
    assert.ok(exchange.fillOrder("1", new Decimal("452")));
    const text = /Buy order for BTC\/THB on \S+: now \d+\.\d% filled/;
    await workbench.page.locator(".statusbar-item", { hasText: text }).waitFor();
    assert.equal(await workbench.page.locator(".notification-toast").count(), 0);
    await workbench.outcome(/\d+\.\d% filled so far, at [\d,.]+ THB\./);
    await order(/Buy BTC.* · [1-9]\d*\.\d% of /)
      .locator(".monaco-tl-twistie")
      .click();
    await order(/\d @ [\d,]+\.\d\d.*fee [\d.]+ THB/).waitFor();
  });

  it("keeps the order when asked in its row, then changes it in the ticket: it is cancelled, and the rest filled in", async () => {
    const row = order(/Buy BTC.*\d% of /);
    const question = workbench.modal.filter({ hasText: /Cancel this order for BTC\/THB[^]*% filled/ });
    await clickAction(workbench, row, "Cancel Order", question);
    await workbench.answerModal("Keep Order");
    await workbench.form.getByRole("button", { name: "Change" }).click();
    await question.waitFor();
    assert.equal(exchange.requests.cancelOrder, 0, "the first answer kept the order");
    await workbench.answerModal("Cancel Order");
    await order(/Buy BTC.*% filled, then cancelled/).waitFor();
    assert.equal(exchange.requests.cancelOrder, 1);
    await workbench.form.locator("#prepared", { hasText: "Filled in from an earlier order." }).waitFor();
    assert.match(await workbench.figure("amount"), /^5\d\d(\.\d+)?$/, "1000 less the filled part");
    assert.equal(exchange.requests.placeBid, 1, "nothing is sent");
    // A closed ticket forgets its figures.
    await workbench.closeTicket();
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC" });
  });

  it("sells what was bought, and gets one notification of the fill", async () => {
    await workbench.form.locator("#side-sell").click();
    // Well below the best bid, which may move before the order arrives.
    const last = Number((await workbench.form.locator("#last").innerText()).replaceAll(/[^\d.]/g, ""));
    await workbench.draft({ rate: String(Math.floor(last * 0.99)) });
    await workbench.form.locator('[data-share="1"]').click();
    await workbench.submit();
    await workbench.answerModal("Sell");
    await order(/Sell BTC.* · Filled/).waitFor();
    assert.deepEqual([exchange.requests.placeBid, exchange.requests.placeAsk], [1, 1]);
  });

  it("removes the key, and is led from the status bar to the API key again", async () => {
    await workbench.command("Bidside: Remove API Key and Secret", workbench.modal);
    await workbench.answerModal("Remove");
    await workbench.balance.filter({ hasText: "Live: Set API Key" }).click();
    await asked(`API Key for ${exchange.baseUrl} (3/5)`).waitFor();
    await workbench.press("Escape");
  });

  it("goes back to practice with one choice", async () => {
    await workbench.openBox("Bidside: Switch Account", "Switch Account");
    await workbench.pick("Practice");
    await workbench.balance.filter({ hasText: "Practice 1,000,000 THB" }).waitFor();
    await workbench.form.locator("#venue", { hasText: "Practice" }).waitFor();
  });
});
