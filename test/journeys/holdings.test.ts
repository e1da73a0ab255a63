import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { chooseInChart, showChart } from "./support/openChart.ts";
import { untilShown } from "./support/repeat.ts";
import { clickAction, rowMenu } from "./support/rows.ts";
import { leaveEditor, takePractice, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const MASK = "•••";

describe("a person who buys, holds and sells", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await unfold(workbench, "Wallet");
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
  });
  after(() => leaveEditor());

  /** The text of the wallet's row with this label, without the spaces of its columns. */
  const row = async (label: string): Promise<string> => {
    const texts = await workbench.wallet.allInnerTexts();
    return (
      texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).find((text) => text.startsWith(label)) ?? ""
    );
  };

  async function bid(amount: string): Promise<void> {
    await workbench.draft({ amount });
    await workbench.submit();
    await workbench.answerModal("Buy on Practice");
    await workbench.outcome("accepted your order");
  }

  it("sees what a resting order reserves, and that the total does not fall", async () => {
    await workbench.form.locator("#use-last").click();
    const last = Number(await workbench.figure("rate"));
    await workbench.draft({ rate: (last * 0.85).toFixed(2) });
    await bid("5000");
    await workbench.balance.filter({ hasText: "Practice 995,000 THB" }).waitFor();
    await waitFor("the reserved amount in the wallet", async () =>
      /^Reserved ?5,000\.00$/.test(await row("Reserved")),
    );
    for (const label of ["THB", "Total"])
      assert.match(await row(label), new RegExp(`^${label} ?1,000,000\\.00`));
  });

  it("sees quantity, value, average cost and result of what was bought", async () => {
    await workbench.form.locator("#use-best-ask").click();
    // So far above the ask that the bid fills at once, even if the market moves.
    for (let step = 0; step < 5; step += 1) await workbench.form.locator("#rate-up").click();
    await bid("245000");
    const btc = workbench.wallet
      .filter({ hasText: /^BTC\s*0\.\d+\s+[\d,]+\.\d\d\s+[+-]?\d+\.\d\d%/ })
      .first();
    await btc.waitFor();
    await workbench.wallet.filter({ hasText: /^Total\s*[\d,.]+\s+[+-]?\d+\.\d\d%/ }).waitFor();
    const expand = (): Promise<void> => btc.locator(".monaco-tl-twistie").click();
    const average = workbench.wallet.filter({ hasText: /^Average cost\s*[\d,.]+ THB$/ });
    await untilShown("a row's expansion", expand, average);
    await average.hover();
    const unrealised = /^Unrealised result\s*.*% \([+-][\d.,]+ THB\)$/;
    // The last rows are below the view.
    await workbench.page.mouse.wheel(0, 1000);
    for (const text of [unrealised, /^Fills since\s*\S/])
      await workbench.wallet.filter({ hasText: text }).waitFor();
    await workbench.page.mouse.wheel(0, -1000);
  });

  it("sees the open order, the fill and the average cost in the chart, and hides a kind in its menu, which is a setting", async () => {
    await showChart(workbench, "THB_BTC");
    const marks = workbench.chart.locator("#marks li");
    const average = marks.filter({ hasText: /^Average cost [\d,.]+$/ });
    for (const text of [
      /^Average cost [\d,.]+$/,
      /^Open order: Buy 0\.00\d+ at [\d,.]+$/,
      /^Bought 0\.\d+ at [\d,.]+, /,
    ])
      await marks.filter({ hasText: text }).first().waitFor({ state: "attached" });
    await chooseInChart(workbench, '[data-mark="averageCost"]');
    await average.waitFor({ state: "detached" });
    const settings = join(workbench.userDataDir, "User", "settings.json");
    await waitFor("the setting", () => readFileSync(settings, "utf8").includes(settingKeys.showAverageCost));
  });

  it("hides every amount at once, and still sees every price and every figure in the question before a bid", async () => {
    await workbench.command("Bidside: Toggle Privacy Mode");
    await workbench.balance.filter({ hasText: `Practice ${MASK} THB` }).waitFor();
    await workbench.wallet.filter({ hasText: new RegExp(`^Total\\s*${MASK}\\s`) }).waitFor();
    await workbench.orders
      .filter({ hasText: /Buy BTC.* · (?:Filled|\d+%)\s*$/ })
      .first()
      .waitFor();
    await workbench.form.locator("#available", { hasText: `${MASK} THB` }).waitFor();
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
    const shown = await workbench.page.locator("body").innerText();
    assert.doesNotMatch(shown, /750,000|245,?000/);
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.modal.filter({ hasText: "for 1,000.00 THB on Practice" }).waitFor();
    await workbench.answerModal("Cancel");
    const off = workbench.header("Wallet").locator('.action-label[aria-label*="Turn Off Privacy Mode"]');
    const show = async (): Promise<void> => {
      await workbench.header("Wallet").hover();
      await off.click();
    };
    await untilShown("Turn Off Privacy Mode", show, workbench.balance.filter({ hasText: "750,000 THB" }));
  });

  it("sells from the asset's row of the Wallet, and is asked by side, base sold and quote received", async () => {
    const { form } = workbench;
    const asks = form.locator("#heading", { hasText: "Sell" });
    await clickAction(workbench, workbench.wallet.filter({ hasText: /^BTC/ }).first(), "Sell", asks);
    assert.equal(await form.locator("#pair").inputValue(), "BTC/THB");
    await form.locator("#use-best-bid").click();
    await form.locator('[data-share="1"]').click();
    const amount = await form.locator("#amount").inputValue();
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = await workbench.modal.innerText();
    // How much the bid bought by now depends on the book, and it may buy more before the question.
    assert.ok(asked.includes(`Sell ${amount} BTC for about `), asked);
    assert.match(asked, /about [\d,]+\.\d\d THB on Practice with play money\?/);
    assert.match(asked, /Fee \(deducted\): about [\d.]+ THB\nBalance after this order: [\d.]+ BTC/);
    await workbench.answerModal("Sell on Practice");
    await workbench.outcome(`accepted your order: ${amount} BTC for THB at `);
  });

  it("sees the line of a clicked order emphasised, keeps it when asked by Delete, and changes its price from its row", async () => {
    const { chart, form, modal, orders } = workbench;
    const open = orders.filter({ hasText: /Buy BTC.* · 0% of 5K/ });
    const line = chart.locator("#marks li", { hasText: /^Open order: Buy .* \(selected\)$/ });
    await untilShown(
      "an order's line",
      () => open.click(),
      async () => (await line.count()) === 1,
    );
    const question = modal.filter({ hasText: "Cancel this order for BTC/THB" });
    await untilShown("Delete", () => workbench.press("Delete"), question);
    await workbench.answerModal("Keep Order");
    await rowMenu(workbench, open, "Change Price…", question);
    await workbench.answerModal("Cancel Order");
    await waitFor("the rest of the order", async () => (await workbench.figure("amount")) === "5000");
    await form.locator("#rate:focus").waitFor();
    await open.waitFor({ state: "detached" });
  });
});
