import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { streamKinds } from "../../src/practice/stream/address.ts";
import { livePair } from "./support/openLive.ts";
import { restBid } from "./support/restingBid.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

/** The limit from *Set Up Live Exchange* to an accepted order, with address, key and secret in the clipboard. */
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The last one is that of the other stories. */
const THEMES: readonly Theme[] = ["light", "highContrast", "dark"];

let workbench: Workbench;
let exchange: ProxiedPractice;

const asked = (title: string): Locator => workbench.quickInput.getByText(title).first();
const order = (text: RegExp): Locator => workbench.orders.filter({ hasText: text });

/** Presses the button of the page, and opens a ticket at the exchange. */
async function switchToLive(): Promise<void> {
  await workbench.exchangePage.getByRole("button", { name: "Switch to Live" }).click();
  await workbench.balance.filter({ hasText: `${new URL(exchange.baseUrl).host} 1,000,000.00 THB` }).waitFor();
  await workbench.openTicket();
  await workbench.form.locator("body.live").waitFor();
}

/** A row of the page about what the exchange offers. */
const offered = (state: "works" | "untried" | "off", name: string): Locator =>
  workbench.exchangePage.locator(`tr.${state}`, { hasText: name }).first();

describe("a person who goes live with an address, a key and a secret", () => {
  let began: number;

  before(async () => {
    exchange = await startProxiedPractice({
      credentials: livePair,
      now: Date.now,
      api: "current",
      switches: { streams: streamKinds },
    });
    workbench = await takePractice();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  it("pastes the address, and is asked for a key next", async () => {
    began = Date.now();
    await workbench.command("Bidside: Set Up Live Exchange");
    await asked("Live Exchange (1/5)").waitFor();
    await workbench.screenshot("go-live-1-address");
    await workbench.type("Live Exchange", exchange.baseUrl);
    await asked("API Key for").waitFor();
    assert.equal(exchange.requests.balances, 0, "nothing was signed yet");
    await workbench.screenshot("go-live-2-key");
  });

  it("pastes key and secret, and sees on one page what works and what the first order will show", async () => {
    await workbench.type("API Key for", livePair.apiKey);
    await asked("API Secret for").waitFor();
    await workbench.screenshot("go-live-3-secret");
    await workbench.type("API Secret for", livePair.apiSecret);
    for (const name of ["Prices", "Order book", "Charts", "Balance", "Open orders", "Order updates"])
      await offered("works", name).waitFor();
    for (const name of ["Buying", "Selling", "Cancelling"]) await offered("untried", name).waitFor();
    assert.equal(await workbench.exchangePage.locator("tr.off").count(), 0);
    assert.deepEqual(await workbench.violations(), []);
    for (const theme of THEMES) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`go-live-4-result-${theme}`);
      assert.deepEqual(await workbench.violations("colours"), [], theme);
    }
  });

  it("switches to live and buys, less than a minute after the first command", async () => {
    await switchToLive();
    await restBid(workbench);
    const ms = Date.now() - began;
    console.log(`From "Set Up Live Exchange" to the first live order: ${(ms / 1000).toFixed(1)} s.`);
    assert.ok(ms < MINUTE_MS, `${ms} ms`);
    await order(/Buy BTC.*0% @/).waitFor();
    await workbench.screenshot("go-live-5-bought");
    assert.equal(exchange.requests.placeBid, 1);
  });

  it("sees a part of the bid filled as it happens", async () => {
    assert.ok(exchange.fillOrder("1", new Decimal("452")));
    await order(/Buy BTC.*[1-9]\d*\.\d\d% @/).waitFor();
    await workbench.screenshot("go-live-6-filled");
  });

  it("cancels the rest", async () => {
    const question = workbench.modal.filter({ hasText: "Cancel this order for BTC/THB" });
    await clickAction(order(/Buy BTC.*\d% @/), "Cancel Order");
    await question.waitFor();
    await workbench.answerModal("Cancel Order");
    await order(/Buy BTC.*% filled, then cancelled @/).waitFor();
    assert.equal(exchange.requests.cancelOrder, 1);
  });

  it("sells what was bought", async () => {
    await workbench.form.locator("#side-sell").click();
    // Well below the best bid, which may move before the order arrives.
    const last = Number((await workbench.form.locator("#last").innerText()).replaceAll(/[^\d.]/g, ""));
    await workbench.draft({ rate: String(Math.floor(last * 0.99)) });
    await workbench.form.locator('[data-share="1"]').click();
    await workbench.submit();
    await workbench.answerModal("Place Ask");
    await workbench.outcome("accepted your order");
    await order(/Sell BTC.*Filled @/).waitFor();
    await workbench.screenshot("go-live-7-sold");
    assert.deepEqual([exchange.requests.placeBid, exchange.requests.placeAsk], [1, 1]);
  });
});

