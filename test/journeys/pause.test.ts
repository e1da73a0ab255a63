import assert from "node:assert/strict";
import type { PracticeExchange } from "../../src/practice/http/server.ts";
import { within } from "../../tools/test/story.ts";
import { livePair } from "./support/openLive.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a trader whom the exchange asks to wait", () => {
  let workbench: Workbench;
  let exchange: PracticeExchange;

  before(async () => {
    ({ workbench, exchange } = await takeLive());
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

  async function seeCountdown(bids = 1): Promise<void> {
    await workbench.form.locator("#wait", { hasText: /\d+ s/ }).waitFor();
    assert.ok(await workbench.form.locator("#submit").isDisabled());
    assert.equal(await workbench.form.locator("#amount").inputValue(), "1000");
    assert.equal(exchange.requests.placeBid, bids);
  }

  it("sees the remaining time, keeps the draft, and submits after the pause", async () => {
    await meetPause();
    await seeCountdown();
    assert.equal(await workbench.modal.count(), 0, "no question opens during the pause");
    await within("sit out a pause", () => workbench.form.locator("#submit:not([disabled])").waitFor());
    await workbench.form.locator("#rate-up").click();
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await workbench.outcome(/accepted your order: 1,000\.00 THB/);
    assert.equal(exchange.requests.placeBid, 2);
  });

  it("keeps draft and countdown when the form is closed and the window is reloaded", async () => {
    // Long enough for all later steps on any computer: this pause is the last.
    await meetPause(300);
    await seeCountdown(3);
    await workbench.form.locator("#amount").press("Escape");
    await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    await workbench.command("Bidside: Place Bid");
    await seeCountdown(3);
    await workbench.form.locator("#amount").press("Enter");
    await workbench.reload();
    await workbench.enterKey(exchange.baseUrl, livePair);
    await seeCountdown(3);
    assert.equal(await workbench.modal.count(), 0, "no question opens during the pause");
  });

  it("can read the countdown in other themes, and axe finds no violation", async () => {
    for (const [index, theme] of (["light", "highContrast"] as const).entries()) {
      await workbench.useTheme(theme);
      await seeCountdown(3);
      assert.deepEqual(await workbench.violations(index === 0 ? "all" : "colours"), []);
      await workbench.screenshot(`countdown-${theme}`);
    }
  });
});
