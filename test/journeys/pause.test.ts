import assert from "node:assert/strict";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { within } from "../../tools/test/story.ts";
import { cancelElsewhere } from "./support/cancelElsewhere.ts";
import { livePair, withOrderTracking } from "./support/openLive.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader whom the exchange asks to wait, while an order vanishes from all lists of the exchange", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    ({ workbench, exchange } = await takeLive({ settings: withOrderTracking }));
    await workbench.openTicket();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  /** Submits a bid of 1000 THB that the exchange answers with HTTP 429, with Retry-After if `seconds` are given. */
  async function meetPause(seconds?: number): Promise<void> {
    await workbench.draft({ symbol: "THB_BTC", amount: "1000" });
    await workbench.form.locator("#use-best-ask").click();
    exchange.faults.next("placeBid", {
      kind: "rateLimited",
      when: "before",
      ...(seconds !== undefined && { seconds }),
    });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(/Too many requests/);
  }

  async function seeCountdown(bids = 2, amount = "1000"): Promise<void> {
    await workbench.form.locator("#wait", { hasText: /\d+ s/ }).waitFor();
    assert.ok(await workbench.form.locator("#submit").isDisabled());
    assert.equal(await workbench.form.locator("#amount").inputValue(), amount);
    assert.equal(exchange.requests.placeBid, bids);
  }

  // First of all, because such an order is looked up for a minute, which the pauses let pass.
  it("sees an order as open until the exchange no longer lists it", async () => {
    await workbench.draft({ symbol: "THB_BTC", amount: "800" });
    await workbench.form.locator("#use-best-bid").click();
    const best = Number(await workbench.form.locator("#rate").inputValue());
    const rate = Math.floor(best * 0.9);
    await workbench.draft({ rate: String(rate) });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    // The rate distinguishes this order from one of the previous exchange, whose rows are on screen for a moment.
    await workbench.orders.filter({ hasText: `0% @ ${rate.toLocaleString("en-US")}.00` }).waitFor();
    exchange.switches.cancelledKeptMs = 0;
    await cancelElsewhere(exchange, "1");
  });

  it("sees the remaining time, keeps the draft, and submits after the pause", async () => {
    await meetPause();
    await seeCountdown();
    assert.equal(await workbench.modal.count(), 0, "no question opens during the pause");
    await within("sit out a pause", () => workbench.form.locator("#submit:not([disabled])").waitFor());
    await workbench.form.locator("#rate-up").click();
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(/accepted your order: 1,000\.00 THB/);
    assert.equal(exchange.requests.placeBid, 3);
  });

  it("can read the countdown in other themes, and axe finds no violation", async () => {
    // Long enough for all later steps on any computer: this pause is the last.
    await meetPause(300);
    await seeCountdown(4);
    for (const [index, theme] of (["light", "highContrast"] as const).entries()) {
      await workbench.useTheme(theme);
      await seeCountdown(4);
      assert.deepEqual(await workbench.violations(index === 0 ? "all" : "colours"), []);
      await workbench.screenshot(`countdown-${theme}`);
    }
  });

  it("sees after a minute that no list has the order, which stays among the open ones, neither cancelled nor filled", async () => {
    const row = workbench.orders.filter({ hasText: /Buy BTC.*Not listed · 0% @ .* 800\.00 THB/ });
    await within("see an order vanish", () => row.waitFor());
    assert.doesNotMatch(await row.innerText(), /cancelled|filled/i);
    await workbench.orders.filter({ hasText: /Open orders\s*1/ }).waitFor();
    await workbench.screenshot("orders-not-listed");
  });

  it("keeps the countdown when the form is closed and the window is reloaded", async () => {
    await workbench.closeTicket();
    await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    await workbench.command("Bidside: Place Bid");
    // A ticket that was closed starts empty.
    await seeCountdown(4, "");
    await workbench.draft({ amount: "1000" });
    await workbench.form.locator("#amount").press("Enter");
    await workbench.reload();
    await workbench.enterKey(exchange.baseUrl, livePair);
    await seeCountdown(4);
    assert.equal(await workbench.modal.count(), 0, "no question opens during the pause");
  });
});