describe("a person whose set-up goes wrong, and whose exchange moves later", () => {
  before(async () => {
    // Without streams, which would only take time: the story is about requests.
    exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
    // The exchange's clock, so this computer's seems to be an hour slow.
    exchange.faults.clockSkewMs = HOUR_MS;
    workbench = await takePractice();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  /** Waits for the set-up to name a problem, and chooses what to do. */
  async function choose(problem: string, entry: string, picture: string): Promise<void> {
    await workbench.quickInput.locator(`input[placeholder*="${problem}"]`).waitFor();
    await workbench.screenshot(picture);
    await workbench.pick(entry);
  }

  it("learns that nothing answers at the address, and corrects it", async () => {
    const { baseUrl, close } = await startProxiedPractice({ credentials: livePair, now: Date.now });
    await close();
    await workbench.command("Bidside: Set Up Live Exchange");
    await workbench.type("Live Exchange", baseUrl);
    await choose("the connection was refused", "Change the Address", "set-up-no-network");
    await workbench.type("Live Exchange", exchange.baseUrl);
  });

  it("learns that the secret is wrong, and then that the key lacks a permission", async () => {
    await workbench.type("API Key for", livePair.apiKey);
    await workbench.type("API Secret for", "wrong-secret");
    await choose(
      "error 6: Missing or invalid signature",
      "Enter the API Secret",
      "set-up-secret-of-another-key",
    );
    await asked("API Secret for").waitFor();
    for (const endpoint of ["wallet", "wallet", "balances"] as const)
      exchange.faults.next(endpoint, { kind: "code", when: "before", code: 52 });
    await workbench.type("API Secret for", livePair.apiSecret);
    await choose("Grant the API key the required permission", "Try Again", "set-up-no-permission");
  });

  it("learns how far the computer's clock is off, and trades by the exchange's clock", async () => {
    await offered("works", "Balance").waitFor();
    await offered("off", "Clock").filter({ hasText: "60 min slow" }).waitFor();
    await workbench.screenshot("set-up-clock");
    await switchToLive();
    await restBid(workbench);
    await order(/Buy BTC.*0% @/).waitFor();
  });

  it("is offered the new path of the prices when the old one answers 404, and continues with it", async () => {
    await exchange.changeApi("current");
    await workbench.command("Bidside: Refresh");
    const offer = workbench.page.locator(".notification-toast", {
      hasText: "moved its price endpoint from /api/market/ticker to /api/v3/market/ticker.",
    });
    await offer.waitFor();
    await workbench.screenshot("moved-offer");
    await offer.getByText("Use the New Path…").click();
    await offered("works", "Moved from /api/market/ticker to /api/v3/market/ticker").waitFor();
    await workbench.screenshot("moved-result");
    await workbench.exchangePage.getByRole("button", { name: "Use the New Settings" }).click();
    await workbench.message.waitFor({ state: "hidden" });
    await workbench.row("THB_BTC").filter({ hasNotText: "stale" }).waitFor();
    await clickAction(order(/Buy BTC.*0% @/), "Cancel Order");
    await workbench.modal.filter({ hasText: "Cancel this order for BTC/THB" }).waitFor();
    await workbench.answerModal("Cancel Order");
    await order(/Buy BTC.*Cancelled @/).waitFor();
  });
});
