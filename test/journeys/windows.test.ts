import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandIds, settingKeys } from "../../src/contributions.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { isFull } from "../support/rounds.ts";
import type { ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { waitFor } from "../support/waitFor.ts";
import { livePair, startLive, withOrderTracking } from "./support/live.ts";
import { restBid } from "./support/restingBid.ts";
import { closeEditor, leaveEditor, takeLive, takePractice } from "./support/sharedEditor.ts";
import type { Workbench } from "./support/workbench.ts";

/** On screen without scrolling. */
const ROW = "THB_ADA";

describe("a trader with two windows", () => {
  let first: Workbench;
  let second: Workbench;
  let exchange: ProxiedPractice;

  before(async () => {
    exchange = await startLive();
    first = await takeLive(exchange.baseUrl, {
      profile: withOrderTracking,
      settings: { [settingKeys.refreshSeconds]: 1 },
    });
    await first.run(commandIds.placeBid, "THB_BTC");
    second = await first.secondWindow();
    // A window in a browser has its own secret storage. Without the key, the orders are those of an account that is not signed in.
    await second.enterKey(livePair);
    await first.page.bringToFront();
  });
  after(async () => {
    await second?.page.close();
    await leaveEditor();
    await exchange.close();
  });

  it("sees prices move in both", async () => {
    const prices = (): Promise<string[]> =>
      Promise.all([first, second].map((window) => window.row(ROW).innerText()));
    const before = await prices();
    await waitFor("both prices to move", async () =>
      (await prices()).every((text, index) => text !== before[index]),
    );
  });

  it("adds a pair to the favourites in one window, and sees it in both", async () => {
    await first.run(commandIds.star, ROW);
    for (const { page } of [first, second])
      await page.getByRole("treeitem", { name: /^ADA in THB, .*, favourite$/ }).waitFor();
  });

  it("sees an order of one window in both, and its balance", async () => {
    await restBid(first, "real money");
    for (const { balance, orders } of [first, second]) {
      await balance.filter({ hasText: "999,000 THB" }).waitFor();
      await orders.filter({ hasText: /Buy BTC.*0% of/ }).waitFor();
    }
  });

  it("gets one notification of a fill, and sees the order filled in both", async () => {
    // The ticket that placed the order would show its end instead.
    await first.closeTicket();
    assert.ok(exchange.fillOrder("1", new Decimal("1000")));
    const countToasts = async (): Promise<number> => {
      const text = /Buy order for BTC\/THB on \S+: filled, (?:≈ )?[\d.]+ BTC at /;
      const toasts = [first, second].map(({ page }) =>
        page.locator(".notification-toast", { hasText: text }).count(),
      );
      return (await Promise.all(toasts)).reduce((sum, count) => sum + count);
    };
    await waitFor("the message", async () => (await countToasts()) > 0);
    for (const { orders } of [first, second]) await orders.filter({ hasText: /Buy BTC.*· Filled/ }).waitFor();
    assert.equal(await countToasts(), 1);
  });
});

if (isFull())
  describe("a trader whose extension host stops", () => {
    // Its browser remembers the crash.
    after(() => closeEditor());

    it("sees that the ticket is dead, reloads the window from it, and has one ticket with the same draft", async () => {
      const workbench = await takePractice();
      await workbench.run(commandIds.placeBid, "THB_BTC");
      await workbench.draft({ amount: "321" });
      // The process of the extension host serves the practice exchange.
      const [lock = assert.fail("no lock")] = globSync("practice/serving-*", {
        cwd: workbench.storageFolder,
      });
      const { pid } = JSON.parse(readFileSync(join(workbench.storageFolder, lock), "utf8")) as {
        pid: number;
      };
      process.kill(pid, "SIGKILL");
      const note = workbench.form.locator("#silent");
      await note.waitFor();
      assert.equal(await workbench.form.locator("#submit").isDisabled(), true);
      await note.getByText("Reload Window").click();
      await workbench.page.locator("iframe.webview.ready").first().waitFor({ state: "detached" });
      await workbench.ticketIsBack();
      assert.equal(await workbench.figure("amount"), "321");
      await workbench.command("Bidside: Place Bid");
      assert.equal(await workbench.page.locator('.tab[aria-label^="Order Ticket"]').count(), 1);
    });
  });
