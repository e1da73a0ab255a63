import assert from "node:assert/strict";
import { waitFor } from "../support/waitFor.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a person who buys and sells on the practice exchange", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.row("THB_BTC").waitFor();
  });
  after(() => leaveEditor(workbench));

  const text = (id: string): Promise<string> => workbench.form.locator(`#${id}`).innerText();

  it("buys at the best ask, and sees the bought asset as what can be sold", async () => {
    await workbench.openTicket();
    const { form } = workbench;
    await workbench.draft({ symbol: "THB_BTC" });
    await form.locator("#use-best-ask").click();
    await workbench.form.locator("#rate-up").click();
    await workbench.draft({ amount: "1000" });
    await workbench.submit();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order");
    await form.locator("#use-last").press("s");
    assert.equal(await text("heading"), "Place Ask");
    await waitFor("the bought asset to arrive", async () => /^0\.000\d+ BTC$/.test(await text("available")));
  });

  it("begins a sale from the asset's row of the Wallet, for the pair of the asset", async () => {
    const { form } = workbench;
    await form.locator("#side-buy").check();
    await workbench.draft({ symbol: "THB_ETH" });
    await workbench.header("Wallet").click();
    await clickAction(workbench.wallet.filter({ hasText: /^BTC/ }).first(), "Sell");
    await waitFor("the ticket to sell", async () => (await text("heading")) === "Place Ask");
    assert.equal(await form.locator("#pair").inputValue(), "BTC/THB");
    await form.locator("#last", { hasText: /\d/ }).waitFor();
  });

  it("is asked about the sale by side, base sold and quote received, and sees it accepted", async () => {
    const { form } = workbench;
    await form.locator("#use-best-bid").click();
    await form.locator('[data-share="1"]').click();
    const amount = await form.locator("#amount").inputValue();
    await workbench.submit();
    await workbench.modal.waitFor();
    const asked = await workbench.modal.innerText();
    for (const part of [
      "Sell BTC/THB on Practice with play money?",
      `Amount: ${amount} BTC`,
      "To receive: about 9",
      "Fee (deducted): about 2.",
      "Balance after this order: 0 BTC",
    ]) {
      assert.ok(asked.includes(part), `${part} in ${asked}`);
    }
    await workbench.screenshot("confirmation-ask");
    await workbench.answerModal("Place Practice Ask");
    await workbench.outcome(`accepted your order: ${amount} BTC for THB at `);
    await workbench.screenshot("ticket-ask");
    assert.deepEqual(await workbench.violations(), []);
  });
});
