import assert from "node:assert/strict";
import { waitFor } from "../support/waitFor.ts";
import { until } from "./support/repeat.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takeEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("the first look at Markets", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takeEditor({ isFirstLook: true });
  });
  after(() => leaveEditor());

  it("opens the chart and the ticket of the first pair side by side, with a line that can be dismissed", async () => {
    const { form, page } = workbench;
    const hint = form.locator("#status-text", { hasText: "Click a price, type an amount, press Enter." });
    await hint.waitFor();
    const groups = page.locator(".editor-group-container");
    assert.equal(await groups.count(), 2);
    assert.match(await groups.first().locator(".tab.active").innerText(), /Chart$/);
    await form.getByRole("button", { name: "Got It" }).click();
    await hint.waitFor({ state: "detached" });
  });
});

describe("a newcomer on the practice exchange", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
  });
  after(() => leaveEditor());

  it("sees a market that moves", async () => {
    assert.ok((await workbench.rows.count()) > 10);
    const before = await workbench.row("THB_BTC").innerText();
    assert.match(before, /BTC\s*[\d,]+\.\d\d\s+[+-]?\d+\.\d\d%/);
    await waitFor("the price to move", async () => (await workbench.row("THB_BTC").innerText()) !== before);
  });

  it("reads the whole ticker by pointing at a row", async () => {
    const hover = workbench.page.locator(".workbench-hover", { hasText: "Best ask" });
    // The editor drops the tooltip of a row that it paints, until the mouse moves.
    const text = await until("the tooltip of a row", async () => {
      for (const part of [".label-name", ".label-description"])
        await workbench.row("THB_BTC").locator(part).first().hover();
      return await hover.innerText({ timeout: 1500 });
    });
    for (const part of ["Best bid", "Range, 24 h", "Spread", "Volume, 24 h"]) {
      assert.ok(text.replaceAll("\u00a0", " ").includes(part), part);
    }
    await workbench.page.mouse.move(700, 600);
  });

  it("opens the order ticket from the palette, with the order book of the pair", async () => {
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC", amount: "1000" });
    await workbench.form.locator("#ladder .level:visible").nth(29).waitFor();
    await workbench.form.locator("#use-best-ask").click();
    // So far above the ask that the bid fills at once.
    for (let step = 0; step < 5; step += 1) await workbench.form.locator("#rate-up").click();
  });

  it("is asked before anything is sent, and the answer no sends nothing", async () => {
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = await workbench.modal.innerText();
    for (const part of [
      "Buy about 0.000",
      " BTC for 1,000.00 THB on Practice with play money?",
      "Limit price: ",
      " above the last price",
      "Fee (included): about 2.50 THB",
      "Balance after this order: 999,000.00 THB",
    ]) {
      assert.ok(asked.includes(part), `${part} in ${asked}`);
    }
    await workbench.answerModal("Cancel");
    await workbench.outcome("Not sent: you cancelled.");
    await workbench.balance.filter({ hasText: "Practice 1,000,000 THB" }).waitFor();
  });

  it("places a bid and sees the balance fall", async () => {
    await workbench.submit();
    await workbench.answerModal("Buy on Practice");
    await workbench.outcome("Practice accepted your order: 1,000.00 THB for BTC at ");
    await workbench.balance.filter({ hasText: "Practice 999,000 THB" }).waitFor();
    await workbench.form.locator("#available", { hasText: "999,000.00 THB" }).waitFor();
    assert.equal(await workbench.figure("amount"), "", "no second submission by mistake");
  });

  it("has an empty ticket when it was closed and is opened again from a row; Escape does not close it", async () => {
    await workbench.draft({ amount: "1234.5" });
    await workbench.form.locator("#amount").press("Escape");
    assert.equal(await workbench.figure("amount"), "1234.5");
    await workbench.closeTicket();
    await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    await clickAction(
      workbench,
      workbench.row("THB_ETH"),
      "Place Bid",
      workbench.form.locator("#last", { hasText: /\d/ }),
    );
    assert.equal(await workbench.form.locator("#pair").inputValue(), "ETH/THB");
    assert.equal(await workbench.figure("amount"), "");
    const last = (await workbench.form.locator("#last").innerText()).replaceAll(",", "");
    assert.ok(Math.abs(Number(await workbench.figure("rate")) / Number(last) - 1) < 0.01);
  });

  it("finds balance, refresh, exchange and key behind the status item", async () => {
    await workbench.balance.click();
    for (const entry of ["Buy…", "Refresh", "Switch Account…", "Add Account…", "999,000.00 THB"]) {
      await workbench.quickInput.locator(".monaco-list-row", { hasText: entry }).first().waitFor();
    }
    await workbench.press("Escape");
  });

  it("tests the connection, and sees what the practice exchange offers, also in the log", async () => {
    const offers = workbench.exchangePage;
    await workbench.command("Bidside: Test Connection", offers.locator("tr.works"));
    for (const name of ["Prices", "Order book", "Charts", "Balance", "Open orders"])
      await offers.locator("tr.works", { hasText: name }).first().waitFor();
    assert.equal(await offers.getByRole("button").count(), 0, "there is nothing to set up");
    const lines = workbench.page.locator(".output-view .view-line");
    await workbench.command("Bidside: Show Log", lines);
    // The newest line, at the end of the log: the panel draws no others.
    await lines
      .filter({ hasText: /\[info\].127\.0\.0\.1:\d+:.orderHistory.found/ })
      .first()
      .waitFor();
  });

  it("resets the practice account after a confirmation, and keeps the list of orders", async () => {
    await workbench.command(
      "Bidside: Reset Practice Account",
      workbench.modal.filter({ hasText: "Your live account is not affected" }),
    );
    await workbench.answerModal("Reset Practice Account");
    await workbench.balance.filter({ hasText: "Practice 1,000,000 THB" }).waitFor();
    await workbench.orders.filter({ hasText: / · (Filled|Accepted) · 1K/ }).waitFor();
  });
});
