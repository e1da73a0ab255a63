import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { waitFor } from "../support/waitFor.ts";
import { frameOf } from "./support/pages.ts";
import { leaveEditor, takePractice } from "./support/sharedEditor.ts";
import type { Theme } from "./support/themes.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a person at the order book", () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await takePractice();
    await workbench.row("THB_BTC").waitFor();
    await workbench.openTicket();
    await workbench.draft({ symbol: "THB_BTC" });
  });
  after(() => leaveEditor(workbench));

  const at = (selector: string, hasText?: string | RegExp): Locator =>
    workbench.form.locator(selector, hasText === undefined ? {} : { hasText });
  const rate = (): Promise<string> => at("#rate").inputValue();
  /** The price of the active level, as plain digits, and what a screen reader says of the level. */
  async function active(): Promise<{ readonly price: string; readonly spoken: string }> {
    const row = at('#ladder .level[aria-selected="true"]');
    const [price, spoken] = [
      await row.locator(".price").innerText(),
      await row.locator(".sr-only").textContent(),
    ];
    return { price: price.replaceAll(",", ""), spoken: spoken ?? "" };
  }

  it("sees fifteen levels of each side, a spread and the last trades, all updating", async () => {
    await at("#ladder .level:visible").nth(29).waitFor();
    await at("#spread", /^Spread [\d,.]+ \(\d\.\d\d%\)$/).waitFor();
    await at("#trades li").nth(14).waitFor();
    const before = await at("#ask-0 .sr-only").textContent();
    await waitFor("the next book", async () => (await at("#ask-0 .sr-only").textContent()) !== before);
  });

  it("walks through the levels by keys, and sets the rate by Enter without sending anything", async () => {
    await workbench.draft({ amount: "1000" });
    const orders = await workbench.orders.count();
    await at("#ladder").focus();
    assert.match((await active()).spoken, /^Bid at [\d,.]+ THB: [\d.,]+ BTC$/);
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown"]) await workbench.press(key);
    assert.match((await active()).spoken, /^Ask at /);
    // The book may change between a look at the level and the key.
    await waitFor("the rate of the level", async () => {
      const { price } = await active();
      await workbench.press("Enter");
      return Number(await rate()) === Number(price);
    });
    assert.equal(await workbench.modal.count(), 0);
    assert.equal(await workbench.orders.count(), orders);
  });

  it("sets the rate by a click, and sees what the order would take", async () => {
    await at("#ask-5").click();
    const clicked = Number(await rate());
    assert.ok(clicked > 0);
    assert.equal(await workbench.modal.count(), 0);
    await at("#book-fill-share", "all").waitFor();
    await at("#book-fill-average", /\d/).waitFor();
    await at("#book-fill-slippage", /^\d\.\d\d%$/).waitFor();
    await workbench.submit();
    await workbench.modal
      .filter({ hasText: /Fills immediately: all[^]*Average price: .* the best ask/ })
      .waitFor();
    await workbench.screenshot("ladder-confirmation");
    await workbench.answerModal("Cancel");
    await workbench.outcome("Not sent: you cancelled.");
  });

  it("sees an own order that rests at its level", async () => {
    await at("#bid-9").click();
    await at("#book-fill-share", "nothing").waitFor();
    await workbench.submit();
    await workbench.modal.filter({ hasText: "Fills immediately: nothing" }).waitFor();
    await workbench.answerModal("Place Practice Bid");
    await workbench.outcome("accepted your order");
    await at("#bids .level.own:visible", "your order").waitFor();
  });

  it("has no violation in dark, light and high contrast themes", async () => {
    for (const [index, theme] of (["dark", "light", "highContrast"] satisfies Theme[]).entries()) {
      await workbench.useTheme(theme);
      await at("#ladder").focus();
      await workbench.press("ArrowUp");
      await workbench.screenshot(`ladder-${theme}`);
      assert.deepEqual(await workbench.violations(index === 0 ? "all" : "colours"), [], theme);
    }
    await workbench.useTheme("dark");
  });

  it("has no violation in a page of 300 px, and nothing wider than the page", async () => {
    const { width, height } = workbench.page.viewportSize() ?? assert.fail();
    const frame = await frameOf(workbench.form);
    const size = (): Promise<{ inner: number; scroll: number }> =>
      frame.evaluate(() => {
        const page = globalThis as unknown as {
          innerWidth: number;
          document: { documentElement: { scrollWidth: number } };
        };
        return { inner: page.innerWidth, scroll: page.document.documentElement.scrollWidth };
      });
    await workbench.page.setViewportSize({ width: width - (await size()).inner + 300, height });
    await waitFor("the narrow page", async () => (await size()).inner <= 310);
    assert.ok((await size()).scroll <= (await size()).inner);
    await at("#ladder").scrollIntoViewIfNeeded();
    await workbench.screenshot("ladder-narrow");
    assert.deepEqual(await workbench.violations("all"), []);
    await workbench.page.setViewportSize({ width, height });
  });

  it("has the book again at once when the ticket returns to the front", async () => {
    await workbench.command("View: Close All Editors");
    await workbench.openTicket();
    await at("#ladder .level:visible").nth(29).waitFor();
  });
});
