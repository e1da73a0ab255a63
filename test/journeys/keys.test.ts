import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import { waitFor } from "../support/waitFor.ts";
import { untilShown } from "./support/repeat.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

let workbench: Workbench;

/** Presses a chord until what it leads to is on screen: Ctrl+K, then Ctrl+Shift with a letter. */
function chord(letter: string, there: Locator): Promise<true> {
  return untilShown(
    `Ctrl+K Ctrl+Shift+${letter}`,
    async () => {
      await workbench.press("Control+K");
      await workbench.press(`Control+Shift+${letter}`);
    },
    there,
  );
}

/** The title of the pick or input box that is open. */
const titled = (title: string): Locator =>
  workbench.quickInput.locator(".quick-input-title", { hasText: title });

describe("a trader who uses keys", () => {
  before(async () => {
    workbench = await takePractice();
  });
  after(() => leaveEditor());

  async function choosePair(typed: string, symbol: string): Promise<void> {
    await chord("F", titled("Find a Pair"));
    await workbench.quickInput.locator("input.input").fill(typed);
    const entry = workbench.quickInput.locator(".monaco-list-row", { hasText: symbol });
    await entry.filter({ hasText: /\d%/ }).waitFor();
    await workbench.press("Enter");
    await workbench.row(symbol).and(workbench.page.locator(".selected")).waitFor();
    await workbench.quickInput.waitFor({ state: "hidden" });
  }

  it("opens the order ticket, which has the focus on its first field", async () => {
    await chord("B", workbench.form.locator("body"));
    await workbench.ticketIsReady();
    await workbench.form.locator("#pair:focus").waitFor();
    await workbench.draft({ symbol: "THB_BTC", amount: "5000" });
  });

  it("opens a chart beside the ticket from one of its fields, and types nothing into the field", async () => {
    await workbench.form.locator("#amount").focus();
    const groups = workbench.page.locator(".editor-group-container");
    await chord("G", groups.nth(1));
    await groups.nth(0).locator(".tab.active", { hasText: "Order Ticket" }).waitFor();
    await groups.nth(1).locator(".tab.active", { hasText: "Chart" }).waitFor();
    assert.equal(await groups.count(), 2);
    await workbench.chart.locator("#chart:focus").waitFor();
    assert.equal(await workbench.figure("amount"), "5000");
  });

  it("bids for another pair with two chords, the amount, Enter and Enter, and types the next amount", async () => {
    const { form } = workbench;
    await choosePair("eth", "THB_ETH");
    await chord("B", form.locator("#amount:focus"));
    await waitFor("the empty amount of ETH/THB", async () => {
      const [pair, amount] = [form.locator("#pair"), form.locator("#amount:focus")];
      return (await pair.inputValue()) === "ETH/THB" && (await amount.inputValue()) === "";
    });
    const follows = workbench.page.locator('.tab[aria-label*="ETH/THB Chart"]');
    assert.equal(await follows.count(), 1, "the chart follows");
    await workbench.page.keyboard.type("1000");
    await workbench.press("Enter");
    await workbench.modal.filter({ hasText: /Buy about [\d.]+ ETH for 1,000\.00 THB/ }).waitFor();
    await workbench.press("Enter");
    await workbench.outcome("accepted your order");
    await workbench.orders.filter({ hasText: "ETH" }).first().waitFor();
    await workbench.page.keyboard.type("7");
    await waitFor("the next amount", async () => (await workbench.figure("amount")) === "7");
  });

  it("finds the figures of the first pair as they were typed", async () => {
    await choosePair("THB_BTC", "THB_BTC");
    await waitFor("the amount of BTC/THB", async () => (await workbench.figure("amount")) === "5000");
  });

  it("adds an alert", async () => {
    await chord("A", titled("Add Alert"));
    await workbench.press("Escape");
  });
});

/** A command that opens a pick or an input box, and a text that proves it is open. */
interface Way {
  readonly command: string;
  readonly shows: string;
}

const ways: readonly Way[] = [
  { command: "Add Account", shows: "Paste the address of the exchange's API" },
  { command: "Sort Markets", shows: "highest first" },
  { command: "Find a Pair", shows: "THB_BTC" },
  { command: "Add Alert", shows: "Add Alert: BTC/THB" },
];

describe("a pick or an input box that opens over the order ticket", () => {
  before(async () => {
    workbench = await takePractice();
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
  });
  after(() => leaveEditor());

  for (const { command, shows } of ways)
    it(`has the focus: ${command}`, async () => {
      await workbench.form.locator("#amount").click();
      // The editor gives the focus back to the page some time after the palette closed, which may close the pick on a busy computer.
      const open = async (): Promise<void> => {
        await workbench.command(`Bidside: ${command}`);
      };
      await untilShown(command, open, workbench.quickInput.getByText(shows));
      await workbench.quickInput.locator("input.input:focus").waitFor();
      await workbench.press("Escape");
    });
});
