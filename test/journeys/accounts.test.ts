import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { commandIds } from "../../src/contributions.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { type SharedHost, shareHost } from "../support/servers/sharedHost.ts";
import { waitFor } from "../support/waitFor.ts";
import { startLive } from "./support/live.ts";
import { restBid } from "./support/restingBid.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

const keyOf = (name: string) => ({ apiKey: `${name}-key`, apiSecret: `${name}-secret` });
const startAt = (name: string): Promise<ProxiedPractice> =>
  startLive({ api: "current", credentials: keyOf(name) });

describe("a trader with three accounts in two windows", () => {
  let first: Workbench;
  let second: Workbench;
  /** The exchanges of the accounts: Main and Savings share an address. */
  let main: ProxiedPractice;
  let savings: ProxiedPractice;
  let other: ProxiedPractice;
  /** Where the other exchange moves to. */
  let moved: ProxiedPractice;
  let shared: SharedHost;

  before(async () => {
    main = await startAt("main");
    savings = await startAt("savings");
    other = await startAt("other");
    moved = await startAt("other");
    shared = await shareHost(
      new Map([
        [keyOf("main").apiKey, main.baseUrl],
        [keyOf("savings").apiKey, savings.baseUrl],
      ]),
    );
    first = await takePractice();
  });
  after(async () => {
    await second?.page.close();
    await leaveEditor();
    for (const each of [shared, main, savings, other, moved]) await each?.close();
  });

  const hostOf = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).host;
  const order = ({ orders }: Workbench, text: RegExp): Locator => orders.filter({ hasText: text });
  const nameOf = (label: string, exchange: { readonly baseUrl: string }): string =>
    `${label} · ${hostOf(exchange)}`;

  async function isOn(workbench: Workbench, label: string): Promise<void> {
    await workbench.balance.filter({ hasText: label }).filter({ hasText: "THB" }).waitFor();
    await workbench.form.locator("#venue", { hasText: label }).waitFor();
  }

  async function switchTo(workbench: Workbench, label: string): Promise<void> {
    await workbench.openBox("Bidside: Switch Account", "Switch Account");
    await workbench.pick(label);
    await isOn(workbench, label);
  }

  async function rename(workbench: Workbench, label: string): Promise<void> {
    await workbench.openBox("Bidside: Rename Account", "Rename Account");
    await workbench.type("Rename Account", label);
    await isOn(workbench, label);
  }

  async function openTicket(workbench: Workbench): Promise<void> {
    await workbench.run(commandIds.placeBid, "THB_BTC");
    await workbench.form.locator("#last", { hasText: /\d/ }).waitFor();
  }

  /** Fills in an order that fills at once: 1 % beyond the last price. */
  async function fillIn(workbench: Workbench, side: "buy" | "sell", amount: string | "all"): Promise<void> {
    const { form } = workbench;
    await form.locator(`#side-${side}`).click();
    const last = Number((await form.locator("#last").innerText()).replaceAll(/[^\d.]/g, ""));
    const rate = side === "buy" ? Math.ceil(last * 1.01) : Math.floor(last * 0.99);
    await workbench.draft({ rate: String(rate), ...(amount !== "all" && { amount }) });
    if (amount === "all") await form.locator('[data-share="1"]').click();
  }

  /** Submits the ticket, reads the account in the question, and says yes. */
  async function confirm(workbench: Workbench, yes: "Buy" | "Sell", name: string): Promise<void> {
    await workbench.submit();
    await workbench.modal.filter({ hasText: `on Live ${name} with real money?` }).waitFor();
    await workbench.answerModal(yes);
  }

  /** Cancels the only open order of a window. */
  async function cancel(workbench: Workbench, name: string): Promise<void> {
    const question = workbench.modal.filter({ hasText: `Cancel this order for BTC/THB on ${name}?` });
    await clickAction(workbench, order(workbench, /Buy BTC.* · 0% of /), "Cancel Order", question);
    await workbench.answerModal("Cancel Order");
  }

  /** Waits until an action has brought one more row of this text to the orders. */
  async function oneMore(workbench: Workbench, text: RegExp, act: () => Promise<void>): Promise<void> {
    const count = await order(workbench, text).count();
    await act();
    await order(workbench, text).nth(count).waitFor();
  }

  /** Buys, sells, bids and cancels in a window. */
  async function trade(workbench: Workbench, name: string): Promise<void> {
    await openTicket(workbench);
    await fillIn(workbench, "buy", "1000");
    await confirm(workbench, "Buy", name);
    await workbench.outcome(/Filled \d/);
    await fillIn(workbench, "sell", "all");
    await confirm(workbench, "Sell", name);
    await workbench.outcome(/Filled \d/);
    await workbench.form.locator("#side-buy").click();
    await restBid(workbench, `on Live ${name} with real money?`);
    await cancel(workbench, name);
    await workbench.outcome("Cancelled");
  }

  function assertRequests(exchange: ProxiedPractice, ...counts: readonly [number, number, number]): void {
    const { placeBid, placeAsk, cancelOrder } = exchange.requests;
    assert.deepEqual([placeBid, placeAsk, cancelOrder], counts);
  }

  it("adds two accounts at one address by key and secret alone, and trades with the second in a second window", async () => {
    const startedAt = performance.now();
    await first.goLive(shared.baseUrl, keyOf("main"));
    second = await first.secondWindow();
    await second.goLive(shared.baseUrl, keyOf("savings"));
    const name = `${hostOf(shared)} 2`;
    await second.balance.filter({ hasText: `${name} 1,000,000 THB` }).waitFor();
    await openTicket(second);
    await fillIn(second, "buy", "1000");
    await confirm(second, "Buy", nameOf(name, shared));
    await second.outcome("accepted your order");
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`    From nothing to a second account trading in a second window: ${seconds.toFixed(0)} s`);
    assertRequests(main, 0, 0, 0);
    assertRequests(savings, 1, 0, 0);
  });

  it("names them, and adds a third at another exchange", async () => {
    await openTicket(first);
    await rename(second, "Savings");
    await rename(first, "Main");
    await first.goLive(other.baseUrl, keyOf("other"));
    await isOn(first, hostOf(other));
    await rename(first, "Other");
    await isOn(second, "Savings");
  });

  it("buys, sells and cancels with two accounts in two windows at the same time, each named in every question", async () => {
    await Promise.all([trade(first, nameOf("Other", other)), trade(second, nameOf("Savings", shared))]);
    assertRequests(other, 2, 1, 1);
    assertRequests(savings, 3, 1, 1);
    assertRequests(main, 0, 0, 0);
  });

  it("does the same with the third, after a switch of one window", async () => {
    await switchTo(first, "Main");
    await trade(first, nameOf("Main", shared));
    assertRequests(main, 2, 1, 1);
    await isOn(second, "Savings");
  });

  it("finds the draft of each account after a switch, and none of another", async () => {
    await first.draft({ amount: "777" });
    await switchTo(first, "Other");
    await waitFor("no amount", async () => (await first.figure("amount")) === "");
    await first.draft({ amount: "888" });
    await switchTo(first, "Main");
    await waitFor("its amount", async () => (await first.figure("amount")) === "777");
  });

  it("switches while an order is on its way, which is recorded for the account that was asked about", async () => {
    main.faults.next("placeBid", { kind: "delay", when: "after", ms: 4000 });
    await fillIn(first, "buy", "1234");
    await confirm(first, "Buy", nameOf("Main", shared));
    await waitFor("the order to arrive", () => main.requests.placeBid === 3);
    await switchTo(first, "Other");
    await switchTo(first, "Main");
    await order(first, /Buy BTC.* · Filled · 1\.234K/)
      .first()
      .waitFor();
    assertRequests(main, 3, 1, 1);
    assertRequests(other, 2, 1, 1);
  });

  it("switches while a cancellation is on its way, which cancels the order of the account that was asked about", async () => {
    await restBid(first, `on Live ${nameOf("Main", shared)} with real money?`);
    main.faults.next("cancelOrder", { kind: "delay", when: "after", ms: 4000 });
    await oneMore(first, /Buy BTC.* · Cancelled/, async () => {
      await cancel(first, nameOf("Main", shared));
      await waitFor("the cancellation to arrive", () => main.requests.cancelOrder === 2);
      await switchTo(first, "Other");
      await switchTo(first, "Main");
    });
    assertRequests(other, 2, 1, 1);
    assertRequests(savings, 3, 1, 1);
  });

  it("loses an account to the other window while a question is open: nothing is sent", async () => {
    await fillIn(first, "buy", "1500");
    await first.submit();
    await first.modal.filter({ hasText: `on Live ${nameOf("Main", shared)}` }).waitFor();
    await second.openBox("Bidside: Switch Account", "Switch Account");
    await second.pick("Main");
    await second.command("Bidside: Remove Account", second.modal);
    await second.answerModal("Remove Account");
    await first.balance.filter({ hasText: "Practice" }).waitFor();
    await first.page.bringToFront();
    await first.answerModal("Buy");
    await first.outcome("Not sent");
    assertRequests(main, 4, 1, 2);
  });

  it("adds the account again with the same key, and its orders continue", async () => {
    await first.goLive(shared.baseUrl, keyOf("main"));
    await isOn(first, hostOf(shared));
    await rename(first, "Main");
    await order(first, /Sell BTC.* · Filled/)
      .first()
      .waitFor();
    await trade(first, nameOf("Main", shared));
    assertRequests(main, 6, 2, 3);
  });

  it("enters another account's key, and is asked whose it is: the window switches to that account", async () => {
    await first.openBox("Bidside: Set API Key and Secret", "API Key for");
    await first.type("API Key for", keyOf("savings").apiKey);
    await first.type("API Secret for", keyOf("savings").apiSecret);
    await first.modal.filter({ hasText: "Another API key was used for Main before." }).waitFor();
    await first.answerModal("Another Account");
    await isOn(first, "Savings");
    await order(first, /Sell BTC.* · Filled/)
      .first()
      .waitFor();
  });

  it("moves the address of an account, whose key is not used there until it is entered again", async () => {
    await switchTo(first, "Other");
    await first.command("Bidside: Edit Account");
    const text = first.page.locator('.monaco-editor[data-uri^="bidside:"] .view-lines');
    await text.filter({ hasText: `"baseUrl": "${other.baseUrl}"` }).waitFor();
    await first.run("editor.action.selectAll");
    await first.run("paste", {
      text: JSON.stringify({ ...other.profile, baseUrl: moved.baseUrl, name: "Other" }),
    });
    await first.run("workbench.action.files.save");
    await first.balance.filter({ hasText: "Other: Set API Key" }).waitFor();
    await waitFor("prices of the new address", () => moved.requests.tickers > 0);
    const { wallet, balances, openOrders } = moved.requests;
    assert.deepEqual([wallet, balances, openOrders], [0, 0, 0]);
    await first.enterKey(keyOf("other"));
    await first.balance.filter({ hasText: "Other 1,000,000 THB" }).waitFor();
  });
});
