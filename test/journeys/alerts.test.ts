import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import { serveExchange, type TestExchange } from "../support/servers/exchange.ts";
import { answerOf } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { accountAt } from "../support/builders/account.ts";
import { untilShown } from "./support/repeat.ts";
import { clickAction, rowMenu } from "./support/rows.ts";
import { leaveEditor, takeEditor, unfold } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader with a price alert", () => {
  let workbench: Workbench;
  let service: TestExchange;

  before(async () => {
    service = await serveExchange();
    show(100);
    workbench = await takeEditor({ accounts: [accountAt(service.url)] });
    await workbench.row("THB_BTC").filter({ hasText: "100.00" }).waitFor();
    await unfold(workbench, "Alerts");
  });
  after(async () => {
    await leaveEditor();
    await service.close();
  });

  function show(last: number): void {
    const result = {
      THB_BTC: { id: 1, last, percentChange: 0.5 },
      THB_ETH: { id: 2, last: 7, percentChange: -1 },
    };
    service.answers.tickers = answerOf(200, JSON.stringify({ error: 0, result }));
  }

  /** The market has this price, and Bidside polls it. */
  async function move(last: number): Promise<void> {
    show(last);
    await workbench.run(commandIds.refresh);
    await workbench
      .row("THB_BTC")
      .filter({ hasText: `${last}.00` })
      .waitFor();
  }

  /** The row of an alert that is on and waits for a price. */
  const alert = (price: string): Locator =>
    workbench.alerts.filter({ hasText: new RegExp(`BTC/THB\\s*rises to ${price}$`) });

  const toast = (): Locator => workbench.page.locator(".notification-toast", { hasText: "BTC/THB rose to" });

  /** Types until the box answers: the editor may lose a key, and validates a moment after the last one. */
  async function typed(text: string, answer: string): Promise<void> {
    const input = workbench.quickInput.locator("input.input");
    const type = async (): Promise<void> => {
      await input.fill("");
      await input.fill(text);
    };
    await untilShown(`typing ${text}`, type, workbench.quickInput.getByText(answer).first());
  }

  it("adds an alert from a pair, and sees the error of a wrong price", async () => {
    await workbench.openBox("Bidside: Add Alert…", "Add Alert");
    await workbench.quickInput
      .locator(".monaco-list-row", { hasText: "THB_BTC" })
      .filter({ hasText: "+0.50%" })
      .waitFor();
    await workbench.pick("THB_BTC");
    const input = workbench.quickInput.locator("input.input");
    await workbench.quickInput.getByText("Add Alert: BTC/THB").waitFor();
    assert.equal(await input.inputValue(), "");
    await typed("100", "This is the last price, 100.00.");
    await typed("105", "rises to 105.00 (+5.00%)");
    await workbench.press("Enter");
    await alert("105.00").waitFor();
  });

  it("edits the alert in the same box, filled in with its price", async () => {
    const edit = workbench.quickInput.getByText("Edit Alert: BTC/THB");
    await clickAction(workbench, alert("105.00"), "Edit Alert…", edit);
    assert.equal(await workbench.quickInput.locator("input.input").inputValue(), "105");
    await typed("110", "rises to 110.00 (+10.00%)");
    await workbench.press("Enter");
    await alert("110.00").waitFor();
    assert.equal(await workbench.alerts.count(), 1);
  });

  it("gets one notification when the price is reached, and bids from it", async () => {
    await move(111);
    // The editor hides a toast after a while, but not under the pointer.
    await toast().hover();
    for (const last of [112, 109, 113]) {
      await move(last);
      assert.equal(await toast().count(), 1);
    }
    await toast().getByRole("button", { name: "Buy…" }).click();
    await workbench.ticketIsReady();
    await waitFor("the price of the alert", async () => (await workbench.figure("rate")) === "111");
  });

  it("finds the fired alert in the view, turns it on again by its checkbox, and snoozes it from the next notification", async () => {
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await row.filter({ hasText: "fired" }).waitFor();
    await move(100);
    await untilShown("a checkbox", () => row.locator(".monaco-custom-toggle").click(), alert("110.00"));
    await move(115);
    await toast().getByRole("button", { name: "Snooze" }).click();
    await row.filter({ hasText: "snoozed until" }).waitFor();
  });

  it("removes the alert", async () => {
    const row = workbench.alerts.filter({ hasText: "rises to 110" });
    await rowMenu(workbench, row, "Remove Alert", workbench.page.getByText("No alerts yet."));
  });
});
