import assert from "node:assert/strict";
import { commandIds } from "../../src/contributions.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { livePair, startLive } from "./support/live.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import { type Workbench } from "./support/workbench.ts";

describe("a trader who submits one draft more than once", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;

  before(async () => {
    exchange = await startLive();
    name = new URL(exchange.baseUrl).host;
    workbench = await takeLive(exchange.baseUrl);
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#use-best-ask").click();
  });
  after(async () => {
    await leaveEditor();
    await exchange.close();
  });

  /** Answers the only question, and checks that no second question follows. */
  async function confirmOnce(): Promise<void> {
    await workbench.modal.waitFor();
    assert.equal(await workbench.modal.count(), 1);
    await workbench.answerModal("Buy");
  }

  it("is asked once after a double click, and places one order", async () => {
    await workbench.draft({ amount: "100" });
    await workbench.form.locator("#submit").dblclick();
    await confirmOnce();
    await workbench.outcome(`${name} accepted your order: 100.00 THB`);
    assert.equal(await workbench.modal.count(), 0);
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("cannot answer the question by holding the Enter key that opened the question", async () => {
    await workbench.draft({ amount: "200" });
    await workbench.form.locator("#amount").focus();
    for (let repeat = 0; repeat < 40; repeat++) await workbench.page.keyboard.down("Enter");
    assert.equal(await workbench.modal.count(), 0, "a held key opens no question");
    await workbench.page.keyboard.up("Enter");
    await workbench.modal.waitFor();
    assert.equal(exchange.requests.placeBid, 1);
    await confirmOnce();
    await workbench.outcome(`${name} accepted your order: 200.00 THB`);
    assert.equal(exchange.requests.placeBid, 2);
  });

  it("reloads the window instead of answering: nothing was sent, and the draft is still there", async () => {
    await workbench.draft({ amount: "400" });
    await workbench.submit();
    await workbench.modal.waitFor();
    await workbench.reload();
    await workbench.enterKey(livePair);
    assert.equal(exchange.requests.placeBid, 2);
    assert.equal(await workbench.figure("amount"), "400");
  });

  it("reloads the window while the bid is on its way, reads that its outcome is unknown, and is referred to Orders", async () => {
    exchange.faults.next("placeBid", { kind: "delay", when: "after", ms: 20_000 });
    await workbench.draft({ amount: "500" });
    await workbench.submit();
    await workbench.answerModal("Buy");
    await waitFor("the bid to arrive", () => exchange.requests.placeBid === 3);
    await workbench.reload();
    // Without the key, no balance can prove the bid placed meanwhile.
    await workbench.outcome(/The outcome of your order is unknown: 500\.00 THB for BTC/);
    assert.equal(await workbench.figure("amount"), "500");
    assert.equal(await workbench.modal.count(), 0, "nothing is asked");
    assert.equal(exchange.requests.placeBid, 3);
    await workbench.form.locator("#status-action", { hasText: "Show Orders" }).click();
    await workbench.orders.filter({ hasText: / · 500/ }).waitFor();
  });
});
