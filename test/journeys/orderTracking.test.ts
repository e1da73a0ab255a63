import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { cancelElsewhere } from "./support/cancelElsewhere.ts";
import { livePair, withOrderTracking } from "./support/openLive.ts";
import { restBid } from "./support/restingBid.ts";
import { clickAction } from "./support/rows.ts";
import { leaveEditor, takeLive } from "./support/sharedEditor.ts";
import type { Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

const THEMES: readonly Theme[] = ["dark", "light", "highContrast"];

describe("a person who follows orders to their ends", () => {
  let workbench: Workbench;
  let second: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    ({ workbench, exchange } = await takeLive({ settings: withOrderTracking }));
    await workbench.row("THB_BTC").waitFor();
    second = await workbench.secondWindow();
    // Without the key, the orders are those of an account that is not signed in.
    await second.enterKey(exchange.baseUrl, livePair);
    await workbench.page.bringToFront();
  });
  after(async () => {
    await leaveEditor(workbench);
    await exchange.close();
  });

  const order = (text: RegExp): Locator => workbench.orders.filter({ hasText: text });

  const rest = (): Promise<string> => restBid(workbench);

  it("sees a resting bid as open in both windows, with side, share, rate and age", async () => {
    await workbench.openTicket();
    await rest();
    for (const { orders } of [workbench, second])
      await orders.filter({ hasText: /Buy BTC.*0% @ [\d,]+\.\d\d · [\d,.]+ THB · \d+ sec/ }).waitFor();
  });

  it("gets one notification of the fill, in one of two windows, and sees the order filled in both", async () => {
    assert.ok(exchange.fillOrder("1", new Decimal("1000")));
    const countToasts = async (): Promise<number> => {
      const text = /Buy order for BTC\/THB on \S+: filled at /;
      const toasts = [workbench, second].map(({ page }) =>
        page.locator(".notification-toast", { hasText: text }).count(),
      );
      return (await Promise.all(toasts)).reduce((sum, count) => sum + count);
    };
    await waitFor("the message", async () => (await countToasts()) > 0);
    for (const { orders } of [workbench, second])
      await orders.filter({ hasText: /Buy BTC.*Filled @/ }).waitFor();
    assert.equal(await countToasts(), 1);
    await second.page.close();
    await workbench.page.bringToFront();
  });

  it("sees a partial fill in the status bar and below its order, without a message", async () => {
    await rest();
    // At once: the fills of an order that stays open are read every half a minute.
    assert.ok(exchange.fillOrder("2", new Decimal("452")));
    const text = /Buy order for BTC\/THB on \S+: now \d+\.\d\d% filled/;
    await workbench.page.locator(".statusbar-item", { hasText: text }).waitFor();
    assert.equal(await workbench.page.locator(".notification-toast", { hasText: text }).count(), 0);
    await workbench.outcome(
      /\d+\.\d\d% filled so far, at [\d,.]+ THB\. The rest stays open at your limit price\./,
    );
    const row = order(/Buy BTC.*[1-9]\d*\.\d\d% @/);
    await row.waitFor();
    await row.locator(".monaco-tl-twistie").click();
    await order(/\d @ [\d,]+\.\d\d.*fee [\d.]+ THB/).waitFor();
    await workbench.screenshot("orders-open");
  });

  it("cancels the rest after one question that names the order", async () => {
    const row = order(/Buy BTC.*\d% @/);
    const ask = async (): Promise<void> => {
      await clickAction(row, "Cancel Order");
      await workbench.modal.filter({ hasText: "Cancel this order for BTC/THB" }).waitFor();
    };
    await ask();
    await workbench.answerModal("Keep Order");
    await ask();
    await workbench.modal.filter({ hasText: /% filled[^]*order 2/ }).waitFor();
    await workbench.screenshot("orders-cancel");
    assert.equal(exchange.requests.cancelOrder, 0, "the first answer kept the order");
    await workbench.answerModal("Cancel Order");
    await order(/Buy BTC.*% filled, then cancelled @/).waitFor();
    assert.equal(await order(/Open orders/).count(), 0);
  });

  it("sells what was bought, and sees the sale as filled", async () => {
    await workbench.form.locator("#side-sell").click();
    // Well below the best bid, which may move before the order arrives.
    const last = Number((await workbench.form.locator("#last").innerText()).replaceAll(/[^\d.]/g, ""));
    await workbench.draft({ rate: String(Math.floor(last * 0.99)) });
    await workbench.form.locator('[data-share="1"]').click();
    await workbench.submit();
    await workbench.answerModal("Place Ask");
    await workbench.outcome("accepted your order");
    await order(/Sell BTC.*Filled @/).waitFor();
  });

  it("cancels all open orders of a pair with one question", async () => {
    await workbench.form.locator("#side-buy").click();
    await rest();
    await order(/Buy BTC.*0% @/).waitFor();
    await workbench.command("Bidside: Cancel All Open Orders of a Pair");
    await workbench.pick("BTC/THB");
    await workbench.modal.filter({ hasText: "Cancel this order for BTC/THB" }).waitFor();
    await workbench.answerModal("Cancel Order");
    await order(/Buy BTC.*Cancelled @/).waitFor();
  });

  it("sees every group in each theme, also an order without an answer", async () => {
    await rest();
    exchange.faults.next("placeBid", { kind: "reset", when: "before" });
    await workbench.draft({ amount: "700" });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    await order(/Action needed/).waitFor();
    await order(/Unknown @ .* 700\.00 THB/).waitFor();
    for (const theme of THEMES) {
      await workbench.useTheme(theme);
      await waitFor(
        "all groups",
        async () => (await order(/Action needed|Open orders|Order history/).count()) === 3,
      );
      await workbench.screenshot(`orders-groups-${theme}`);
    }
  });

  it("sees an order that vanished from every list as unknown, with what was checked", async () => {
    exchange.switches.cancelledKeptMs = 0;
    exchange.switches.clientIds = "dropped";
    exchange.faults.next("placeBid", { kind: "reset", when: "after" });
    await workbench.draft({ amount: "800" });
    await workbench.submit();
    await workbench.answerModal("Place Bid");
    const row = order(/Unknown @ .* 800\.00 THB/);
    await row.waitFor();
    // One of the orders before never arrived.
    const { placeBid, placeAsk } = exchange.requests;
    await cancelElsewhere(exchange, String(placeBid + placeAsk - 1));
    await clickAction(row, "Check Order Now");
    const hover = workbench.page.locator(".monaco-hover", { hasText: /Status\s*Unknown/ });
    await waitFor(
      "the checked lists",
      async () => {
        await workbench.header("Orders").hover();
        await row.hover();
        await hover.waitFor({ timeout: 3000 }).catch(() => undefined);
        const text = (await hover.allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");
        return /checked: open orders: \d without its client id; order history: \d without its client id; THB unchanged/.test(
          text,
        );
      },
      30_000,
    );
    await workbench.screenshot("orders-vanished");
    const tooltip = await hover.innerText();
    assert.doesNotMatch(`${tooltip}\n${await row.innerText()}`, /cancelled|filled/i);
  });
});
