import assert from "node:assert/strict";
import { waitFor } from "../support/waitFor.ts";
import { withHistory } from "./support/openLive.ts";
import { rowAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a newcomer on the practice exchange", () => {
  let workbench: Workbench;

  before(async () => {
    // For the next stories with this editor, whose person opens a chart.
    workbench = await takePractice({ settings: withHistory });
  });
  after(() => leaveEditor(workbench));

  it("sees a market that moves, and a million to spend", async () => {
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await workbench.row("THB_BTC").waitFor();
    assert.ok((await workbench.rows.count()) > 10);
    const before = await workbench.row("THB_BTC").innerText();
    assert.match(before, /BTC\s*[\d,]+\.\d\d\s+[+-]?\d+\.\d\d%/);
    await waitFor("the price to move", async () => (await workbench.row("THB_BTC").innerText()) !== before);
  });

  it("reads the whole ticker by pointing at a row", async () => {
    const hover = workbench.page.locator(".workbench-hover", { hasText: "Best ask" });
    // A hand at a mouse: the editor drops the tooltip of a row that it paints, until the mouse moves.
    const text = await waitFor("the tooltip", async () => {
      for (const part of [".label-name", ".label-description"])
        await workbench.row("THB_BTC").locator(part).first().hover();
      return await hover.innerText({ timeout: 1500 }).catch(() => undefined);
    });
    for (const part of ["Best bid", "High, 24 h", "Low, 24 h", "Volume, 24 h"]) {
      assert.ok(text.replaceAll("\u00a0", " ").includes(part), part);
    }
    await workbench.screenshot("markets-tooltip");
    await workbench.page.mouse.move(700, 600);
  });

  it("opens the order ticket from the palette, and sees an error beside each missing field", async () => {
    await workbench.openTicket();
    const { form } = workbench;
    await workbench.submit();
    await form.locator("#pair-error", { hasText: "Choose a pair." }).waitFor();
    await form.locator("#amount-error", { hasText: "Enter the amount to spend." }).waitFor();
    await workbench.draft({ symbol: "THB_BTC", amount: "1,000", rate: "abc" });
    await workbench.submit();
    await form.locator("#rate-error", { hasText: "Use digits and at most one decimal point" }).waitFor();
    assert.equal(await form.locator("#amount").inputValue(), "1,000", "the typed text stays");
    assert.equal(await form.locator("#pair-error").innerText(), "");
    await workbench.screenshot("form-errors");
  });

  it("sees quantity, fee and remainder while typing", async () => {
    const { form } = workbench;
    await workbench.draft({ amount: "1000", rate: "3000000" });
    assert.equal(await form.locator("#fee").innerText(), "2.50 THB");
    assert.equal(await form.locator("#quantity").inputValue(), "0.0003325");
    assert.equal(await form.locator("#available").innerText(), "1,000,000.00 THB");
    await form.locator("#quantity").fill("0.001");
    assert.equal(await form.locator("#amount").inputValue(), "3007.52");
  });

  it("is asked before anything is sent, and the answer no sends nothing", async () => {
    await workbench.form.locator("#use-best-ask").click();
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = await workbench.modal.innerText();
    for (const part of [
      "Buy BTC/THB on Practice with play money?",
      "Amount: 1,000.00 THB",
      "Limit price: ",
      " above the last price",
      "Quantity: about 0.000",
      "Fee (included): about 2.50 THB",
      "Balance after this order: 999,000.00 THB",
    ]) {
      assert.ok(asked.includes(part), `${part} in ${asked}`);
    }
    await workbench.screenshot("confirmation");
    await workbench.answerModal("Cancel");
    await workbench.outcome("Not sent: you cancelled.");
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
  });

  it("places a bid and sees the balance fall", async () => {
    await workbench.submit();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("Practice accepted your order: 1,000.00 THB for BTC at ");
    await workbench.balance.filter({ hasText: "Practice 999,000.00 THB" }).waitFor();
    await workbench.form.locator("#available", { hasText: "999,000.00 THB" }).waitFor();
    assert.equal(await workbench.form.locator("#amount").inputValue(), "", "no second submission by mistake");
    await workbench.screenshot("accepted");
  });

  it("reads beside the rate how far from the last price it may be, before anything is asked or sent", async () => {
    await workbench.draft({ amount: "1000", rate: "1000000" });
    await workbench.submit();
    await workbench.form
      .locator("#rate-error", { hasText: /^Too far below the last price\. The minimum is [\d,.]+ THB\.$/ })
      .waitFor();
    assert.equal(await workbench.modal.count(), 0);
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    await workbench.balance.filter({ hasText: "Practice 999,000.00 THB" }).waitFor();
    await workbench.screenshot("too-far-below");
  });

  it("has an empty ticket when it was closed and is opened again from a row; Escape does not close it", async () => {
    await workbench.draft({ amount: "1234.5" });
    await workbench.form.locator("#amount").press("Escape");
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1234.5");
    await workbench.closeTicket();
    await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    await rowAction(workbench, "THB_ETH", "Place Bid", workbench.page.locator("iframe.webview.ready"));
    const pair = workbench.form.locator("#pair");
    await waitFor("the form to be filled in", async () => (await pair.inputValue()) === "ETH/THB");
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
    assert.equal(await workbench.form.locator("#amount").inputValue(), "");
    const last = (await workbench.form.locator("#last").innerText()).replaceAll(",", "");
    assert.ok(Math.abs(Number(await workbench.form.locator("#rate").inputValue()) / Number(last) - 1) < 0.01);
  });

  it("finds balance, refresh, venue and key behind the status item", async () => {
    await workbench.balance.click();
    for (const entry of [
      "Place Bid",
      "Refresh",
      "Switch Exchange…",
      "Set Up Live Exchange…",
      "999,000.00 THB",
    ]) {
      await workbench.quickInput.locator(".monaco-list-row", { hasText: entry }).first().waitFor();
    }
    await workbench.screenshot("balance-pick");
    await workbench.press("Escape");
  });

  it("tests the connection and sees what the practice exchange offers", async () => {
    await workbench.command("Bidside: Test Connection");
    const offers = workbench.exchangePage;
    for (const name of ["Prices", "Order book", "Charts", "Balance", "Open orders"])
      await offers.locator("tr.works", { hasText: name }).first().waitFor();
    assert.equal(await offers.getByRole("button").count(), 0, "there is nothing to set up");
    await workbench.screenshot("connection-test");
    await workbench.closeTab();
  });

  it("reads the results of the connection test in the log", async () => {
    await workbench.command("Bidside: Show Log");
    const lines = workbench.page.locator(".output-view .view-line");
    // The newest lines, at the end of the log: the panel draws no others.
    for (const part of ["wallet", "openOrders", "orderHistory"])
      await lines
        .filter({ hasText: new RegExp(`\\[info\\].127\\.0\\.0\\.1:\\d+:.${part}.found`) })
        .first()
        .waitFor();
    await workbench.screenshot("log");
    await workbench.command("View: Hide Panel");
  });

  it("finds ticket and draft again after the window was reloaded", async () => {
    await workbench.draft({ amount: "1234.5" });
    await workbench.reload();
    assert.equal(await workbench.form.locator("#pair").inputValue(), "ETH/THB");
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1234.5");
  });

  it("finds the account again after a restart of the editor", async () => {
    await workbench.restart();
    await workbench.balance.filter({ hasText: "Practice 999,000.00 THB" }).waitFor();
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
  });

  it("sees one market and one account in two windows, and continues after one of them is closed", async () => {
    const second = await workbench.secondWindow();
    await second.balance.filter({ hasText: "Practice 999,000.00 THB" }).waitFor();
    await second.openTicket();
    await second.draft({ symbol: "THB_BTC", amount: "100" });
    await second.form.locator("#use-best-ask").click();
    await second.submit();
    await second.answerModal("Place Practice Bid");
    await second.balance.filter({ hasText: "Practice 998,900.00 THB" }).waitFor();
    await workbench.command("Bidside: Refresh");
    await workbench.balance.filter({ hasText: "Practice 998,900.00 THB" }).waitFor();
    await workbench.page.close();
    workbench = second;
    await workbench.command("Bidside: Refresh");
    const before = await workbench.row("THB_BTC").innerText();
    await waitFor(
      "the market to move on",
      async () => (await workbench.row("THB_BTC").innerText()) !== before,
    );
    assert.equal(await workbench.message.isVisible(), false);
  });

  it("resets the practice account after a confirmation", async () => {
    await workbench.command("Bidside: Reset Practice Account");
    await workbench.modal.filter({ hasText: "Your live account is not affected" }).waitFor();
    await workbench.screenshot("reset-practice");
    await workbench.answerModal("Reset Practice Account");
    await workbench.balance.filter({ hasText: "Practice 1,000,000.00 THB" }).waitFor();
    await workbench.orders.filter({ hasText: /(Filled|Accepted) @ .* · 1,000\.00 THB/ }).waitFor();
  });
});
